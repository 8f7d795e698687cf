/*
 * Sends changes of papers in order, and repeats them until the server has confirmed them. Each sets a state, so a repetition does no harm.
 * Knows nothing of what is shown: modules that show changes register with onSettled and onUnited.
 */
import { account } from '../session.js'
import { showToast } from '../toast.js'
import { renewCsrfToken } from './csrf-token.js'
import { setOwn, setSaved } from './states.js'
import { isOfTag, readOutbox, stateIn, stateName, withOutboxLock, writeOutbox } from './store.js'
import { obstacle, reportUnsent, setObstacle } from './unsent.js'

const maxBatch = 50
const maxBatchChars = 40_000
/** Browsers let a request outlive its page up to 64 KiB. */
const maxKeepaliveChars = 60_000
const maxRetryDelayMs = 30_000
/** A request without an answer for this time is repeated: changes set states, so nothing is done twice. */
const maxAnswerMs = 30_000
/** Several papers that are opened in a row are marked as seen in one request. */
const seenDelayMs = 800

let isSending = false
let retryTimer
let seenTimer
let failedAttempts = 0

const settledListeners = []
/** Calls a listener with each change that the server has saved or refused, unless a later change replaces it, and whether it was saved. */
export const onSettled = listener => { settledListeners.push(listener) }

const unitedListeners = []
/** Calls a listener with each change of a note that the server has united with one from elsewhere, and with the whole note. */
export const onUnited = listener => { unitedListeners.push(listener) }

const sendLater = () => {
  clearTimeout(retryTimer)
  retryTimer = setTimeout(sendOutbox, Math.min(maxRetryDelayMs, 500 * 2 ** failedAttempts))
}

/** Sends what is in the outbox, unless that is under way. */
export async function sendOutbox () {
  if (isSending || account === undefined) return
  isSending = true
  clearTimeout(retryTimer)
  clearTimeout(seenTimer)
  seenTimer = undefined
  let isDrained = false
  try {
    await withOutboxLock(async () => {
      while (readOutbox().length > 0 && await sendBatch()) failedAttempts = 0
      isDrained = readOutbox().length === 0
    })
  } finally {
    isSending = false
    if (isDrained) setObstacle('')
    else if (obstacle !== 'signed out') { failedAttempts++; sendLater() }
    reportUnsent()
  }
  // A change that came after the last look could not start to be sent.
  if (isDrained && readOutbox().length > 0) await sendOutbox()
}

/** A vote that waited longer states its age: the paper may have got a newer one elsewhere. */
const maxPromptMs = 10_000
/** When votes of this page were last saved, by item. */
const votesSavedAt = new Map()
const ageOf = ({ item, field, at }) =>
  field === 'vote' && Date.now() - at > maxPromptMs && !(votesSavedAt.get(item) > at) ? [['age', Date.now() - at]] : []

/** A change as the server reads it. A day is named by its own fields. */
const changeText = change => {
  const { item, field, value, bases = [] } = change
  if (field === 'day') return value
  return new URLSearchParams([['item', item], [field, value], ...bases.map(base => ['note_base', base]), ...ageOf(change)]).toString()
}

/** The oldest changes, as many as go into one request. */
function nextBatch () {
  const all = readOutbox()
  const batch = []
  let chars = 0
  for (const change of all) {
    chars += changeText(change).length
    if (batch.length > 0 && (batch.length === maxBatch || change.url !== all[0].url || chars > maxBatchChars)) break
    batch.push(change)
  }
  return batch
}

