/* What the keys of a feed do. The buttons of its bars press the same keys. */
import { saveItems } from '../changes/marks.js'
import { undoLast } from '../changes/undo.js'
import { castVotes } from '../changes/votes.js'
import { showHelp } from '../help.js'
import { moveOnAfterVote } from '../settings.js'
import { openPaper, seeItem } from './details.js'
import { moveBy } from './moving.js'
import { currentLink, details, feed, focusedLink, isPaperHidden, itemOf, meantLink } from './rows.js'
import { clearSelection, isSelecting, selectAll, selectedRows, setSelecting, toggleSelection } from './selection.js'

/** The item of the current row. A paper that is opened by its address may not be among the rows. */
function shownItem () {
  const link = currentLink()
  return link === null ? details().dataset.item : itemOf(link)
}

/** Opens the paper of the row that a key is for. */
function openMeant () {
  const link = meantLink()
  if (link !== null) openPaper(link)
}

/** The item that a key is for. While the list alone is shown, the row must have the focus: else the key only opens the current paper. */
function meantItem () {
  if (!isPaperHidden()) return shownItem()
  const link = focusedLink()
  if (link !== null) return itemOf(link)
  openMeant()
}

/** Moves on to another paper. The one that the list hides comes first, unless its reader has come back from it. */
function step (rows) {
  const isFirst = isPaperHidden() && (focusedLink() !== null || details().dataset.left === undefined)
  return isFirst ? openMeant() : moveBy(rows)
}

/** Votes on the selected papers; without a selection, on the current paper, and opens the next unrated one. */
function vote (value) {
  const rows = selectedRows()
  if (rows.length > 0) {
    castVotes(feed().dataset.changes, rows.map(row => row.dataset.item), value)
    return clearSelection()
  }
  const item = meantItem()
  if (item === undefined) return
  castVotes(feed().dataset.changes, [item], value)
  // The list stays.
  if (isPaperHidden()) return
  seeItem()
  if (currentLink() !== null && value !== '' && moveOnAfterVote()) moveBy(1, { toUnrated: true })
}

/** Saves the selected papers; without a selection, the current one. */
function save (isSaved) {
  const rows = selectedRows()
  const items = rows.length > 0 ? rows.map(row => row.dataset.item) : [meantItem()].filter(Boolean)
  if (items.length > 0) saveItems(feed().dataset.changes, items, isSaved)
  if (rows.length > 0) clearSelection()
}

/** Moves the focus to a field of the shown paper. */
function write (selector) {
  if (selectedRows().length > 0 && selector === '.tag-field') return document.getElementById('selection-tag').focus()
  inPaper(selector, field => field.focus())
}

/** Does something with a part of the shown paper. While the list alone is shown, the paper is only opened. */
function inPaper (selector, act) {
  if (isPaperHidden()) return openMeant()
  const part = details().querySelector(selector)
  if (part !== null) act(part)
}

/** The head of the day that a key is for. */
const currentDay = () => {
  const head = meantLink()?.closest('.rows').previousElementSibling
  return head?.matches('.day') === true ? head : undefined
}

const press = key => inPaper(`[data-key="${key}"]`, link => link.click())

/** The actions, by key. */
export const actions = {
  j: () => { step(1) },
  k: () => { step(-1) },
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
