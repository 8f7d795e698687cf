/* The result of a form, above the page that it leads to. */

/** Has a reload of a page that shows what a form made open the page anew, instead of making another: a new key would end the copied one. */
export function startResults () {
  // The entry of the history loses the form.
  if (document.body.dataset.showsResult !== undefined) history.replaceState(history.state, '', location.href)
}

/** Moves to the result if the page opens at one of its parts, where screen readers begin. The page stays at that part. */
export function startNotices () {
  // Not before the browser has moved to the part.
  addEventListener('load', () => {
    const notice = document.querySelector('[data-notice]')
    if (notice === null || document.querySelector(':target') === null) return
    notice.tabIndex = -1
    notice.focus({ preventScroll: true })
  })
}
