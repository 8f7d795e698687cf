/* States of papers, by item and field: those that this page has set, those that the server has, and those that are shown. */
import { account } from '../session.js'
import { isOfTag, readOutbox, stateIn, tagKey } from './store.js'

/** States set on this page or not sent yet, by item and field. They are newer than what the server has rendered. */
export const ownStates = new Map()

/** Items whose states have been set since this page was shown. */
const changedItems = new Set()

/** Remembers the states of an item that this page sets. */
export function setOwnStates (item, states) {
  ownStates.set(item, states)
  changedItems.add(item)
}

/** Remembers a state that this page sets. */
export function setOwn (item, field, value) {
  const own = ownStates.get(item)
  const state = isOfTag(field) ? { tags: { ...own?.tags, [tagKey(value)]: [field, value] } } : { [field]: value }
  setOwnStates(item, { ...own, ...state })
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

/* A page to which the history of the browser leads back may be shown as it was left, without a request. */

const leftName = 'litfeed-states'
/** Pages whose states are kept for the others of the tab. */
const maxLeft = 20
/** When this page was left, in milliseconds. */
let leftAt = -Infinity

function readLeft () {
  try {
    const { owner, left } = JSON.parse(sessionStorage.getItem(leftName))
    if (owner === account) return left
  } catch {}
  return []
}

/** Leaves the states that were set on this page to the pages that the tab shows again. */
export function leaveStates () {
  leftAt = Date.now()
  if (changedItems.size === 0) return
  const states = [...changedItems].map(item => [item, ownStates.get(item)])
  changedItems.clear()
  const left = [...readLeft(), { at: leftAt, states }].slice(-maxLeft)
  try { sessionStorage.setItem(leftName, JSON.stringify({ owner: account, left })) } catch {}
}

/** Takes the states that other pages of the tab have set since this one was left. */
export function takeStates () {
  const waiting = new Set(readOutbox().map(({ item, field }) => `${item} ${field}`))
  for (const { at, states } of readLeft()) {
    if (at <= leftAt) continue
    for (const [item, { tags, ...others }] of states) {
      const own = ownStates.get(item)
      ownStates.set(item, { ...own, ...others, ...(tags === undefined ? {} : { tags: { ...own?.tags, ...tags } }) })
      // What the page shows is older than what the server has.
      for (const [field, value] of Object.entries(others)) if (!waiting.has(`${item} ${field}`)) setSaved(item, field, value)
    }
  }
}

/** Forgets what was left, once its account is signed out. */
export function forgetStates () { try { sessionStorage.removeItem(leftName) } catch {} }
