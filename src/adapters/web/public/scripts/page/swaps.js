/* Requests of htmx without an answer, and answers that lack the part of the page that they would replace. */
import { isOfOther, sessionEnded, signInLink } from '../session.js'
import { messages, showToast } from '../toast.js'
import { announceStatuses, readStatuses } from './announcements.js'

/** Shows why a request changed nothing, and tells the part of the page that sent it. */
function fail (elt, message) {
  const dialog = elt.closest('dialog[open]')
  if (dialog === null) showToast(message)
  else showInDialog(dialog, message)
  elt.dispatchEvent(new CustomEvent('swap-failed', { bubbles: true, detail: message }))
}

/** Nothing outside a modal dialog can be read. */
function showInDialog (dialog, message) {
  dialog.querySelector('.failure')?.remove()
  const notice = Object.assign(document.createElement('div'), { className: 'notice bad failure', role: 'alert', textContent: message })
  dialog.prepend(notice)
  notice.scrollIntoView({ block: 'nearest' })
}

const isPoll = elt => /^every /.test(elt.getAttribute('hx-trigger'))

/** Whether a poll has met the end of the session: none is sent again. */
let hasEnded = false

/** Says so as long as the page is shown. */
function reportEnd () {
  hasEnded = true
  const report = Object.assign(document.createElement('p'), { className: 'unsent', role: 'alert', textContent: 'Your session has ended. ' })
  report.append(signInLink())
  messages().prepend(report)
}

/** The opened details of a part that refreshes itself, which stay open. Those without an id close. */
let opened = []
/** What the statuses of such a part said. */
let said = []

/** Shows a message in place of the answer of a proxy, or of one after the end of the session, and if there is none. */
export function startSwaps () {
  document.addEventListener('htmx:beforeRequest', event => {
    if (hasEnded && isPoll(event.detail.elt)) return event.preventDefault()
    document.querySelector('.failure')?.remove()
  })
  document.addEventListener('htmx:sendError', ({ detail: { requestConfig: { elt } } }) => {
    // The next poll may get an answer.
    if (!isPoll(elt)) fail(elt, 'There was no answer. Check your connection, and try again.')
  })
  document.addEventListener('htmx:beforeSwap', event => {
    const { requestConfig: { elt }, serverResponse, target } = event.detail
    // A part that refreshes itself waits while its reader confirms something in it.
    const focused = document.activeElement.closest('details:has(form)')
    if (isPoll(elt) && (target.contains(focused) || target.querySelector('details[open] form') !== null)) return event.preventDefault()
    opened = isPoll(elt) ? [...target.querySelectorAll('details[open][id]')].map(({ id }) => id) : []
    said = isPoll(elt) ? readStatuses(target) : []
    const select = event.detail.select ?? elt.closest('[hx-select]')?.getAttribute('hx-select')
    if (select === undefined) return
    const page = new DOMParser().parseFromString(serverResponse, 'text/html')
    const isForeign = isOfOther(page)
    if (!isForeign && page.querySelector(select.replace(/ > \*$/, '')) !== null) return
    const whole = elt.dataset.swappedAtEnd
    if (!isForeign && whole !== undefined && page.querySelector(whole) !== null) {
      Object.assign(event.detail, { target: document.querySelector(whole), selectOverride: whole, swapOverride: 'outerHTML' })
      return
    }
    event.preventDefault()
    if (!isPoll(elt)) {
      const reason = page.querySelector('.lead')?.textContent ?? 'This could not be loaded. Try again in a moment.'
      fail(elt, isForeign ? sessionEnded : reason)
    } else if (isForeign && !hasEnded) reportEnd()
  })
  document.addEventListener('htmx:afterSwap', ({ target, detail: { requestConfig } }) => {
    for (const id of opened.splice(0)) document.getElementById(id)?.setAttribute('open', '')
    if (isPoll(requestConfig.elt)) announceStatuses(target, said)
  })
}
