/* States of papers, by item and field: those that this page has set, those that the server has, and those that are shown. */
import { isOfTag, readOutbox, stateIn, tagKey } from './store.js'

/** States set on this page or not sent yet, by item and field. They are newer than what the server has rendered. */
export const ownStates = new Map()

/** Remembers a state that this page sets. */
export function setOwn (item, field, value) {
  const own = ownStates.get(item)
  const state = isOfTag(field) ? { tags: { ...own?.tags, [tagKey(value)]: [field, value] } } : { [field]: value }
  ownStates.set(item, { ...own, ...state })
}

for (const { item, field, value } of readOutbox()) {
  // Earlier versions sent all tags of an item.
  if (field !== 'day' && field !== 'tags') setOwn(item, field, stateIn(field, value))
}

/** The last states that the server is known to have, by item and field. */
export const savedStates = new Map()

/** Remembers a state that the server has. */
export const setSaved = (item, field, value) => savedStates.set(item, { ...savedStates.get(item), [field]: value })

/** The state that the page shows; undefined if it does not show the item. */
export const shownState = (item, field) => document.querySelector(`[data-item="${item}"][data-${field}]`)?.dataset[field]

/** The newest state that is known. */
export const stateOf = (item, field) => ownStates.get(item)?.[field] ?? shownState(item, field) ?? ''
