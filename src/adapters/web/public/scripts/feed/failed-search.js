/* A search that failed leaves a list that is not its result. */
/* global htmx */

/** @param reason a sentence */
const makeNotice = (query, reason) => {
  const notice = Object.assign(document.createElement('div'), { className: 'notice bad search-failed', role: 'status' })
  const again = Object.assign(document.createElement('button'), { type: 'button', className: 'secondary small', textContent: 'Try again' })
  again.dataset.searchAgain = ''
  notice.append(`${query === '' ? 'This is not the whole feed' : `These are not the results for “${query}”`}. ${reason}`, again)
  return notice
}

/** Says so above the list, which a later search replaces together with the notice. */
export function startFailedSearches () {
  document.addEventListener('swap-failed', ({ target: field, detail }) => {
    if (field.id !== 'q') return
    const list = document.getElementById('list')
    list.querySelector('.search-failed')?.remove()
    list.prepend(makeNotice(field.value.trim(), detail))
    document.getElementById('count').textContent = 'Search failed'
  })
  document.addEventListener('click', ({ target }) => {
    if (target.closest('[data-search-again]') === null) return
    const field = document.getElementById('q')
    field.focus()
    htmx.trigger(field, 'search')
  })
}
