import type { ComponentChildren } from 'preact'
import { Busy } from '../../components/busy.js'
import { Refusal } from '../../components/notice.js'
import { useView } from '../../view.js'

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
  'hx-indicator': `#previewing-${kind}`,
  'hx-boost': 'false'
})

interface TunePreviewProps { kind: string, action: string, children: ComponentChildren }

/** The effect of a change, or why it could not be previewed. Empty until one is chosen. @param action that previews it */
export function TunePreview ({ kind, action, children }: TunePreviewProps) {
  const { refused, entered } = useView()
  // Two forms have the same action, and name their kind.
  const reason = refused?.action === action && (entered.kind ?? kind) === kind ? refused.message() : undefined
  return (
    <>
      <Busy id={`previewing-${kind}`}>Previewing…</Busy>
      <div id={`preview-${kind}`} class='preview tune-preview' role='status'>
        {reason === undefined ? children : <Refusal>{reason}</Refusal>}
      </div>
    </>
  )
}

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
