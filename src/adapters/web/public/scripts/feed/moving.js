/* Moves through a list from paper to paper, over several pages. */
import { undoLast } from '../changes/undo.js'
import { whileKeysWait } from '../keys.js'
import { withOutboxLock } from '../outbox/store.js'
import { narrow } from '../settings.js'
import { showToast } from '../toast.js'
import { openPaper } from './details.js'
import { announceEnd } from './end.js'
import { fetchList, loadEarlier, loadMore } from './paging.js'
import { currentLink, details, isUnrated, itemOf, rowLinks } from './rows.js'

/** Pages to load for a paper or day that may be far down. */
const maxPagesAhead = 3

/** Whether the service lists unrated papers that are not listed here. */
async function hasMoreUnrated (nextPage) {
  const address = new URL(nextPage)
  const { searchParams } = address
  if (!['all', 'unrated', null].includes(searchParams.get('filter'))) return false
  searchParams.set('filter', 'unrated')
  for (const name of ['offset', 'as_of']) searchParams.delete(name)
  const list = await fetchList(address.href)
  if (list === null) return true
  // The votes of listed papers may not have arrived yet.
  const listed = new Set(rowLinks().map(itemOf))
  return [...list.querySelectorAll('.row')].some(row => !listed.has(row.dataset.item)) || list.querySelector('#next-page') !== null
}

/** Opens the paper that is some rows away, or the next unrated one beyond it, loading pages as needed. */
export async function moveBy (rows, { toUnrated = false } = {}) {
  const wanted = () => {
    const links = rowLinks()
    let at = links.indexOf(currentLink()) + rows
    if (toUnrated) while (links[at] !== undefined && !isUnrated(links[at].parentElement)) at += rows
    return links[at]
  }
  const link = wanted()
  if (link !== undefined) return moveTo(link)
  if (rows < 0) return await loadEarlier() ? await moveBy(rows, { toUnrated }) : undefined
  if (document.getElementById('next-page') === null) return await announceEnd()
  await whileKeysWait(async () => {
    const nextPage = () => document.getElementById('next-page')
    try {
      for (let page = 0; wanted() === undefined && nextPage() !== null; page++) {
        if (toUnrated && page === 1 && !await hasMoreUnrated(nextPage().href)) break
        if (toUnrated && page === maxPagesAhead) {
          showToast('The next unrated paper is further down. Select Unrated to continue.', undoLast)
          return false
        }
        if (!await loadMore()) throw new Error('no page')
      }
    } catch {
      showToast('The next papers could not be loaded. Try again in a moment.')
      return false
    }
    const next = wanted()
    if (next === undefined) {
      announceEnd()
      return false
    }
    moveTo(next)
  })
}

function moveTo (link) {
  openPaper(link)
  if (!narrow.matches) link.focus({ preventScroll: true })
  // Keeps the next rows in view.
  const list = link.closest('.list')
  const [row, area] = [link.getBoundingClientRect(), list.getBoundingClientRect()]
  const margin = Math.min(140, area.height / 4)
  if (row.bottom > area.bottom - margin) list.scrollTop += row.bottom - area.bottom + margin
  else if (row.top < area.top + margin) list.scrollTop += row.top - area.top - margin
}

/** The part of the page that scrolls with the list. */
const scrolledPart = () => narrow.matches ? document.scrollingElement : document.getElementById('list')

/** Moves on after a day was skipped or a paper was read, and back after a change was undone. */
export function startMoving () {
  /** The current item when the last day was skipped, and where the list was. */
  let skipped

  // The first paper of the next day.
  document.addEventListener('litfeed:skipped', async ({ detail: day }) => {
    const from = currentLink()
    skipped = { item: from === null ? undefined : itemOf(from), top: scrolledPart().scrollTop }
    // While pages are loaded, the reader may move on, or undo.
    const isWanted = () => currentLink() === from && day.querySelector('.skip-day button').hidden
    const next = () => day.nextElementSibling.nextElementSibling?.nextElementSibling?.querySelector('.row > a') ?? null
    // Rows of further pages are rendered as seen.
    if (next() === null) await withOutboxLock(async () => {})
    for (let page = 0; next() === null && document.getElementById('next-page') !== null; page++) {
      if (page === maxPagesAhead) return showToast('Skipped the rest of this day. Select Unseen to continue.', undoLast)
      if (!await loadMore()) break
    }
    if (!isWanted()) return
    const link = next()
    if (link !== null && !narrow.matches) moveTo(link)
    else link?.scrollIntoView({ block: 'center' })
  })

  document.addEventListener('litfeed:read', ({ detail }) => {
    const link = document.querySelector(`[data-rows] [data-item="${detail}"] > a`)
    if (link !== null && link !== currentLink()) moveTo(link)
  })

  document.addEventListener('litfeed:undone', ({ detail }) => {
    const showsPaper = details()?.dataset.chosen !== undefined
    const link = document.querySelector(`[data-rows] [data-item="${detail}"] > a`)
    // On a small screen, the list stays: its selection was voted on.
    if ((!narrow.matches || showsPaper) && link !== null && link !== currentLink()) moveTo(link)
    if ((!narrow.matches || !showsPaper) && skipped !== undefined && detail === skipped.item) scrolledPart().scrollTop = skipped.top
  })
}
