/* Long forms whose entries would be lost with their page. */

/** Lets the browser ask before it leaves a page with a changed form: by a link, or by another form of the page. */
export function startUnsavedForms () {
  const changed = new Set()
  document.addEventListener('input', ({ target }) => {
    const form = target.closest('form.guided')
    if (form !== null) changed.add(form)
  })
  document.addEventListener('submit', ({ target }) => changed.delete(target))
  addEventListener('beforeunload', event => {
    if ([...changed].some(form => form.isConnected)) event.preventDefault()
  })
}
