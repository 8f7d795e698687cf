import type { ComponentChildren } from 'preact'

/** Asks for confirmation: a click shows the consequences and the button that confirms. Works without scripts. */
export const Confirm = ({ label, small = false, children }: { label: string, small?: boolean, children: ComponentChildren }) => (
  <details class='ask'>
    <summary class={`button secondary ${small ? 'small' : ''}`}>
      <span class='ask-closed'>{label}</span>
      <span class='ask-open'>Cancel</span>
    </summary>
    <div class='ask-more'>{children}</div>
  </details>
)
