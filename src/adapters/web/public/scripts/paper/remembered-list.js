/* The list that the reader of a paper came from, in the order in which it was shown: votes change it while a reader steps through. */

const listName = 'litfeed-list'

/** The list parameters of an address. */
function listIn (href) {
  const { searchParams } = new URL(href)
  searchParams.delete('item')
  return searchParams.toString()
}

/** Remembers the items of a list. @param href an address with its search and filters @param read the item whose paper is read */
export const rememberList = (href, items, read) => {
  try { sessionStorage.setItem(listName, JSON.stringify({ list: listIn(href), items, read })) } catch {}
}

/** The list of an address; without items if it was not remembered. */
function rememberedList (href) {
  try {
    const { list, ...remembered } = JSON.parse(sessionStorage.getItem(listName))
    if (list === listIn(href)) return remembered
  } catch {}
  return { items: [] }
}

/** The items of the list that the present address names; none if it was not remembered. */
export const rememberedItems = () => rememberedList(location.href).items

/** Has the feed show the paper that was read last on pages of their own, once their reader comes back by the history of the browser. */
function showLastRead ({ persisted }) {
  const link = document.querySelector('#details a[data-key=o]')
  if (link === null) return
  const { items, read } = rememberedList(link.href)
  if (read === undefined) return
  rememberList(link.href, items)
  const isBack = persisted || performance.getEntriesByType('navigation')[0]?.type === 'back_forward'
  if (isBack) document.dispatchEvent(new CustomEvent('litfeed:read', { detail: read }))
}

/** Remembers the list of a feed when a paper of it is opened on its own page, and where its reader is in it. */
export function startRememberingLists () {
  addEventListener('pageshow', showLastRead)
  document.addEventListener('click', ({ target }) => {
    const link = target.closest('#details a[data-key=o]')
    if (link !== null) rememberList(link.href, [...document.querySelectorAll('[data-rows] .row')].map(row => row.dataset.item))
  }, true)
}
