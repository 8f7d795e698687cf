/* The page of a feed: moves and votes by keyboard, bottom bar and swipe, and opens papers by click and history. */
import { startHelp } from '../help.js'
import { listenForKeys } from '../keys.js'
import { announce } from '../page/announcements.js'
import { isPlainClick } from '../page/clicks.js'
import { setBarItem } from '../paint/bar.js'
import { paintCount } from '../paint/count.js'
import { narrow } from '../settings.js'
import { actions } from './actions.js'
import { addressHere, addressShown, namesPaper, queryHere, queryShown, setAddress, setAddressShown, setQueryShown } from './address.js'
import { loadAhead, loadAheadLater, openPaper, seeItemLater, showList, showRow } from './details.js'
import { loadEarlier, loadOnScroll } from './paging.js'
import { currentLink, details, feed, itemOf, rowLinks, setCurrent } from './rows.js'
import { isSelecting, paintSelection, selectedRows, selectRows, selectTo } from './selection.js'

/** Opens or selects papers by click. */
function listenForClicks () {
  document.addEventListener('click', event => {
    const { target } = event
    const chosen = target.closest('[data-rows] .row > a')
    if (chosen !== null && event.shiftKey && event.button === 0) {
      event.preventDefault()
      return selectTo(chosen)
    }
    if (!isPlainClick(event)) return
    if (target.closest('#earlier-page') !== null) {
      event.preventDefault()
      return loadEarlier()
    }
    const link = target.closest('[data-rows] .row > a')
    if (link !== null) {
      event.preventDefault()
      if (isSelecting()) return selectRows([link.parentElement], !link.parentElement.hasAttribute('data-selected'))
      openPaper(link, { isClicked: true })
      if (narrow.matches) details().focus({ preventScroll: true })
      // Enter, or a screen reader: the focus stays in the list, where keys go on.
      else if (event.detail === 0) announce(`Opened: ${link.querySelector('.row-title').textContent}`)
      return
    }
    const back = target.closest('.details .back')
    if (back !== null) {
      event.preventDefault()
      if (history.state?.isFromList === true) return history.back()
      setAddress(back.href, { method: 'pushState' })
      showList()
    }
  })
}

/** Follows the history of the browser, to which htmx adds searches and filters. */
function followHistory () {
  setAddressShown()
  setQueryShown()
  addEventListener('popstate', ({ state }) => {
    // A link to a place in the page.
    if (addressHere() === addressShown) return
    setAddressShown()
    const link = rowLinks().find(({ href }) => href === addressShown)
    if (link !== undefined) showRow(link)
    else if (namesPaper() || queryHere() !== queryShown) location.reload()
    else showList(state?.shown)
  })
  document.addEventListener('htmx:replacedInHistory', () => {
    setAddress(location.href)
    setQueryShown()
  })
}

/** Prepares a list or paper that htmx has replaced. */
function listenForSwaps () {
  document.addEventListener('htmx:afterSettle', ({ detail: { elt } }) => {
    if (elt.id === 'details' || elt.id === 'list') {
      const { item } = details().dataset
      setCurrent(rowLinks().find(link => itemOf(link) === item))
      paintSelection()
      seeItemLater()
      loadAhead()
    }
  })
}

/** Whether a key leaves the search field for the list: Escape once it is empty, and Enter once the results are listed. */
const leavesSearch = ({ key, target: { value } }) => key === 'Escape'
  ? value === ''
  : key === 'Enter' && value !== '' && currentLink() !== null && new URLSearchParams(queryHere()).get('q') === value

/** Starts the feed, if the page has one. The page of a paper has the same fields, which Escape leaves. */
export function startFeed () {
  document.addEventListener('keydown', event => {
    // The key ends the composition of a word by an input method.
    if (event.isComposing) return
    const field = event.target
    const isLeft = field.id === 'q'
      ? leavesSearch(event)
      : event.key === 'Escape' && field.matches('.tag-field, .note-form textarea, #selection-tag')
    if (!isLeft) return
    event.preventDefault()
    field.blur()
    currentLink()?.focus({ preventScroll: true })
  })

  if (feed() === null) return
  startHelp()
  listenForKeys(actions, {
    swiped: '.details',
    isMeant: event => feed() !== null &&
      (event.key !== 'Escape' || (!event.defaultPrevented && (isSelecting() || selectedRows().length > 0)))
  })
  listenForClicks()
  followHistory()
  listenForSwaps()
  loadOnScroll()

  setBarItem(details().dataset.item)
  // The list may be of a moment before the latest votes.
  paintCount()
  // The list is a part that scrolls by itself, whose place the browser does not restore.
  if (!narrow.matches) currentLink()?.parentElement.scrollIntoView({ block: 'nearest' })
  loadAheadLater(300)
  seeItemLater()
  document.addEventListener('focusout', ({ target }) => { if (target.id === 'q' && feed() !== null) seeItemLater() })
  document.addEventListener('visibilitychange', () => { if (!document.hidden && feed() !== null) seeItemLater() })
}
