import type { ComponentChildren } from 'preact'

/** Seen while a request of htmx is under way; its place is kept, so that nothing moves. */
export const Busy = ({ id, children }: { id: string, children: ComponentChildren }) => <span id={id} class='busy quiet-text'>{children}</span>
