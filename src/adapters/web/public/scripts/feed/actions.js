/* What the keys of a feed do. The buttons of its bars press the same keys. */
import { saveItems } from '../changes/marks.js'
import { undoLast } from '../changes/undo.js'
import { castVotes } from '../changes/votes.js'
import { showHelp } from '../help.js'
import { moveOnAfterVote } from '../settings.js'
import { seeItem } from './details.js'
import { moveBy } from './moving.js'
import { currentLink, details, feed, itemOf } from './rows.js'
import { clearSelection, isSelecting, selectAll, selectedRows, setSelecting, toggleSelection } from './selection.js'

/** The item of the current row. A paper that is opened by its address may not be among the rows. */
function shownItem () {
  const link = currentLink()
  return link === null ? details().dataset.item : itemOf(link)
}

/** Votes on the selected papers; without a selection, on the current paper, and opens the next unrated one. */
function vote (value) {
  const rows = selectedRows()
  if (rows.length > 0) {
    castVotes(feed().dataset.changes, rows.map(row => row.dataset.item), value)
    return clearSelection()
  }
  const link = currentLink()
  const item = shownItem()
  if (item === undefined) return
  castVotes(feed().dataset.changes, [item], value)
  seeItem()
  if (link !== null && value !== '' && moveOnAfterVote()) moveBy(1, { toUnrated: true })
}

/** Saves the selected papers; without a selection, the current one. */
function save (isSaved) {
  const rows = selectedRows()
  const items = rows.length > 0 ? rows.map(row => row.dataset.item) : [shownItem()].filter(Boolean)
  if (items.length > 0) saveItems(feed().dataset.changes, items, isSaved)
  if (rows.length > 0) clearSelection()
}

/** Moves the focus to a field of the shown paper. */
function write (selector) {
  const isForSelection = selectedRows().length > 0 && selector === '.tag-field'
  const field = isForSelection ? document.getElementById('selection-tag') : details().querySelector(selector)
  field?.focus()
}

/** The head of the current row's day. */
const currentDay = () => {
  const head = currentLink()?.closest('.rows').previousElementSibling
  return head?.matches('.day') === true ? head : undefined
}

const press = key => feed().querySelector(`[data-key="${key}"]`)?.click()

/** The actions, by key. */
export const actions = {
  j: () => { moveBy(1) },
  k: () => { moveBy(-1) },
  u: () => vote('upvote'),
  f: () => vote('star'),
  s: () => save(true),
  S: () => save(false),
  t: () => write('.tag-field'),
  n: () => write('.note-form textarea'),
  e: () => currentDay()?.querySelector('.skip-day button:not([hidden])')?.click(),
  d: () => vote('not_relevant'),
  l: () => vote('low_quality'),
  c: () => vote(''),
  z: () => undoLast(),
  x: () => toggleSelection(),
  A: () => selectAll(),
  selecting: () => setSelecting(!isSelecting()),
  Escape: () => clearSelection(),
  o: () => press('o'),
  T: () => press('T'),
  '/': () => { const field = document.getElementById('q'); field.focus(); field.select() },
  '?': showHelp
}
