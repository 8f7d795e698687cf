import type { ComponentChildren } from 'preact'

/** Something said to the person: what was done, what went wrong, what to mind. */
export const Notice = ({ kind, children }: { kind: 'good' | 'bad' | 'warn' | 'plain', children: ComponentChildren }) =>
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>{children}</div>
