/* The result of a form, above the page that it leads to. */

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
