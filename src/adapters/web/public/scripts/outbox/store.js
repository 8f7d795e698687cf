/* The outbox: changes of papers that the server has not confirmed. Local storage keeps them over reloads, and tabs share it. */
import { account } from '../session.js'

const outboxName = `litfeed-outbox-${account}`

/** Used from the first time that the browser blocks local storage, or has no space left in it. */
let outboxInMemory = []
let isStorageUsable = true

/** Changes of earlier versions are votes without a field. */
const readChange = ({ field = 'vote', vote, value = vote, ...change }) => ({ field, value, ...change })

/** @returns the unsent changes, oldest first */
export const readOutbox = () => {
  if (!isStorageUsable) return outboxInMemory
  try { return (JSON.parse(localStorage.getItem(outboxName)) ?? []).map(readChange) } catch { return outboxInMemory }
}

/** Replaces the unsent changes. */
export const writeOutbox = changes => {
  outboxInMemory = changes
  // An empty outbox needs no space: what is stored has been sent, and must not be sent again by another page.
  if (changes.length === 0) { try { localStorage.removeItem(outboxName) } catch {} }
  if (!isStorageUsable || changes.length === 0) return
  try { localStorage.setItem(outboxName, JSON.stringify(changes)) } catch { isStorageUsable = false }
}

/** Tabs share the outbox: one at a time sends. */
export const withOutboxLock = async work =>
  navigator.locks === undefined ? await work() : await navigator.locks.request(outboxName, work)

/** A change adds or removes one tag: the page may not know all of an item. */
export const isOfTag = field => field === 'tag_add' || field === 'tag_remove'

/** Tags that differ in case only are the same. */
export const tagKey = tag => tag.toUpperCase().toLowerCase()

/** Names the state that a change sets. */
export const stateName = ({ item, field, value }) => isOfTag(field) ? `${item} tag ${tagKey(value)}` : `${item} ${field}`

/** Whether a change of an item's field has not been confirmed. */
export const isWaiting = (item, field) => readOutbox().some(each => each.item === item && each.field === field)

/** The state that a change sets, as pages name it. */
export const stateIn = (field, value) => field === 'vote' && value === 'clear' ? '' : value
