/* Fields that the browser fills in: a time zone, and files that are dropped. */

/** Lets a button choose the time zone of the browser in a list. */
export function startTimeZone () {
  for (const button of document.querySelectorAll('button[data-time-zone]')) {
    const list = document.getElementById(button.dataset.timeZone)
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const isListed = [...list.options].some(({ value }) => value === timeZone)
    button.hidden = !isListed || list.value === timeZone
    button.addEventListener('click', () => { list.value = timeZone })
  }
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
