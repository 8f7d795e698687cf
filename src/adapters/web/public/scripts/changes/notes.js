/* Notes on papers: saved while they are written, and united with changes from elsewhere. */
import { changesAddress, onSettled, onUnited, sendChange, sendOutbox } from '../outbox/sending.js'
import { setOwn, setSaved, stateOf } from '../outbox/states.js'
import { isWaiting, readOutbox, writeOutbox } from '../outbox/store.js'
import { paintNoted } from '../paint/marks.js'
import { showState } from '../paint/states.js'
import { showToast } from '../toast.js'

/** Notes that wait until their writer pauses, by item. */
const writtenNotes = new Map()
const noteDelayMs = 1000

const reportNote = (item, text) => {
  for (const status of document.querySelectorAll(`.note-form[data-item="${item}"] [role=status]`)) status.textContent = text
}

/** Keeps a note that is being written, until its writer pauses. */
export function writeNote (url, item, note) {
  const { timer, base = stateOf(item, 'note') } = writtenNotes.get(item) ?? {}
  clearTimeout(timer)
  writtenNotes.set(item, { url, note, base, timer: setTimeout(() => flushNote(item), noteDelayMs) })
  reportNote(item, '')
}

/** Sends a note that has been written. */
export function flushNote (item) {
  const written = writtenNotes.get(item)
  if (written === undefined) return
  clearTimeout(written.timer)
  writtenNotes.delete(item)
  // The newest note may still be on its way.
  if (written.base === written.note) return reportNote(item, isWaiting(item, 'note') ? 'Saving…' : 'Saved')
  showState(item, 'note', written.note)
  reportNote(item, 'Saving…')
  sendChange(written.url, item, 'note', written.note, written.base)
}

/** Shows a note that has been united with one from elsewhere, and what has been written since. */
function showUnited ({ item, value }, note) {
  const own = value.trim()
  const others = own !== '' && note.endsWith(own) ? note.slice(0, -own.length) : `${note}\n\n`
  const rebase = text => text === value ? note : others + text
  const written = writtenNotes.get(item)
  if (written !== undefined) Object.assign(written, { note: rebase(written.note), base: rebase(written.base) })
  const isOfNote = each => each.item === item && each.field === 'note' && each.bases.includes(value)
  writeOutbox(readOutbox().map(each => isOfNote(each) ? { ...each, value: rebase(each.value), bases: [note] } : each))
  setSaved(item, 'note', note)
  setOwn(item, 'note', rebase(stateOf(item, 'note')))
  for (const field of document.querySelectorAll(`.note-form[data-item="${item}"] textarea`)) {
    const end = field.value.length - field.selectionEnd
    field.value = rebase(field.value)
    const at = field.value.length - end
    if (field === document.activeElement) field.setSelectionRange(at, at)
  }
  paintNoted(item, stateOf(item, 'note'))
  showToast('This note was changed elsewhere. Both versions were kept.')
}

const flushNotes = () => { for (const item of [...writtenNotes.keys()]) flushNote(item) }

/** Saves notes while they are written and when the page is left. */
export function startNotes () {
  onSettled(({ item, field }, isSaved) => { if (field === 'note') reportNote(item, isSaved ? 'Saved' : 'Not saved') })
  onUnited(showUnited)
  // Notes first: the request has them, too.
  document.addEventListener('visibilitychange', () => { flushNotes(); sendOutbox() })
  addEventListener('pagehide', flushNotes)
  document.addEventListener('input', ({ target }) => {
    const form = target.closest('.note-form')
    if (form !== null) writeNote(changesAddress(form), form.dataset.item, target.value)
  })
  document.addEventListener('change', ({ target }) => {
    const form = target.closest('.note-form')
    if (form !== null) flushNote(form.dataset.item)
  })
}
