import type { ComponentChildren } from 'preact'

/** Progress text, visible and read aloud during an htmx request. Its space is reserved, which prevents layout shifts. */
export const Busy = ({ id, children }: { id: string, children: ComponentChildren }) => (
  <span role='status'>
    <span id={id} class='busy quiet-text'>
      {children}
    </span>
  </span>
)
