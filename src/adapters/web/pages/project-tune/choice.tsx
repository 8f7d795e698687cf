import type { ComponentChildren } from 'preact'

interface ChoiceProps { name: string, value: string, label: string, checked: boolean, id?: string }

/** One of several values of a form. */
export const Choice = ({ name, value, label, checked, id = name }: ChoiceProps) => (
  <span class='choice'>
    <input type='radio' id={`${id}-${value}`} name={name} value={value} checked={checked} required />
    <label for={`${id}-${value}`} dir='auto'>{label}</label>
  </span>
)

/** Attributes of a fieldset whose preview follows its choice. @param kind of the change, which names the preview */
export const previewOnChoice = (kind: string, { address, action }: { address: string, action: string }) => ({
  'hx-post': address,
  'hx-trigger': 'change delay:200ms',
  'hx-include': 'closest form',
  'hx-vals': JSON.stringify({ action }),
  'hx-target': `#preview-${kind}`,
  'hx-select': `#preview-${kind} > *`,
  'hx-swap': 'innerHTML',
  'hx-sync': 'this:replace',
  'hx-boost': 'false'
})

/** The effect of a change. Empty until one is chosen. */
export const TunePreview = ({ kind, children }: { kind: string, children: ComponentChildren }) =>
  <div id={`preview-${kind}`} class='preview tune-preview' role='status'>{children}</div>

/** Where scripts open the page that tunes a feed. */
export const TuneDialog = () => (
  <dialog id='tune' class='tune-dialog' aria-label='Tune the feed'>
    <div
      class='tune-body'
      hx-boost='true'
      hx-target='this'
      hx-select='#content > .notice, .tune, .narrow > .lead'
      hx-swap='innerHTML'
      hx-push-url='false'
    />
    <form method='dialog' hx-boost='false'><button class='secondary'>Close</button></form>
  </dialog>
)
