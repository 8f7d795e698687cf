/* The address of a feed: the search, the filters and the paper that are shown. */

/** The address of what is shown, without a place in the page. */
export let addressShown
/** The search and the filters of the shown list. */
export let queryShown

/** The present address, without a place in the page. */
export const addressHere = () => location.href.split('#', 1)[0]

/** The search and the filters of the present address. */
export function queryHere () {
  const filters = [...new URLSearchParams(location.search)]
    .filter(([name, value]) => !['item', 'offset', 'as_of'].includes(name) && value !== '')
  return new URLSearchParams(filters).toString()
}

/** Takes the present address for that of what is shown. */
export const setAddressShown = () => { addressShown = addressHere() }

/** Takes the search and the filters of the present address for those of the shown list. */
export const setQueryShown = () => { queryShown = queryHere() }

/** Whether the present address names a paper. */
export const namesPaper = () => new URLSearchParams(location.search).has('item')

/** Changes the address to that of what is shown. htmx restores entries that have its state: they get another. */
export function setAddress (href, { method = 'replaceState', state = {} } = {}) {
  history[method](state, '', href)
  setAddressShown()
}

/**
 * Changes the address to that of an opened paper. The first paper adds an entry to the history, and later ones replace it: one step back
 * leads to the list, however many papers were read.
 * @param shown the item beside the list before, which comes back with it
 */
export function setPaperAddress (href, shown) {
  if (location.href === href) return
  if (namesPaper()) return setAddress(href, { state: { isFromList: history.state?.isFromList } })
  history.replaceState({ shown }, '')
  setAddress(href, { method: 'pushState', state: { isFromList: true } })
}
