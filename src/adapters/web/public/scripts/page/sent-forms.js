/* Forms that lead to another page: sent once, not without a connection, and not in place of another form with unsaved entries. */
import { showToast } from '../toast.js'

/** A form without an answer for this time may be sent again, unless it uploads a file. */
const maxAnswerMs = 10_000
/** A service that takes longer to say that it is there may still accept a form. */
const maxCheckMs = 3000

/** Refuses to send a form twice or offline, and lets the browser ask before it leaves a page with a changed long form. */
export function startSentForms () {
  // The entries of a refused form are unsaved too.
  const changed = new Set(document.querySelectorAll('form.guided:has([data-refusal])'))
  const isUnsaved = () => [...changed].some(form => form.isConnected)
  const sentAt = new Map()
  const isUpload = form => form.enctype === 'multipart/form-data'
  const setBusy = (form, isBusy) => {
    form.ariaBusy = isBusy ? 'true' : null
    form.querySelector('.busy')?.classList.toggle('htmx-request', isBusy)
  }
  const release = () => {
    for (const form of sentAt.keys()) setBusy(form, false)
    sentAt.clear()
  }
  /** Forms that are sent next, since the service has just answered. */
  const reached = new Set()
  const sendIfReachable = async (form, submitter) => {
    if (form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    const isReachable = await isServiceReachable()
    form.ariaBusy = null
    if (isReachable) {
      reached.add(form)
      return form.requestSubmit(submitter)
    }
    showToast(navigator.onLine
      ? 'The service does not answer. Nothing was sent: try again in a moment.'
      : 'You are offline. Nothing was sent: try again when you have a connection.')
  }
  document.addEventListener('input', ({ target }) => {
    const form = target.closest('form.guided')
    if (form !== null) changed.add(form)
  })
  document.addEventListener('submit', event => {
    const { target: form } = event
    // Others are sent in the background, or lead to a page that can be opened again.
    if (event.defaultPrevented || form.method !== 'post') return
    if (Date.now() - (sentAt.get(form) ?? -Infinity) < (isUpload(form) ? Infinity : maxAnswerMs)) return event.preventDefault()
    // The browser would replace the page, and what was entered, with an error page. A service on this machine needs no connection.
    if ((changed.has(form) || !navigator.onLine) && !reached.delete(form)) {
      event.preventDefault()
      return sendIfReachable(form, event.submitter)
    }
    changed.delete(form)
    // Its reader may stay.
    if (isUnsaved()) return
    sentAt.set(form, Date.now())
    setBusy(form, true)
    if (!isUpload(form)) setTimeout(() => setBusy(form, false), maxAnswerMs)
  })
  addEventListener('beforeunload', event => { if (isUnsaved()) event.preventDefault() })
  // The browser may show the same page again.
  addEventListener('pageshow', release)
  // The reader has stopped the upload. Browsers without this event need a reload.
  globalThis.navigation?.addEventListener('navigateerror', release)
}

/** Whether the service and its database answer, or take their time. */
async function isServiceReachable () {
  try {
    return (await fetch(document.body.dataset.readiness, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(maxCheckMs) })).ok
  } catch ({ name }) {
    return name === 'TimeoutError'
  }
}
