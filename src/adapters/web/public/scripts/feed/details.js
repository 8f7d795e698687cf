/* Opens papers beside the list. Those next to the current one are fetched ahead. */
import { markSeen, openUnseen } from '../changes/marks.js'
import { announce } from '../page/announcements.js'
import { pageParts } from '../page/fetched.js'
import { makeFormulasFocusable } from '../page/formulas.js'
import { paintOwnStates } from '../paint/states.js'
import { sessionEnded } from '../session.js'
import { narrow } from '../settings.js'
import { namesPaper, setPaperAddress } from './address.js'
import { loadMore } from './paging.js'
import { currentLink, details, feed, isPaperHidden, itemOf, rowLinks, setCurrent } from './rows.js'

/** Moving on within this time opens no paper that is not there yet. */
const settleMs = 60
/** Papers as they are shown beside the list. */
const papers = pageParts({ max: 80, partOf: page => page.getElementById('details') })
/** The page that has the paper of a row alone, without the list. */
const aloneAddress = href => `${href}&alone=true`

let settleTimer
let aheadTimer

/** Opens the paper of a row, under its address. @param isClicked whether no other paper follows at once, as with a key held down */
export function openPaper (link, { isClicked = false } = {}) {
  setPaperAddress(link.href, details().dataset.item)
  showRow(link, isClicked ? 0 : settleMs)
}

/** Shows the paper of a row: at once if it is there, else its title until it comes. */
export function showRow (link, delayMs = settleMs) {
  setCurrent(link)
  openUnseen(itemOf(link))
  // It counts as seen once its text is there.
  clearTimeout(seeTimer)
  const { href } = link
  clearTimeout(settleTimer)
  const node = papers.fetched(aloneAddress(href))
  if (node !== undefined) showPaper(node)
  else {
    showTitle(link)
    settleTimer = setTimeout(async () => {
      try {
        const loaded = await papers.fetch(aloneAddress(href))
        if (currentLink()?.href === href) showPaper(loaded)
      } catch ({ message }) {
        const reason = message === sessionEnded ? message : 'This paper could not be loaded. Check your connection and select it again.'
        if (currentLink()?.href !== href) return
        showTitle(link, reason)
        announce(reason)
      }
    }, delayMs)
  }
  loadAheadLater(settleMs)
}

/** Fetches the papers around the current one, and the next page near its end. */
export function loadAhead () {
  const links = rowLinks()
  const at = links.indexOf(currentLink())
  const near = [links[at + 1], links[at + 2], links[at + 3], links[at - 1]].filter(link => link !== undefined)
  for (const { href } of near) papers.fetch(aloneAddress(href))
  if (links.length - at < 25) loadMore()
}

/** Fetches ahead after a while; from the last call, if there are several. */
export function loadAheadLater (delayMs) {
  clearTimeout(aheadTimer)
  aheadTimer = setTimeout(loadAhead, delayMs)
}

function replaceDetails (next) {
  const before = details()
  const hadFocus = before.contains(document.activeElement)
  before.replaceWith(next)
  if (hadFocus) next.focus({ preventScroll: true })
}

function showPaper (node) {
  const { scrollX, scrollY } = window
  const shown = document.importNode(node, true)
  shown.toggleAttribute('data-chosen', namesPaper())
  replaceDetails(shown)
  if (narrow.matches) { scrollTo(0, 0) } else scrollTo(scrollX, scrollY)
  // The rows have their states already.
  paintOwnStates([node.dataset.item])
  makeFormulasFocusable()
  seeItem()
}

let seeTimer
/** Papers that are shown without having been chosen count as seen after this time. */
const seeAfterMs = 1000

/** Marks the shown paper as seen. */
export function seeItem () {
  clearTimeout(seeTimer)
  const { item } = details().dataset
  if (item !== undefined && !document.hidden && !isPaperHidden()) markSeen(feed().dataset.changes, item)
}

/** While somebody types a search, its results change by themselves. */
const isTyping = () => document.activeElement?.id === 'q'

/** Marks the shown paper as seen after a while, if it is shown until then. */
export function seeItemLater () {
  clearTimeout(seeTimer)
  seeTimer = setTimeout(() => { if (!isTyping()) seeItem() }, details().dataset.chosen === undefined ? seeAfterMs : 0)
}

/** Stands for a paper that has not come yet. @param text below its title: why it does not come */
function showTitle (link, text = 'Loading…') {
  const section = details().cloneNode(false)
  section.dataset.item = itemOf(link)
  section.toggleAttribute('data-chosen', namesPaper())
  const article = Object.assign(document.createElement('article'), { className: 'item' })
  const title = document.createElement('h2')
  title.append(...link.querySelector('.row-title').cloneNode(true).childNodes)
  title.dir = 'auto'
  // Above the title, as in the paper: the title stays where it is when the paper comes.
  const overline = Object.assign(document.createElement('p'), { className: 'overline' })
  overline.append(link.querySelector('.score').cloneNode(true))
  article.append(overline, title, Object.assign(document.createElement('p'), { className: 'imprint', textContent: text }))
  section.append(details().querySelector('.back'), article)
  replaceDetails(section)
}

/** Goes back to the list: on a small screen, to the row one came from; else to the paper that was beside it. @param shown its item */
export function showList (shown) {
  delete details().dataset.chosen
  details().dataset.left = ''
  const link = narrow.matches ? undefined : rowLinks().find(each => itemOf(each) === shown)
  if (link !== undefined && link !== currentLink()) showRow(link)
  scrollToCurrent()
  document.getElementById('list').focus({ preventScroll: true })
  // The browser may only now restore where the list was left.
  requestAnimationFrame(() => requestAnimationFrame(() => { if (details().dataset.chosen === undefined) scrollToCurrent() }))
}

const scrollToCurrent = () => currentLink()?.parentElement.scrollIntoView({ block: narrow.matches ? 'center' : 'nearest' })
