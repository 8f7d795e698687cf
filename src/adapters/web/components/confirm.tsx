import type { ComponentChildren } from 'preact'

/** Something that cannot be taken back: what it does is read before its button is there to press. Works without scripts. */
export const Ask = ({ what, small = false, children }: { what: string, small?: boolean, children: ComponentChildren }) => (
  <details class='ask'>
    <summary class={`button secondary ${small ? 'small' : ''}`}><span class='ask-closed'>{what}</span><span class='ask-open'>Cancel</span></summary>
    <div class='ask-more'>{children}</div>
  </details>
)
