/* Progressive enhancement: every page works without scripts. */
/* global isOfOther, sessionEnded, showToast */

const showCopyButtons = root => {
  for (const button of root.querySelectorAll('button[data-copy]')) button.hidden = false
}

document.addEventListener('click', async event => {
  const button = event.target.closest('button[data-copy]')
  if (button === null) return
  const label = button.firstElementChild
  const { textContent: originalText } = label
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    label.textContent = 'Copied'
  } catch {
    const text = button.parentElement.querySelector('input, pre')
    if (text instanceof HTMLInputElement) text.select()
    else getSelection().selectAllChildren(text)
    label.textContent = 'Press Ctrl+C'
  }
  setTimeout(() => { label.textContent = originalText }, 2000)
})

// Chooses the time zone of the browser in a list.
for (const button of document.querySelectorAll('button[data-time-zone]')) {
  const list = document.getElementById(button.dataset.timeZone)
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const isListed = [...list.options].some(({ value }) => value === timeZone)
  button.hidden = !isListed || list.value === timeZone
  button.addEventListener('click', () => { list.value = timeZone })
}

/* A file that is dropped anywhere on a page with one file field goes into the field. */
const fileField = ({ dataTransfer }) => {
  const fields = document.querySelectorAll('input[type=file]')
  return fields.length === 1 && dataTransfer?.types.includes('Files') === true ? fields[0] : undefined
}

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

// The answer of a proxy, or one after the end of the session, lacks the part of the page that it would replace.
document.addEventListener('htmx:beforeSwap', event => {
  const { requestConfig: { elt }, serverResponse } = event.detail
  const select = event.detail.select ?? elt.closest('[hx-select]')?.getAttribute('hx-select')
  if (select === undefined) return
  const page = new DOMParser().parseFromString(serverResponse, 'text/html')
  const isForeign = isOfOther(page)
  if (!isForeign && page.querySelector(select.replace(/ > \*$/, '')) !== null) return
  event.preventDefault()
  // The next poll may get an answer.
  if (!isForeign && /^every /.test(elt.getAttribute('hx-trigger'))) return
  showToast(isForeign ? sessionEnded : page.querySelector('.lead')?.textContent ?? 'This could not be loaded. Try again in a moment.')
})

showCopyButtons(document)
document.addEventListener('htmx:load', event => showCopyButtons(event.detail.elt))
