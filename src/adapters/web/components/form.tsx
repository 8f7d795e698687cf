import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { mebibytes } from '../../../../schemas/mebibytes.js'
import { ReceivedFile } from '../../../../schemas/received-file.js'
import type { RefusedForm } from '../refused-form.js'
import { useView } from '../view.js'
import { Refusal, refusalId } from './notice.js'

interface FormProps {
  /** The page's action. */
  action: string
  /** Actions of the form's buttons, where they differ. */
  buttonActions?: readonly string[]
  /** Path of the page that handles the form. Default: the current page. */
  address?: string
  class?: string
  upload?: boolean
  /** One of several forms of an action, or one that opens: `<RefusalNotice>` or else the layout shows the reason above them all. */
  inRow?: boolean
  /** Whether it gets back what was entered in a refused form of its action. Of several forms of an action, only the refused one does. */
  refills?: boolean
  children: ComponentChildren
  [attribute: `hx-${string}` | `data-${string}`]: string
}

/** The actions of the form around a component. */
const FormActions = createContext<readonly string[]>([])

/** The form around a component, if it was refused. @param field the component's field, whose label the reason may name */
function useRefusedForm (field: string, label: string): RefusedForm | undefined {
  const { refused } = useView()
  const actions = useContext(FormActions)
  if (refused === undefined || !actions.includes(refused.action)) return undefined
  refused.addLabel(field, label)
  return refused
}

interface Described {
  id: string
  name: string
  hint: boolean
  /** Whether a reason that names no field is said at this one. */
  isMain?: boolean | undefined
  refused: RefusedForm | undefined
}

/** What screen readers say of a field that is reached: that it is invalid, the reason of a refusal, and its hint. */
function describe ({ id, name, hint, isMain = false, refused }: Described) {
  const isInvalid = refused?.isInvalid(name) === true
  const hasReason = refused?.hasInvalidField === true ? isInvalid : refused !== undefined && isMain
  const ids = [...(hasReason ? [refusalId] : []), ...(hint ? [`${id}-hint`] : [])]
  return { 'aria-invalid': isInvalid ? true : undefined, 'aria-describedby': ids.length === 0 ? undefined : ids.join(' ') }
}

/** A form of an action, with its CSRF token. The reason for a refusal stands above its fields. */
export function Form (
  { action, buttonActions = [], address, upload = false, inRow = false, refills = true, children, ...attributes }: FormProps
) {
  const { to, url, csrfToken, refused } = useView()
  return (
    <form method='post' action={to(address ?? url)} encType={upload ? 'multipart/form-data' : undefined} {...attributes}>
      <input type='hidden' name='action' value={action} />
      <input type='hidden' name='csrf_token' value={csrfToken} />
      {!inRow && refused?.action === action && <Refusal>{refused.message()}</Refusal>}
      <FormActions.Provider value={refills ? [action, ...buttonActions] : []}>{children}</FormActions.Provider>
    </form>
  )
}

/** The reason why one of several forms in rows was refused. */
export function RefusalNotice ({ actions }: { actions: readonly string[] }) {
  const { refused } = useView()
  return refused !== undefined && actions.includes(refused.action) ? <Refusal>{refused.message()}</Refusal> : null
}

interface FieldProps {
  name: string
  label: string
  hint?: ComponentChildren
  /** Kind of input; `lines` is a text area. */
  type?: 'text' | 'email' | 'password' | 'number' | 'url' | 'date' | 'lines'
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
  pattern?: string
  /** Needed if the page has several fields of this name. Default: the name. */
  id?: string
  /** Whether the field keeps what is entered when htmx replaces the part of the page around it. */
  preserve?: boolean
}

