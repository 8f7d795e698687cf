/* A short message, with a way to undo, or to give a downvote another reason. */

let toastTimer

/** Pages without votes have no messages until a request fails. */
function newMessages () {
  const messages = Object.assign(document.createElement('div'), { className: 'messages' })
  messages.innerHTML = '<div id="toast" class="toast"><span class="toast-text" role="alert"></span></div>'
  document.body.append(messages)
  return messages
}

/** The part of the page that shows messages, whatever is in view. */
export const messages = () => document.querySelector('.messages') ?? newMessages()

/** Moves the focus from a button that is no longer offered to the shown paper, or else to the page. */
function moveFocus () {
  for (const place of [document.querySelector('[data-rows] a[aria-current]'), document.getElementById('content')]) {
    place?.focus({ preventScroll: true })
    if (document.activeElement === place) return
  }
}

/** @param undo what "Undo" does @param reason what "Low quality" does; without them, the buttons are not offered */
export function showToast (text, undo, reason) {
  const toast = messages().querySelector('.toast')
  const focused = document.activeElement
  toast.querySelector('.toast-text').textContent = text
  const actions = { undo, reason }
  for (const button of toast.querySelectorAll('[data-offers]')) {
    const action = actions[button.dataset.offers]
    button.hidden = action === undefined
    button.onclick = action ?? null
  }
  if (toast.contains(focused) && focused.hidden) moveFocus()
  toast.dataset.shown = ''
  clearTimeout(toastTimer)
  toastTimer = setTimeout(() => { delete toast.dataset.shown }, 8000)
}
