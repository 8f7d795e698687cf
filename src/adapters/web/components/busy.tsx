import type { ComponentChildren } from 'preact'

/** Progress text, visible during an htmx request. Its space is reserved, which prevents layout shifts. */
export const Busy = ({ id, children }: { id: string, children: ComponentChildren }) => (
  <span id={id} class='busy quiet-text'>
    {children}
  </span>
)
