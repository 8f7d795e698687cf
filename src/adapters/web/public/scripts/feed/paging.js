/* The pages of a list follow each other without a reload. */
import { reportUnsent } from '../outbox/unsent.js'
import { fetchPage } from '../page/fetched.js'
import { paintOwnStates } from '../paint/states.js'
import { isOfOther } from '../session.js'
import { narrow } from '../settings.js'
import { rowLinks } from './rows.js'

let loadingMore, loadingEarlier
/** Appends the next page to the list, once at a time. @returns whether there was one */
export const loadMore = () => { loadingMore ??= fetchMore().finally(() => { loadingMore = undefined }); return loadingMore }

/** Puts the page before the list above it, once at a time; what is in view stays there. @returns whether there was one */
export const loadEarlier = () => { loadingEarlier ??= fetchEarlier().finally(() => { loadingEarlier = undefined }); return loadingEarlier }

/** The next page is fetched this far before the end of the list is in view; after a failure, not for a while. */
const [aheadPixels, retryMs] = [1500, 5000]
let failedAt = -Infinity
let isScrollDue = false

/** Appends pages as the reader scrolls towards the end, in the list or, on narrow screens, in the page. */
export function loadOnScroll () {
  document.addEventListener('scroll', () => {
    if (isScrollDue) return
    isScrollDue = true
    requestAnimationFrame(async () => {
      isScrollDue = false
      if (performance.now() - failedAt < retryMs) return
      const [next, earlier] = ['next-page', 'earlier-page'].map(id => document.getElementById(id))
      const loads = [
        ...(isInList(next) && next.getBoundingClientRect().top <= innerHeight + aheadPixels ? [loadMore] : []),
        ...(isInList(earlier) && earlier.getBoundingClientRect().bottom >= -aheadPixels ? [loadEarlier] : [])
      ]
      for (const load of loads) if (!await load()) failedAt = performance.now()
    })
  }, { capture: true, passive: true })
}

/** Whether a link of the list is there. A list that is hidden has no place. */
const isInList = link => link !== null && link.getClientRects().length > 0

/** Fetches a page of a list. @returns its list; null if the answer has none, or is for another account */
export async function fetchList (href) {
  const { page } = await fetchPage(href)
  return isOfOther(page) ? null : page.getElementById('list')
}

/** Adds rows to a day, or to a list without days. If some have not been seen, the rest of the day can be skipped. */
function addRows (day, rows) {
  day.append(...rows)
  const form = day.previousElementSibling?.querySelector('.skip-day')
  if (form != null && form.dataset.skipped === undefined && rows.some(({ dataset }) => dataset.seen === 'false')) {
    form.querySelector('button').hidden = false
  }
}

/** Appends the rows of a page that are not listed yet. @returns the number of those that are */
function appendRows (list) {
  const container = document.querySelector('[data-rows]')
  const listed = new Set([...container.querySelectorAll('.row')].map(row => row.dataset.item))
  let repeated = 0
  for (const part of list.querySelectorAll('[data-rows] > *')) {
    const copy = document.importNode(part, true)
    // A page without a chosen paper shows its first one.
    for (const link of copy.querySelectorAll('[aria-current]')) link.removeAttribute('aria-current')
    for (const row of copy.querySelectorAll('.row')) if (listed.has(row.dataset.item)) { row.remove(); repeated++ }
    const lastDay = [...container.querySelectorAll('.day')].at(-1)?.dataset.day
    // A day that goes on has its title already.
    if (part.dataset.day !== undefined) {
      if (part.dataset.day !== lastDay) container.append(copy)
    } else if (container.lastElementChild?.matches('.rows') === true) addRows(container.lastElementChild, [...copy.children])
    else if (copy.children.length > 0) container.append(copy)
  }
  // A day of which every paper is listed.
  for (const day of container.querySelectorAll('.day')) if (day.nextElementSibling?.matches('.rows') !== true) day.remove()
  return repeated
}

