/* The page of a paper: votes, and the papers before and after it in the list that the reader came from, without a reload. */
/* global htmx */
import { markSeen, openUnseen, saveItems } from '../changes/marks.js'
import { undoable, undoLast } from '../changes/undo.js'
import { castVotes } from '../changes/votes.js'
import { showHelp, showHelpButtons, startHelp } from '../help.js'
import { listenForKeys, whileKeysWait } from '../keys.js'
import { changesAddress } from '../outbox/sending.js'
import { reportUnsent } from '../outbox/unsent.js'
import { isPlainClick } from '../page/clicks.js'
import { showCopyButtons } from '../page/copy-buttons.js'
import { notFound, pageParts } from '../page/fetched.js'
import { makeFormulasFocusable } from '../page/formulas.js'
import { setBarItem } from '../paint/bar.js'
import { paintOwnStates } from '../paint/states.js'
import { moveOnAfterVote } from '../settings.js'
import { showToast } from '../toast.js'
import { rememberedItems, rememberList } from './remembered-list.js'

const steps = () => document.getElementById('paper-steps')
const stepLink = by => steps().querySelector(by < 0 ? '[rel=prev]' : '[rel=next]')

/** The page of another item of the same list. */
function addressOfItem (item) {
  const address = new URL(item, location.href)
  address.search = location.search
  address.searchParams.set('item', item)
  return address.href
}

/** Items whose papers have left the feed since the list was shown. */
const leftItems = new Set()

/** Adds neighbors when fewer items than this remain on a side. */
const minKnownNeighbors = 10

/** Points the links at the list as shown, and extends it with the service's neighbors. */
function followList () {
  const { item, previous, next } = steps().dataset
  const remembered = rememberedItems().filter(each => !leftItems.has(each))
  const items = remembered.includes(item) ? remembered : [item]
  const known = new Set([...items, ...leftItems])
  const added = text => text.split(' ').filter(each => each !== '' && !known.has(each))
  const at = items.indexOf(item)
  if (items.length - at <= minKnownNeighbors) items.push(...added(next))
  if (at < minKnownNeighbors) items.unshift(...added(previous).reverse())
  rememberList(location.href, items, item)
  for (const by of [-1, 1]) {
    const other = items[items.indexOf(item) + by]
    if (other !== undefined) stepLink(by).href = addressOfItem(other)
    else stepLink(by).removeAttribute('href')
  }
}

/** Pages of papers, whole. */
const papers = pageParts({ max: 20, partOf: page => page.getElementById('paper-steps') === null ? undefined : page })

/** The address of the shown paper, without a place in its text, and of the one that was asked for last. */
let shownAddress
let wantedAddress

/** Papers that a step skips at most: each is a request. */
const maxSkipped = 5

/** Leaves a paper that has left the feed out of the list, and goes on beyond it. @param skipped how many papers the step has skipped */
async function stepBeyond (href, by, skipped) {
  leftItems.add(new URL(href).searchParams.get('item'))
  followList()
  wantedAddress = shownAddress
  document.getElementById('content').ariaBusy = null
  showToast('Skipped a paper that left the feed', undoable.length > 0 ? undoLast : undefined)
  await stepBy(by, skipped)
}

/**
 * Opens the page of another paper. Keys pressed until it is there are for that paper. It takes the place of the former one in the history:
 * back leads to the list.
 * @param by -1 or 1 for a step to a neighbor, which goes on if its paper has left the feed
 * @param skipped how many papers the step has skipped
 */
async function showPaper (href, by, skipped = 0) {
  wantedAddress = href
  document.getElementById('content').ariaBusy = 'true'
  await whileKeysWait(async () => {
    let page
    try {
      page = await papers.fetch(href)
      if (wantedAddress !== href) return wantedAddress !== shownAddress
    } catch ({ message }) {
      if (wantedAddress !== href) return wantedAddress !== shownAddress
      if (message === notFound && by !== undefined && skipped < maxSkipped) {
        await stepBeyond(href, by, skipped + 1)
        // Keys were for the paper that is gone.
        return false
      }
      // The browser, or the worker that has saved papers, says what is wrong.
      document.getElementById('content').ariaBusy = null
      location.href === href ? location.reload() : location.assign(href)
      return false
    }
    const content = document.importNode(page.getElementById('content'), true)
    // Messages stay, with their undo.
    content.querySelector('.messages').replaceWith(document.querySelector('.messages'))
    document.getElementById('content').replaceWith(content)
    document.title = page.title
    if (location.href !== href) history.replaceState(history.state, '', href)
    scrollTo(0, 0)
    content.focus({ preventScroll: true })
    htmx.process(content)
    showCopyButtons(content)
    makeFormulasFocusable()
    paintOwnStates()
    reportUnsent()
    preparePaper()
    const next = stepLink(1)
    if (next.href !== '') papers.fetch(next.href)
  })
}

