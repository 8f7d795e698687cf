import type { ComponentChildren } from 'preact'

interface ConfirmProps {
  label: string
  /** Which entry of a list it concerns, for screen readers. */
  about?: ComponentChildren
  small?: boolean
  children: ComponentChildren
}

/** Asks for confirmation: a click shows the consequences and the button that confirms. Works without scripts. */
export const Confirm = ({ label, about, small = false, children }: ConfirmProps) => (
  <details class='ask'>
    <summary class={`button secondary ${small ? 'small' : ''}`}>
      <span class='ask-closed'>{label}</span>
      {about !== undefined && <span class='ask-closed unseen'> {about}</span>}
      <span class='ask-open'>Cancel</span>
    </summary>
    <div class='ask-more'>{children}</div>
  </details>
)