/** A labeled field. After a refusal it keeps what was entered, except for passwords. */
export function Field ({
  name,
  label,
  hint,
  type = 'text',
  value,
  rows = 4,
  autocomplete,
  autofocus,
  id = name,
  preserve = false,
  ...attributes
}: FieldProps) {
  const { entered } = useView()
  const refused = useRefusedForm(name, label)
  const reentered = refused === undefined ? undefined : entered[name]
  const shownValue = type === 'password' ? undefined : reentered === undefined ? value : String(reentered)
  const common = {
    id,
    name,
    autocomplete,
    // The first field with this attribute gets the focus.
    autofocus: refused?.hasInvalidField === true ? refused.isInvalid(name) : autofocus,
    ...describe({ id, name, hint: hint !== undefined, isMain: autofocus, refused }),
    'hx-preserve': preserve ? 'true' : undefined,
    ...attributes
  }
  return (
    <div class='field'>
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class='hint' id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {type === 'lines'
        ? (
          <textarea {...common} rows={rows}>
            {shownValue}
          </textarea>
          )
        : (
          <input {...common} type={type as 'text'} value={shownValue} />
          )}
    </div>
  )
}

interface CheckboxProps { name: string, label: string, hint?: string, checked?: boolean, value?: string, id?: string }

/** A checkbox. */
export function Checkbox ({
  name,
  label,
  hint,
  checked = false,
  value,
  id = value === undefined ? name : `${name}-${value}`
}: CheckboxProps) {
  const { entered } = useView()
  const refused = useRefusedForm(name, label)
  const reentered =
    refused === undefined
      ? checked
      : value === undefined
        ? entered[name] !== undefined
        : [entered[name]].flat().includes(value)
  return (
    <div class='tick'>
      <input
        type='checkbox'
        id={id}
        name={name}
        value={value}
        checked={reentered}
        {...describe({ id, name, hint: hint !== undefined, refused })}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && <p class='hint' id={`${id}-hint`}>{hint}</p>}
    </div>
  )
}

interface SelectProps {
  name: string
  label: string
  hint?: string
  value?: string
  options: ReadonlyArray<{ value: string, label: string }>
  id?: string
}

/** A drop-down list. */
export function Select ({ name, label, hint, value, options, id = name }: SelectProps) {
  const { entered } = useView()
  const refused = useRefusedForm(name, label)
  const chosen = refused === undefined ? value : entered[name] ?? value
  return (
    <div class='field'>
      <label for={id}>{label}</label>
      {hint !== undefined && <p class='hint' id={`${id}-hint`}>{hint}</p>}
      <select id={id} name={name} {...describe({ id, name, hint: hint !== undefined, refused })}>
        {options.map(option => <option key={option.value} value={option.value} selected={option.value === chosen}>{option.label}</option>)}
      </select>
    </div>
  )
}

interface FileFieldProps {
  name: string
  label: string
  accept: string
  /** What the file may be. Its maximum size follows. */
  hint: string
  maxBytes: number
  /** Whether scripts take several files. */
  several?: boolean
}

/**
 * A field for one file. Scripts refuse a file that is too large before it is sent, and on a page with one such field they take a file that
 * is dropped anywhere.
 */
export function FileField ({ name, label, accept, hint, maxBytes, several = false }: FileFieldProps) {
  const { entered } = useView()
  const refused = useRefusedForm(name, label)
  const sent = refused === undefined ? undefined : entered[name]
  return (
    <div class='field'>
      <label for={name}>{label}</label>
      {sent instanceof ReceivedFile && sent.sentName !== undefined && sent.size > 0 && (
        <p>Not accepted: <b dir='auto'>{sent.sentName.slice(0, 200)}</b></p>
      )}
      <p class='hint' id={`${name}-hint`}>
        {hint} Maximum size: {mebibytes(maxBytes)}.
        <span class='scripts-only'> You can drop {several ? 'several files' : 'the file'} anywhere on this page.</span>
      </p>
      <input
        id={name}
        type='file'
        name={name}
        accept={accept}
        required
        data-max-bytes={maxBytes}
        data-maximum={mebibytes(maxBytes)}
        {...describe({ id: name, name, hint: true, isMain: true, refused })}
      />
    </div>
  )
}