/** The form of a kind for the feed whose list is followed, if several feeds have the paper. */
const formOf = kind => document.querySelector(`.paper-marks .${kind}[data-item="${steps().dataset.item}"]`)

/** Prepares the shown paper. */
function preparePaper () {
  shownAddress = location.href.split('#', 1)[0]
  followList()
  showHelpButtons()
  setBarItem(steps().dataset.item)
  openUnseen(steps().dataset.item)
  seePaper()
}

function seePaper () {
  if (document.hidden) return
  for (const form of document.querySelectorAll('.paper-marks .marks')) markSeen(changesAddress(form), form.dataset.item)
}

function stepBy (by, skipped) {
  const { href } = stepLink(by)
  if (href !== '') return showPaper(href, by, skipped)
  showToast(by < 0 ? 'Start of the list' : 'End of the list', undoable.length > 0 ? undoLast : undefined)
}

function votePaper (vote) {
  const form = formOf('vote')
  castVotes(changesAddress(form), [form.dataset.item], vote)
  if (vote !== '' && moveOnAfterVote() && stepLink(1).href !== '') stepBy(1)
}

function savePaper (isSaved) {
  const form = formOf('marks')
  saveItems(changesAddress(form), [form.dataset.item], isSaved)
}

/** Moves the focus to a field of a form, which may be folded away. Escape leads back to where one was reading. */
function writeInto (kind, selector) {
  const field = formOf(kind).querySelector(selector)
  const [{ scrollX, scrollY }, { activeElement }] = [window, document]
  field.onkeydown = ({ key, isComposing }) => {
    if (key !== 'Escape' || isComposing) return
    // After the field has been left.
    requestAnimationFrame(() => {
      activeElement.focus({ preventScroll: true })
      scrollTo(scrollX, scrollY)
    })
  }
  field.closest('details').open = true
  field.focus()
}

/** Starts the page of a paper, if this is one. */
export function startPaper () {
  if (steps() === null) return
  preparePaper()
  startHelp()
  document.addEventListener('visibilitychange', seePaper)
  listenForKeys({
    j: () => stepBy(1),
    k: () => stepBy(-1),
    u: () => votePaper('upvote'),
    f: () => votePaper('star'),
    d: () => votePaper('not_relevant'),
    l: () => votePaper('low_quality'),
    c: () => votePaper(''),
    s: () => savePaper(true),
    S: () => savePaper(false),
    t: () => writeInto('tags', '.tag-field'),
    n: () => writeInto('note-form', 'textarea'),
    T: () => document.querySelector(`.paper-marks [data-tune="${steps().dataset.item}"]`)?.click(),
    z: () => undoLast(),
    '?': showHelp
  }, { swiped: '.paper' })
  document.addEventListener('click', event => {
    const link = event.target.closest('#paper-steps a[href]')
    if (link === null || !isPlainClick(event)) return
    event.preventDefault()
    showPaper(link.href, link.rel === 'prev' ? -1 : 1)
  })
  addEventListener('popstate', () => {
    const here = location.href.split('#', 1)[0]
    if (here !== shownAddress) return showPaper(location.href)
    // Another paper that is still on its way is not wanted any more.
    wantedAddress = here
    document.getElementById('content').ariaBusy = null
  })
  document.addEventListener('litfeed:undone', ({ detail: item }) => {
    // Each feed that has the paper shows its state.
    if (document.querySelector(`.paper-marks [data-item="${item}"]`) === null) showPaper(addressOfItem(item))
  })
}
