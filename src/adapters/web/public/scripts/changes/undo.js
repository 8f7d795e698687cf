/* Changes that can be taken back. */
import { sendChange } from '../outbox/sending.js'
import { stateOf } from '../outbox/states.js'
import { isWaiting } from '../outbox/store.js'
import { showState } from '../paint/states.js'
import { showToast } from '../toast.js'

/** Undo actions of the last changes, oldest first. Each returns the item to show. */
export const undoable = []

/**
 * Sets a state of items, shows it at once and sends it in the background.
 * @param wanted a function that gives each item's new state
 * @returns how many items it changed
 */
export function setStates (url, items, field, wanted) {
  const states = items.map(item => ({ item, before: stateOf(item, field), after: wanted(item) }))
  const changes = states.filter(({ before, after }) => before !== after)
  // A state may have been changed elsewhere since it was shown here.
  for (const { item, before, after } of states) if (before === after && !isWaiting(item, field)) sendChange(url, item, field, after)
  if (changes.length === 0) return 0
  const set = (item, value) => {
    // First, since the bar shows the own state.
    sendChange(url, item, field, value)
    showState(item, field, value)
  }
  for (const { item, after } of changes) set(item, after)
  undoable.push(() => {
    for (const { item, before } of changes) set(item, before)
    return changes[0].item
  })
  return changes.length
}

/** Makes all changes of an action one, which a single undo takes back. @returns the result of the action */
export function asOneChange (change) {
  const from = undoable.length
  const result = change()
  const undos = undoable.splice(from).reverse()
  if (undos.length > 0) undoable.push(() => undos.map(undo => undo())[0])
  return result
}

/** Says what has been done to how many papers, and offers to undo it. */
export const reportChange = (text, count, reason) => showToast(count === 1 ? text : `${text}: ${count} papers`, undoLast, reason)

/** Takes back the last change. */
export function undoLast () {
  const undo = undoable.pop()
  if (undo === undefined) return showToast('Nothing to undo')
  const item = undo()
  showToast('Undone')
  document.dispatchEvent(new CustomEvent('litfeed:undone', { detail: item }))
}
