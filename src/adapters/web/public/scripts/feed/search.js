/* The search of a list: shows that it runs, and that it failed. */

const busyDelayMs = 300

let busyTimer
/** The list that the search replaces. */
let searched
let hasFailed = false

const list = () => document.getElementById('list')
const field = () => document.getElementById('q')
const announce = text => { document.getElementById('count').textContent = text }
const retry = () => field().dispatchEvent(new Event('search'))

function showBusy () {
  list().setAttribute('aria-busy', 'true')
  announce('Searching…')
}

function end () {
  clearTimeout(busyTimer)
  busyTimer = undefined
}

/** Replaces the results, which are those of the last query. */
function showFailure () {
  hasFailed = true
  list().removeAttribute('aria-busy')
  announce('Search failed')
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet', textContent: 'Try again' })
  button.addEventListener('click', retry)
  const message = Object.assign(document.createElement('div'), { className: 'empty' })
  message.append(navigator.onLine
    ? 'Search failed: the service did not answer it. '
    : 'Search failed: you are offline. It is repeated when the connection is back. ', button)
  list().replaceChildren(message)
}

/** Follows the requests of the search field, if the page has one. */
export function startSearch () {
  if (field() === null || list() === null) return
  const on = (name, listener) => document.addEventListener(name, event => { if (event.target === field()) listener() })
  on('htmx:beforeRequest', () => {
    searched = list()
    // A newer search ends the one before, without an answer: both are one wait.
    busyTimer ??= setTimeout(showBusy, busyDelayMs)
  })
  on('htmx:sendError', () => {
    end()
    showFailure()
  })
  on('htmx:afterOnLoad', () => {
    end()
    // The answer was an error, or the page of a proxy.
    if (list() === searched) return showFailure()
    hasFailed = false
  })
  addEventListener('online', () => { if (hasFailed) retry() })
}
