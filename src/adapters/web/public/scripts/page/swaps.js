/* Answers to htmx that lack the part of the page that they would replace. */
import { isOfOther, sessionEnded } from '../session.js'
import { showToast } from '../toast.js'

/** Shows a message in place of the answer of a proxy, or of one after the end of the session. */
export function startSwaps () {
  document.addEventListener('htmx:beforeSwap', event => {
    const { requestConfig: { elt }, serverResponse, target } = event.detail
    const isPoll = /^every /.test(elt.getAttribute('hx-trigger'))
    // A part that refreshes itself waits while its reader confirms something in it.
    const focused = document.activeElement.closest('details')
    if (isPoll && (target.contains(focused) || target.querySelector('details[open] form') !== null)) return event.preventDefault()
    const select = event.detail.select ?? elt.closest('[hx-select]')?.getAttribute('hx-select')
    if (select === undefined) return
    const page = new DOMParser().parseFromString(serverResponse, 'text/html')
    const isForeign = isOfOther(page)
    if (!isForeign && page.querySelector(select.replace(/ > \*$/, '')) !== null) return
    event.preventDefault()
    // The next poll may get an answer.
    if (!isForeign && isPoll) return
    showToast(isForeign ? sessionEnded : page.querySelector('.lead')?.textContent ?? 'This could not be loaded. Try again in a moment.')
  })
}
