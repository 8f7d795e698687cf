/* The pages of a list follow each other without a reload. */
import { reportUnsent } from '../outbox/unsent.js'
import { fetchPage } from '../page/fetched.js'
import { paintOwnStates } from '../paint/states.js'
import { rowLinks } from './rows.js'

let loadingMore
/** Appends the next page to the list, once at a time. @returns whether there was one */
export const loadMore = () => { loadingMore ??= fetchMore().finally(() => { loadingMore = undefined }); return loadingMore }

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
      const next = document.getElementById('next-page')
      // A list that is hidden has no place.
      if (next === null || next.getClientRects().length === 0 || next.getBoundingClientRect().top > innerHeight + aheadPixels) return
      if (performance.now() - failedAt < retryMs) return
      if (!await loadMore()) failedAt = performance.now()
    })
  }, { capture: true, passive: true })
}

/** Fetches a page of a list. @returns its list; null if the answer has none */
export const fetchList = async href => (await fetchPage(href)).page.getElementById('list')

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
    } else if (container.lastElementChild?.matches('.rows') === true) container.lastElementChild.append(...copy.children)
    else if (copy.children.length > 0) container.append(copy)
  }
  // A day of which every paper is listed.
  for (const day of container.querySelectorAll('.day')) if (day.nextElementSibling?.matches('.rows') !== true) day.remove()
  return repeated
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
    const shown = document.querySelector('.pager [data-range]')
    shown.textContent = shown.textContent.replace(/^[\d,]+/, start)
    shown.dataset.range = start
    paintOwnStates()
    reportUnsent()
    return true
  } catch {
    return false
  }
}
