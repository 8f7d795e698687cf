/* The list that the reader of a paper came from, in the order in which it was shown: votes change it while a reader steps through. */

const listName = 'litfeed-list'

/** The list parameters of an address. */
function listIn (href) {
  const { searchParams } = new URL(href)
  searchParams.delete('item')
  return searchParams.toString()
}

/** Remembers the items of a list. @param href an address with its search and filters */
export const rememberList = (href, items) => {
  try { sessionStorage.setItem(listName, JSON.stringify({ list: listIn(href), items })) } catch {}
}

/** The items of the list that the present address names; none if it was not remembered. */
export const rememberedItems = () => {
  try {
    const { list, items } = JSON.parse(sessionStorage.getItem(listName))
    return list === listIn(location.href) ? items : []
  } catch { return [] }
}

/** Remembers the list of a feed when a paper of it is opened on its own page. */
export function startRememberingLists () {
  document.addEventListener('click', ({ target }) => {
    const link = target.closest('#details a[data-key=o]')
    if (link !== null) rememberList(link.href, [...document.querySelectorAll('[data-rows] .row')].map(row => row.dataset.item))
  }, true)
}