/** Puts the rows of a page above those that are listed, without those that are listed already. */
function prependRows (list) {
  const container = document.querySelector('[data-rows]')
  const listed = new Set([...container.querySelectorAll('.row')].map(row => row.dataset.item))
  const [first, copy] = [container.firstElementChild, document.importNode(list.querySelector('[data-rows]'), true)]
  for (const link of copy.querySelectorAll('[aria-current]')) link.removeAttribute('aria-current')
  for (const row of copy.querySelectorAll('.row')) if (listed.has(row.dataset.item)) row.remove()
  for (const rows of copy.querySelectorAll('.rows')) {
    if (rows.children.length > 0) continue
    if (rows.previousElementSibling?.matches('.day') === true) rows.previousElementSibling.remove()
    rows.remove()
  }
  const lastRows = [...copy.querySelectorAll('.rows')].at(-1)
  container.prepend(...copy.children)
  // The day, or the list without days, goes on in the rows that were there.
  const lastDay = lastRows?.previousElementSibling
  if (first.dataset.day !== undefined && lastDay?.dataset.day === first.dataset.day) {
    const rows = first.nextElementSibling
    first.remove()
    addRows(lastRows, [...rows.children])
    rows.remove()
  } else if (first.matches('.rows') && lastRows !== undefined) {
    addRows(lastRows, [...first.children])
    first.remove()
  }
}

/** Shows where the list begins, among the numbers of its papers. */
function showStart (start) {
  const range = document.querySelector('.pager [data-range]')
  range.textContent = range.textContent.replace(/^[\d,]+/, start)
  range.dataset.range = start
}

async function fetchEarlier () {
  const earlier = document.getElementById('earlier-page')
  if (earlier === null) return false
  try {
    const list = await fetchList(earlier.href)
    if (list?.querySelector('[data-rows]') == null || !earlier.isConnected) return false
    const [scrolled, row] = [narrow.matches ? document.scrollingElement : document.getElementById('list'), rowLinks()[0]]
    const before = row.getBoundingClientRect().top
    // Otherwise some browsers move the list by themselves, too.
    scrolled.style.overflowAnchor = 'none'
    prependRows(list)
    const pageBefore = list.querySelector('.earlier-page')
    const linkBefore = earlier.closest('.earlier-page')
    if (pageBefore === null) linkBefore.remove()
    else linkBefore.replaceWith(document.importNode(pageBefore, true))
    scrolled.scrollTop += row.getBoundingClientRect().top - before
    requestAnimationFrame(() => { scrolled.style.overflowAnchor = '' })
    const previousOfPage = list.querySelector('#previous-page')
    const place = previousOfPage === null ? document.createElement('span') : document.importNode(previousOfPage, true)
    document.getElementById('previous-page')?.replaceWith(place)
    showStart(list.querySelector('.pager [data-range]').dataset.range)
    paintOwnStates()
    reportUnsent()
    return true
  } catch {
    return false
  }
}

async function fetchMore () {
  const next = document.getElementById('next-page')
  if (next === null) return false
  try {
    const list = await fetchList(next.href)
    // A search or filter has replaced the list meanwhile.
    if (list === null || !next.isConnected) return false
    let repeated = appendRows(list)
    // Votes rescore a feed: as many papers as were repeated have moved to earlier pages.
    for (let page = list; repeated > 0;) {
      const previous = page.querySelector('#previous-page')
      if (previous === null) break
      page = await fetchList(previous.href)
      if (page === null || !next.isConnected) break
      const before = rowLinks().length
      appendRows(page)
      repeated -= rowLinks().length - before
    }
    const pager = list.querySelector('.pager')
    const range = next.parentElement.querySelector('[data-range]')
    const start = range.dataset.range
    next.closest('.pager').replaceWith(document.importNode(pager, true))
    showStart(start)
    paintOwnStates()
    reportUnsent()
    return true
  } catch {
    return false
  }
}
