/* Says which changes are unsent, and why. */
import { signInLink } from '../session.js'
import { readOutbox, stateName } from './store.js'

/** Shorter waits are not reported. */
const reportAfterMs = 1500
let reportTimer

/** Why changes are unsent: "", "offline" or "signed out". */
export let obstacle = ''
/** @param reason "" if nothing keeps changes from being sent */
export const setObstacle = reason => { obstacle = reason }

/** Says which changes are unsent, once they have been so for a while. Nobody waits for what was seen. */
export function reportUnsent () {
  clearTimeout(reportTimer)
  const changes = readOutbox().filter(({ field }) => field !== 'seen')
  const unsent = changes.filter(({ at }) => Date.now() - at >= reportAfterMs || obstacle !== '')
  const items = new Set(unsent.map(({ item }) => item))
  for (const row of document.querySelectorAll('[data-rows] [data-item]')) row.toggleAttribute('data-unsent', items.has(row.dataset.item))
  if (changes.length > 0) reportTimer = setTimeout(reportUnsent, reportAfterMs)
  const status = document.getElementById('unsent')
  if (status === null) return
  status.hidden = unsent.length === 0
  if (unsent.length === 0) return
  const states = new Set(unsent.map(stateName)).size
  const noun = unsent.every(({ field }) => field === 'vote') ? 'vote' : 'change'
  const count = states === 1 ? `1 ${noun}` : `${states} ${noun}s`
  const text = obstacle === 'signed out'
    ? `Sign in again to save ${count}. `
    : obstacle === 'offline' ? `No connection: ${count} not saved yet. Retrying…` : `Saving ${count}…`
  if (status.dataset.text === text) return
  status.dataset.text = text
  status.textContent = text
  if (obstacle === 'signed out') status.append(signInLink())
}