/** Sends the oldest changes. @returns whether the server has decided about them */
async function sendBatch (isRepeated = false) {
  const batch = nextBatch()
  const body = new URLSearchParams({ action: 'change', csrf_token: document.querySelector('[name=csrf_token]').value })
  for (const change of batch) body.append('changes', changeText(change))
  const sent = new Set(batch.map(({ id }) => id))
  writeOutbox(readOutbox().map(each => each.field === 'note' && sent.has(each.id) ? { ...each, tried: true } : each))
  let answer
  let refused
  let united = []
  try {
    // `keepalive` lets the request outlive the page.
    const keepalive = body.toString().length <= maxKeepaliveChars
    const signal = AbortSignal.timeout(maxAnswerMs)
    const headers = { accept: 'application/json' }
    answer = await fetch(batch[0].url, { method: 'POST', body, redirect: 'manual', keepalive, signal, headers })
    // The connection may end within the answer, and a proxy may answer with a page of its own.
    if (answer.ok) ({ refused, united = [] } = await answer.json())
  } catch {
    setObstacle('offline')
    return false
  }
  if (answer.type === 'opaqueredirect') { setObstacle('signed out'); return false }
  if (answer.status === 403 && !isRepeated) {
    // Changes wait until their account is signed in again.
    return await renewCsrfToken().catch(() => undefined) === true && await sendBatch(true)
  }
  // A proxy that refuses, or does not find the service, has not decided about the changes.
  if (answer.status === 429 || answer.status >= 500 || (!answer.ok && !answer.headers.has('x-request-id'))) return false
  const message = `Your changes were not saved (error ${answer.status}). Reload the page and try again.`
  refused ??= batch.map((_each, change) => ({ change, message }))
  writeOutbox(readOutbox().filter(({ id }) => !sent.has(id)))
  setObstacle('')
  reportUnsent()
  if (refused.length > 0) showToast(refused[0].message)
  const refusedChanges = new Set(refused.map(({ change }) => batch[change]))
  for (const { change, vote } of refused) if (vote !== undefined) setSaved(batch[change].item, 'vote', vote)
  for (const change of batch) settle(change, !refusedChanges.has(change))
  for (const { change, note } of united) for (const listener of unitedListeners) listener(batch[change], note)
  return true
}

/** Keeps a state that the server has saved, and reports what it decided, unless a later change replaces it. */
function settle (change, isSaved) {
  const { item, field, value } = change
  if (field === 'day') return
  if (isSaved && field === 'vote') votesSavedAt.set(item, Date.now())
  if (isSaved && !isOfTag(field)) setSaved(item, field, stateIn(field, value))
  if (isSaved && field === 'saved') document.dispatchEvent(new CustomEvent('litfeed:saved'))
  if (readOutbox().some(each => stateName(each) === stateName(change))) return
  for (const listener of settledListeners) listener(change, isSaved)
}

/** The address that changes of a form are sent to. */
export const changesAddress = form => form.getAttribute('action').split('?', 1)[0]

/** Puts a change into the outbox, in the place of an unsent one of the same state. @param base the note that a new one was written from */
export function sendChange (url, item, field, value, base) {
  setOwn(item, field, value)
  const id = `${Date.now()}.${Math.random()}`
  const change = { id, url, item, field, value: field === 'vote' && value === '' ? 'clear' : value, at: Date.now() }
  const isReplaced = each => field !== 'vote' && stateName(each) === stateName(change) && (base === undefined || each.value === base)
  const all = readOutbox()
  if (base !== undefined) {
    const { bases = [base], tried } = all.find(isReplaced) ?? {}
    // One that was tried may have arrived.
    change.bases = tried === true ? [bases[0], base] : bases
  }
  writeOutbox([...all.filter(each => !isReplaced(each)), change])
  if (field !== 'seen') sendOutbox()
  else seenTimer ??= setTimeout(() => { seenTimer = undefined; sendOutbox() }, seenDelayMs)
  reportUnsent()
}

/** Puts a day that was skipped, or the opposite, into the outbox. @param fields which papers of the day were listed */
export function sendDay (url, item, fields) {
  const id = `${Date.now()}.${Math.random()}`
  writeOutbox([...readOutbox(), { id, url, item, field: 'day', value: new URLSearchParams(fields).toString(), at: Date.now() }])
  sendOutbox()
  reportUnsent()
}

/** Sends what is left when the page opens and when the connection is back. Notes do so when the tab is hidden or shown again. */
export function startSending () {
  addEventListener('online', () => { failedAttempts = 0; sendOutbox() })
  addEventListener('pageshow', () => { sendOutbox() })
}
