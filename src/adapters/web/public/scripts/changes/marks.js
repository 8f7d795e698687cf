/* Marks of papers: seen and saved for later. */
import { changesAddress, sendChange, sendDay } from '../outbox/sending.js'
import { setOwn, stateOf } from '../outbox/states.js'
import { barItem } from '../paint/bar.js'
import { showState } from '../paint/states.js'
import { showToast } from '../toast.js'
import { reportChange, setStates, undoable, undoLast } from './undo.js'

/** Saves items for later, or removes them from the saved ones. */
export function saveItems (url, items, isSaved) {
  const count = setStates(url, items, 'saved', () => String(isSaved))
  if (count === 0) showToast(isSaved ? 'Saved' : 'Not saved')
  else reportChange(isSaved ? 'Saved for later' : 'Removed from saved', count)
}

/** Shows whether an item was seen after a change that says so to the server by itself. */
export function showSeen (item, value) {
  showState(item, 'seen', value)
  setOwn(item, 'seen', value)
}

/** Items that their reader has marked as unseen: that they are still shown does not change it. */
const keptUnseen = new Set()
/** Keeps an item unseen until it is opened again. */
export const keepUnseen = item => { keptUnseen.add(item) }
/** An item that is opened counts as seen. */
export const openUnseen = item => { keptUnseen.delete(item) }

/** Marks an item as seen, silently: nobody asked for it. */
export function markSeen (url, item) {
  if (keptUnseen.has(item) || stateOf(item, 'seen') !== 'false') return
  showState(item, 'seen', 'true')
  sendChange(url, item, 'seen', 'true')
}

/** Marks the listed papers of a day as seen, and the others on the server. */
export function skipDay (form) {
  const url = changesAddress(form)
  const { item } = form.dataset
  const fields = Object.fromEntries([...new FormData(form)].filter(([name]) => !['action', 'csrf_token'].includes(name)))
  const rows = [...form.closest('.day').nextElementSibling.querySelectorAll('.row')]
  const items = rows.map(row => row.dataset.item).filter(each => stateOf(each, 'seen') === 'false')
  const showAll = value => {
    for (const each of items) showSeen(each, value)
    form.querySelector('button').hidden = value === 'true'
    form.toggleAttribute('data-skipped', value === 'true')
  }
  // Its reader goes on with the next day, and comes back to this paper.
  const before = barItem
  showAll('true')
  sendDay(url, item, fields)
  undoable.push(() => {
    showAll('false')
    sendDay(url, item, { ...fields, seen: 'false' })
    return before
  })
  showToast('Skipped the rest of this day', undoLast)
  document.dispatchEvent(new CustomEvent('litfeed:skipped', { detail: form.closest('.day') }))
}
