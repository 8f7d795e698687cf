/* Reasons for which a form was refused. */

/** Moves to the reason in a page that answers a form: it may stand far below. Fields that ask for the focus stand beside it. */
export function startRefusals () {
  const reason = document.querySelector('[data-refusal]')
  if (reason === null || document.querySelector('[autofocus]') !== null) return
  reason.tabIndex = -1
  reason.focus()
}
