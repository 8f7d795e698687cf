/* Fields: a time zone is filled in, fields that an answer replaces are held, and dropped or large files are checked. */

/** Lets a button save the time zone of the browser, and fills it into the forms that create an account. */
export function startTimeZone () {
  for (const field of document.querySelectorAll('[data-own-time-zone]')) {
    field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? ''
  }
  for (const button of document.querySelectorAll('button[data-time-zone]')) {
    const list = document.getElementById(button.dataset.timeZone)
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    button.hidden = timeZone === undefined || list.value === timeZone
    button.addEventListener('click', () => {
      // Browsers and servers name some zones differently: Asia/Kolkata and Asia/Calcutta. The service takes both.
      if (![...list.options].some(({ value }) => value === timeZone)) list.add(new Option(timeZone.replaceAll('_', ' '), timeZone))
      list.value = timeZone
      list.form.requestSubmit()
    })
  }
}

/**
 * Holds the fields that the answer to a button replaces: what was typed meanwhile would be lost. They stay enabled, since another button
 * may send the form before the answer comes.
 */
export function startHeldFields () {
  const hold = isHeld => ({ detail: { requestConfig: { elt } } }) => {
    if (elt.dataset.holds === undefined) return
    for (const field of document.querySelectorAll(elt.dataset.holds)) field.readOnly = isHeld
  }
  document.addEventListener('htmx:beforeSend', hold(true))
  document.addEventListener('htmx:afterRequest', hold(false))
}

/** The only file field of the page, for an event that has files. */
const fileField = ({ dataTransfer }) => {
  const fields = document.querySelectorAll('input[type=file]')
  return fields.length === 1 && dataTransfer?.types.includes('Files') === true ? fields[0] : undefined
}

/** Puts a file that is dropped anywhere on a page with one file field into the field. */
export function startDroppedFiles () {
  document.addEventListener('dragover', event => { if (fileField(event) !== undefined) event.preventDefault() })

  document.addEventListener('drop', event => {
    const field = fileField(event)
    if (field === undefined) return
    // Otherwise the browser leaves the page and shows the file.
    event.preventDefault()
    const { files } = event.dataTransfer
    field.parentElement.querySelector('.notice')?.remove()
    const details = field.closest('details')
    if (details !== null) details.open = true
    if (files.length > 1 && !field.multiple) {
      const notice = document.createElement('div')
      field.before(Object.assign(notice, { className: 'notice bad', role: 'alert', textContent: 'Drop one file at a time.' }))
    } else if (files.length > 0) {
      field.files = files
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }
    field.scrollIntoView({ block: 'nearest' })
    field.focus({ preventScroll: true })
  })
}

/** The end of a sentence about a file that is larger than its field takes. @returns undefined for other files */
export const sizeProblem = ({ size }, { dataset: { maxBytes, maximum } }) => size > Number(maxBytes)
  ? `exceeds the maximum of ${maximum}. Choose a smaller one.`
  : undefined

/** Refuses a file that is too large as soon as it is chosen. Several files are checked one by one as they are sent. */
export function startFileSizes () {
  document.addEventListener('change', ({ target: field }) => {
    if (field.type !== 'file') return
    const problem = field.files.length === 1 ? sizeProblem(field.files[0], field) : undefined
    field.setCustomValidity(problem === undefined ? '' : `The file “${field.files[0].name}” ${problem}`)
    if (problem !== undefined) field.reportValidity()
  })
}
