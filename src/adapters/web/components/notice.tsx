import type { ComponentChildren } from 'preact'

/** A message: success, error, warning or information. */
export const Notice = ({ kind, children }: { kind: 'good' | 'bad' | 'warn' | 'plain', children: ComponentChildren }) =>
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>{children}</div>

/** The id of the reason why a form was refused. */
export const refusalId = 'refusal'

/** The reason why a form was refused. Scripts move to it. */
export const Refusal = ({ children }: { children: ComponentChildren }) =>
  <div class='notice bad' data-refusal='' id={refusalId} role='alert'>{children}</div>
