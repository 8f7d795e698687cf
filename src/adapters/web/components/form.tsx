import type { ComponentChildren } from 'preact'
import { useView } from '../view.js'
import { Notice } from './notice.js'

interface FormProps {
  /** The page's action. */
  action: string
  /** Path of the page it is posted to; the one that is shown where it is left out. */
  address?: string
  class?: string
  upload?: boolean
  /** One of many forms of its action: what is refused is said above them all, by `<Refused>`. */
  inRow?: boolean
  children: ComponentChildren
  [attribute: `hx-${string}` | `data-${string}`]: string
}

/** A form of an action, with the proof that it is ours. A refusal of this action is said above its fields. */
export function Form ({ action, address, upload = false, inRow = false, children, ...attributes }: FormProps) {
  const { to, url, proof, refused } = useView()
  return (
    <form method='post' action={to(address ?? url)} encType={upload ? 'multipart/form-data' : undefined} {...attributes}>
      <input type='hidden' name='action' value={action} />
      <input type='hidden' name='proof' value={proof} />
      {!inRow && refused?.action === action && <Notice kind='bad'>{refused.message}</Notice>}
      {children}
    </form>
  )
}

/** What was refused of forms that stand in rows. */
export function Refused ({ actions }: { actions: readonly string[] }) {
  const { refused } = useView()
  return refused !== undefined && actions.includes(refused.action) ? <Notice kind='bad'>{refused.message}</Notice> : null
}

interface FieldProps {
  name: string
  label: string
  hint?: ComponentChildren
  /** Kind of input; `lines` is a text area. */
  type?: 'text' | 'email' | 'password' | 'number' | 'url' | 'lines'
  value?: string | number
  rows?: number
  required?: boolean
  autocomplete?: string
  autofocus?: boolean
  minlength?: number
  maxlength?: number
  min?: number
  max?: number
  step?: number
  placeholder?: string
  /** Of the form that it is in, to show again what was entered when it was refused. */
  action?: string
  /** Where a page has the same field twice. */
  id?: string
}

/** A labelled field. What was entered in a refused form stands in it again, except for passwords. */
export function Field ({ name, label, hint, type = 'text', value, rows = 4, autocomplete, autofocus, action, id = name, ...attributes }: FieldProps) {
  const { entered, refused } = useView()
  const again = refused !== undefined && (action === undefined || refused.action === action) ? entered[name] : undefined
  const shown = type === 'password' ? undefined : again === undefined ? value : String(again)
  const common = { id, name, autocomplete, autofocus, 'aria-describedby': hint === undefined ? undefined : `${id}-hint`, ...attributes }
  return (
    <div class='field'>
      <label for={id}>{label}</label>
      {hint !== undefined && <p class='hint' id={`${id}-hint`}>{hint}</p>}
      {type === 'lines' ? <textarea {...common} rows={rows}>{shown}</textarea> : <input {...common} type={type as 'text'} value={shown} />}
    </div>
  )
}

interface TickProps { name: string, label: string, hint?: string, ticked?: boolean, value?: string, id?: string }

/** A box to tick. */
export function Tick ({ name, label, hint, ticked = false, value, id = value === undefined ? name : `${name}-${value}` }: TickProps) {
  const { entered, refused } = useView()
  const again = refused === undefined ? ticked : value === undefined ? entered[name] !== undefined : [entered[name]].flat().includes(value)
  return (
    <div class='tick'>
      <input type='checkbox' id={id} name={name} value={value} checked={again} aria-describedby={hint === undefined ? undefined : `${id}-hint`} />
      <label for={id}>{label}</label>
      {hint !== undefined && <p class='hint' id={`${id}-hint`}>{hint}</p>}
    </div>
  )
}

interface ChoiceProps { name: string, label: string, hint?: string, value?: string, options: ReadonlyArray<{ value: string, label: string }>, id?: string }

/** A list to choose one of. */
export function Choice ({ name, label, hint, value, options, id = name }: ChoiceProps) {
  const { entered, refused } = useView()
  const chosen = refused === undefined ? value : entered[name] ?? value
  return (
    <div class='field'>
      <label for={id}>{label}</label>
      {hint !== undefined && <p class='hint' id={`${id}-hint`}>{hint}</p>}
      <select id={id} name={name} aria-describedby={hint === undefined ? undefined : `${id}-hint`}>
        {options.map(option => <option key={option.value} value={option.value} selected={option.value === chosen}>{option.label}</option>)}
      </select>
    </div>
  )
}
