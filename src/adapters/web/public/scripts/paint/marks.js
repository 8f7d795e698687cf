/* Seen, saved for later and notes: the rows of a paper, and its forms. */

/** The rows of an item in a list. */
export const rowsOf = item => document.querySelectorAll(`[data-rows] [data-item="${item}"]`)

/** Shows a mark, "true" or "false", on the rows of an item. Only what was seen has no sign of its own. */
function paintRows (item, mark, value) {
  const copied = document.getElementById('mark-signs')?.content.querySelector(`[data-sign="${mark}"]`)
  for (const row of rowsOf(item)) {
    row.dataset[mark] = value
    const sign = row.querySelector(`.mark-signs [data-sign="${mark}"]`)
    if (value !== 'true') sign?.remove()
    else if (sign === null && copied != null) row.querySelector('.mark-signs').append(copied.cloneNode(true))
  }
}

/** Shows "true" or "false" on the rows of an item, and on the button that changes it. */
export function paintMark (item, field, value) {
  paintRows(item, field, value)
  for (const form of document.querySelectorAll(`.marks[data-item="${item}"]`)) {
    form.dataset[field] = value
    const button = form.querySelector(`[data-mark="${field}"]`)
    button.value = value === 'true' ? 'false' : 'true'
    button.querySelector('.mark-name').textContent = button.dataset[value === 'true' ? 'on' : 'off']
    if (field === 'saved') {
      button.setAttribute('aria-pressed', value)
      button.querySelector('.icon').classList.toggle('filled', value === 'true')
    }
  }
}

/** Shows on rows whether an item has a note, and keeps the note that the server has or gets. */
export function paintNoted (item, note) {
  paintRows(item, 'noted', String(note.trim() !== ''))
  for (const form of document.querySelectorAll(`.note-form[data-item="${item}"]`)) form.dataset.note = note
}

/** Shows an item's note, except in a field that its reader writes in. */
export function paintNote (item, note) {
  for (const form of document.querySelectorAll(`.note-form[data-item="${item}"]`)) {
    // A text that was refused stays in its field, to be shortened.
    if (form.dataset.note === note) continue
    const field = form.querySelector('textarea')
    if (field !== document.activeElement) field.value = note
  }
  paintNoted(item, note)
}
