/* A feed that fills: repeats the progress of its first fetch, and the list, until every source has answered. */
import { ownStates } from '../outbox/states.js'
import { fetchPage } from '../page/fetched.js'
import { paintOwnStates } from '../paint/states.js'
import { loadAhead } from './details.js'
import { currentLink, details, feed, itemOf, rowLinks, setCurrent } from './rows.js'
import { selectedRows } from './selection.js'

const progressDelayMs = 1500

const progressOf = page => page.getElementById('progress')

/** Whether the list has the papers of the last answer. */
let isFilled = true

/** Replaces the list, unless its reader has moved on in it. @returns false if it must be tried again later */
function fillList (page) {
  const [shown, next] = [document.getElementById('list'), page.getElementById('list')]
  // A search that is under way replaces the list that it began with.
  if (selectedRows().length > 0 || document.querySelector('#searching.htmx-request') !== null) return false
  if (next === null || /[?&]offset=/.test(location.search)) return true
  // Further pages have been added to it.
  if (rowLinks().length > next.querySelectorAll('[data-rows] .row').length) return true
  const { scrollTop } = shown
  const item = currentLink() === null ? undefined : itemOf(currentLink())
  const hadFocus = shown.contains(document.activeElement)
  const list = document.importNode(next, true)
  shown.replaceWith(list)
  list.scrollTop = scrollTop
  document.getElementById('count').replaceWith(document.importNode(page.getElementById('count'), true))
  if (details().dataset.item === undefined) details().replaceWith(document.importNode(page.getElementById('details'), true))
  const wanted = item ?? details().dataset.item
  setCurrent(rowLinks().find(link => itemOf(link) === wanted))
  if (hadFocus) currentLink()?.focus({ preventScroll: true })
  paintOwnStates()
  loadAhead()
  return true
}

/** Address of the list with what is new, without its open paper. Once the reader has opened or rated one, no paper leaves the list. */
function listedAddress () {
  const address = new URL(location.href)
  address.searchParams.delete('item')
  if (ownStates.size === 0 && details().dataset.item === undefined) address.searchParams.delete('as_of')
  return address.href
}

async function updateProgress () {
  const shown = progressOf(document)
  if (shown === null) return
  const isDone = shown.dataset.state !== 'fetching'
  if (isDone && isFilled) return
  setTimeout(updateProgress, progressDelayMs)
  // The page of a search has no progress.
  if (document.hidden || /[?&]q=[^&]/.test(location.search) || (isDone && selectedRows().length > 0)) return
  try {
    const address = listedAddress()
    const { answer, page } = await fetchPage(address)
    // The reader has searched meanwhile.
    if (!answer.ok || listedAddress() !== address) return
    const next = progressOf(page)
    if (next === null) {
      if (isFilled || fillList(page)) shown.remove()
      return
    }
    // At the end, an empty list says why it is.
    if (next.dataset.papers !== shown.dataset.papers || next.dataset.state !== shown.dataset.state) isFilled = false
    Object.assign(shown.dataset, next.dataset)
    // Screen readers announce what changes.
    const [before, after] = [shown, next].map(each => each.querySelector('[role=status]'))
    if (before.textContent !== after.textContent) before.textContent = after.textContent
    const [lines, nextLines] = [shown, next].map(each => each.querySelector('.progress-sources'))
    if (lines.innerHTML !== nextLines.innerHTML) {
      lines.replaceChildren(...[...nextLines.children].map(line => document.importNode(line, true)))
    }
    const last = next.querySelectorAll(':scope > .quiet-text')
    if (shown.querySelector(':scope > .quiet-text') === null) shown.append(...[...last].map(each => document.importNode(each, true)))
    if (!isFilled) isFilled = fillList(page)
  } catch {}
}

/** Shows the papers of an import that has ended, once the list may change. @param tries how often at most */
async function showImported (tries = 20) {
  try {
    const address = listedAddress()
    const { answer, page } = await fetchPage(address)
    if (!answer.ok || listedAddress() !== address || fillList(page)) return
  } catch {}
  if (tries > 1) setTimeout(() => showImported(tries - 1), progressDelayMs)
}

/** Follows the first fetch and imports, if the page has a feed. */
export function startProgress () {
  if (feed() === null) return
  setTimeout(updateProgress, progressDelayMs)
  // A running import asks for itself again.
  document.addEventListener('htmx:load', ({ detail: { elt } }) => {
    if (elt.id === 'import-state' && !elt.hasAttribute('hx-get')) showImported()
  })
}
