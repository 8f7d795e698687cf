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
  const states = new Set(unsent.map(stateName)).size
  const noun = unsent.every(({ field }) => field === 'vote') ? 'vote' : 'change'
  const count = states === 1 ? `1 ${noun}` : `${states} ${noun}s`
  const text = obstacle === 'signed out'
    ? `Sign in again to save ${count}. `
    : obstacle === 'offline' ? `No connection: ${count} not saved yet. Retrying…` : `Saving ${count}…`
  // The status stays on the page without a text: screen readers announce a change of what was there before.
  const shown = unsent.length === 0 ? '' : text
  if ((status.dataset.text ?? '') === shown) return
  status.dataset.text = shown
  status.textContent = shown
  if (shown !== '' && obstacle === 'signed out') status.append(signInLink())
}
