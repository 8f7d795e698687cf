/* A search that failed leaves a list that is not its result. */
/* global htmx */

const makeNotice = query => {
  const notice = Object.assign(document.createElement('div'), { className: 'notice bad search-failed', role: 'status' })
  const again = Object.assign(document.createElement('button'), { type: 'button', className: 'secondary small', textContent: 'Try again' })
  again.dataset.searchAgain = ''
  notice.append(
    query === '' ? 'The feed could not be loaded. These are other papers.' : `The search for “${query}” failed. These are not its results.`,
    ' ',
    again
  )
  return notice
}

/** Says so above the list, which a later search replaces together with the notice. */
export function startFailedSearches () {
  document.addEventListener('swap-failed', ({ target: field }) => {
    if (field.id !== 'q') return
    const list = document.getElementById('list')
    list.querySelector('.search-failed')?.remove()
    list.prepend(makeNotice(field.value.trim()))
    document.getElementById('count').textContent = 'Search failed'
  })
  document.addEventListener('click', ({ target }) => {
    if (target.closest('[data-search-again]') === null) return
    const field = document.getElementById('q')
    field.focus()
    htmx.trigger(field, 'search')
  })
}
