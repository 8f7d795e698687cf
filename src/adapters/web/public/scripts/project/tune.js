/* Tune: opens over the paper instead of on a page of its own. */
/* global htmx */
import { setOwn } from '../outbox/states.js'
import { isPlainClick } from '../page/clicks.js'
import { showState } from '../paint/states.js'

/** The page, or why there is none. */
const shownInDialog = '.tune, .narrow > .lead'

/** Opens the page that tunes a feed in a dialog. Its forms stay there. */
async function openTune (href) {
  const dialog = document.getElementById('tune')
  const body = dialog.querySelector('.tune-body')
  body.textContent = 'Loading…'
  dialog.showModal()
  // Rejected without a connection; then the dialog stays empty.
  await htmx.ajax('GET', href, { target: body, select: shownInDialog, swap: 'innerHTML' }).catch(() => {})
  if (body.childElementCount === 0) body.textContent = 'This could not be loaded. Check your connection and try again.'
}

/** Opens links to Tune in a dialog. */
export function startTune () {
  document.addEventListener('click', event => {
    const link = event.target.closest('a[data-tune]')
    if (link === null || !isPlainClick(event)) return
    event.preventDefault()
    openTune(link.href)
  })

  // A vote in the dialog is shown in the list and in the forms of the paper, too.
  let votedBefore
  document.addEventListener('htmx:beforeSwap', ({ detail: { target } }) => {
    if (target.matches('.tune-body')) votedBefore = target.querySelector('.tune')?.dataset.voted
  })
  document.addEventListener('htmx:afterSwap', ({ detail: { target } }) => {
    const tune = target.matches('.tune-body') ? target.querySelector('.tune') : null
    if (tune === null) return
    target.closest('dialog').scrollTop = 0
    // The pressed button no longer exists. What it led to comes next, or else the title.
    const next = ['[data-refusal]', '.tune-done', '.tune-preview:not(:empty)', 'h1'].map(part => tune.querySelector(part)).find(Boolean)
    if (next !== undefined) {
      next.tabIndex = -1
      next.focus({ preventScroll: true })
      next.scrollIntoView({ block: 'nearest' })
    }
    const { voted, item } = tune.dataset
    // A paper that left the feed has no vote.
    if (votedBefore === undefined || voted === undefined || votedBefore === voted) return
    showState(item, 'vote', voted)
    setOwn(item, 'vote', voted)
  })
}
