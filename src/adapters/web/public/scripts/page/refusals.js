/* Answers to forms that a reader must not miss: the reason for which one was refused, and a key that is shown only once. */

/** Moves to the answer of a form: it may stand far below. Fields that ask for the focus stand beside a reason, unless a dialog has them. */
export function startRefusals () {
  const answer = document.querySelector('[data-refusal], .key-made')
  if (answer === null || document.querySelector('[autofocus]:not(dialog *)') !== null) return
  answer.tabIndex = -1
  answer.focus()
  // Browsers take the focus away as they scroll to the place that an address names.
  if (location.hash !== '') addEventListener('load', () => answer.focus(), { once: true })
}
