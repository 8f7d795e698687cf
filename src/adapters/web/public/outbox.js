/*
 * Changes of papers: shown at once, sent in order, repeated until the server has confirmed them. Each sets a state, so a repetition does no
 * harm. Local storage keeps unsent changes over reloads.
 */
/* global flushNotes, reportNote, showSaved, showUnited */
/* exported isOfOther, sendChange, sendDay, sessionEnded */
const { account } = document.body.dataset
/** Whether a page of the service is for nobody, or for another account than this one. */
const isOfOther = ({ body: { dataset } }) => 'version' in dataset && dataset.visitor !== 'unknown' && dataset.account !== account
const sessionEnded = 'Your session has ended. Sign in again.'
const outboxName = `litfeed-outbox-${account}`
const maxBatch = 50
const maxBatchChars = 40_000
/** Browsers let a request outlive its page up to 64 KiB. */
const maxKeepaliveChars = 60_000
const maxRetryDelayMs = 30_000
/** A request without an answer for this time is repeated: changes set states, so nothing is done twice. */
const maxAnswerMs = 30_000
/** Shorter waits are not reported. */
const reportAfterMs = 1500
/** Several papers that are opened in a row are marked as seen in one request. */
const seenDelayMs = 800

/** Used from the first time that the browser blocks local storage, or has no space left in it. */
let outboxInMemory = []
let isStorageUsable = true
/** Changes of earlier versions are votes without a field. */
const readChange = ({ field = 'vote', vote, value = vote, ...change }) => ({ field, value, ...change })
const readOutbox = () => {
  if (!isStorageUsable) return outboxInMemory
  try { return (JSON.parse(localStorage.getItem(outboxName)) ?? []).map(readChange) } catch { return outboxInMemory }
}
const writeOutbox = changes => {
  outboxInMemory = changes
  // An empty outbox needs no space: what is stored has been sent, and must not be sent again by another page.
  if (changes.length === 0) { try { localStorage.removeItem(outboxName) } catch {} }
  if (!isStorageUsable || changes.length === 0) return
  try { localStorage.setItem(outboxName, JSON.stringify(changes)) } catch { isStorageUsable = false }
}

/** A change adds or removes one tag: the page may not know all of an item. */
const isOfTag = field => field === 'tag_add' || field === 'tag_remove'
const tagKey = tag => tag.toUpperCase().toLowerCase()
/** Names the state that a change sets. */
const stateName = ({ item, field, value }) => isOfTag(field) ? `${item} tag ${tagKey(value)}` : `${item} ${field}`

let isSending = false
let retryTimer
let seenTimer
let reportTimer
let failedAttempts = 0
/** Why changes are unsent: "", "offline" or "signed out". */
let obstacle = ''

/** States set on this page or not sent yet, by item and field. They are newer than what the server has rendered. */
const ownStates = new Map()
function setOwn (item, field, value) {
  const own = ownStates.get(item)
  const state = isOfTag(field) ? { tags: { ...own?.tags, [tagKey(value)]: [field, value] } } : { [field]: value }
  ownStates.set(item, { ...own, ...state })
}
/** The last states that the server is known to have, by item and field. */
const savedStates = new Map()
const setSaved = (item, field, value) => savedStates.set(item, { ...savedStates.get(item), [field]: value })

const sendLater = () => {
  clearTimeout(retryTimer)
  retryTimer = setTimeout(sendOutbox, Math.min(maxRetryDelayMs, 500 * 2 ** failedAttempts))
}

/** Tabs share the outbox: one at a time sends. */
const withOutboxLock = async work => navigator.locks === undefined ? await work() : await navigator.locks.request(outboxName, work)

async function sendOutbox () {
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
    if (isDrained) obstacle = ''
    else if (obstacle !== 'signed out') { failedAttempts++; sendLater() }
    reportUnsent()
  }
  // A change that came after the last look could not start to be sent.
  if (isDrained && readOutbox().length > 0) await sendOutbox()
}

/** The state that a change sets, as pages name it. */
const stateIn = (field, value) => field === 'vote' && value === 'clear' ? '' : value

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
    obstacle = 'offline'
    return false
  }
  if (answer.type === 'opaqueredirect') { obstacle = 'signed out'; return false }
  if (answer.status === 403 && !isRepeated) {
    const isRenewed = await renewCsrfToken().catch(() => undefined)
    if (isRenewed === undefined) return false
    if (isRenewed) return await sendBatch(true)
  }
  if (answer.status === 429 || answer.status >= 500) return false
  const message = `Your changes could not be saved (error ${answer.status}).`
  refused ??= batch.map((_each, change) => ({ change, message }))
  writeOutbox(readOutbox().filter(({ id }) => !sent.has(id)))
  obstacle = ''
  reportUnsent()
  if (refused.length > 0) showToast(refused[0].message)
  const refusedChanges = new Set(refused.map(({ change }) => batch[change]))
  for (const { change, vote } of refused) if (vote !== undefined) setSaved(batch[change].item, 'vote', vote)
  for (const change of batch) settle(change, !refusedChanges.has(change))
  for (const { change, note } of united) showUnited(batch[change], note)
  return true
}

/** Keeps a state that the server has saved, and forgets one that it refused, unless a later change replaces it. */
function settle (change, isSaved) {
  const { item, field, value } = change
  if (field === 'day') return
  if (isSaved && field === 'vote') votesSavedAt.set(item, Date.now())
  if (isSaved && !isOfTag(field)) setSaved(item, field, stateIn(field, value))
  if (isSaved && field === 'saved') document.dispatchEvent(new CustomEvent('litfeed:saved'))
  if (readOutbox().some(each => stateName(each) === stateName(change))) return
  if (!isSaved) showSaved(item, field, value)
  if (field === 'note') reportNote(item, isSaved ? 'Saved' : 'Not saved')
}

/**
 * Another sign-in in this browser replaces the token of forms, and kept pages have none.
 * @returns whether there is a new one for this account; undefined if an error page leaves this open
 */
async function renewCsrfToken () {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  // An error page may not know who is signed in.
  if (page.body.dataset.visitor === 'unknown') return undefined
  if (page.body.dataset.account !== account) { obstacle = 'signed out'; return false }
  const value = page.querySelector('[name=csrf_token]')?.value ?? ''
  if (value === '') return undefined
  for (const field of document.querySelectorAll('[name=csrf_token]')) field.value = value
  return true
}

/** Says which changes are unsent, once they have been so for a while. Nobody waits for what was seen. */
function reportUnsent () {
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
  if (obstacle === 'signed out') {
    const { login } = status.dataset
    // The service adds the path that a proxy has in front of it.
    const next = encodeURIComponent(location.pathname.slice(login.length - '/login'.length) + location.search)
    const link = Object.assign(document.createElement('a'), { href: `${login}?next=${next}`, textContent: 'Sign in' })
    status.append(link)
  }
}

/** Puts a change into the outbox, in the place of an unsent one of the same state. @param base the note that a new one was written from */
function sendChange (url, item, field, value, base) {
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
function sendDay (url, item, fields) {
  const id = `${Date.now()}.${Math.random()}`
  writeOutbox([...readOutbox(), { id, url, item, field: 'day', value: new URLSearchParams(fields).toString(), at: Date.now() }])
  sendOutbox()
  reportUnsent()
}

for (const { item, field, value } of readOutbox()) {
  // Earlier versions sent all tags of an item.
  if (field !== 'day' && field !== 'tags') setOwn(item, field, stateIn(field, value))
}
addEventListener('online', () => { failedAttempts = 0; sendOutbox() })
addEventListener('pageshow', () => { sendOutbox() })
document.addEventListener('visibilitychange', () => { flushNotes(); sendOutbox() })

/* A short message, with a way to undo, or to give a downvote another reason. */
let toastTimer

/** Pages without votes have no toast until a request fails. */
function newToast () {
  const messages = Object.assign(document.createElement('div'), { className: 'messages' })
  messages.innerHTML = '<div id="toast" class="toast"><span class="toast-text" role="alert"></span></div>'
  document.body.append(messages)
  return messages.firstChild
}

/** @param undo what "Undo" does @param reason what "Low quality" does; without them, the buttons are not offered */
function showToast (text, undo, reason) {
  const toast = document.getElementById('toast') ?? newToast()
  toast.querySelector('.toast-text').textContent = text
  const actions = { undo, reason }
  for (const button of toast.querySelectorAll('[data-offers]')) {
    const action = actions[button.dataset.offers]
    button.hidden = action === undefined
    button.onclick = action ?? null
  }
  toast.dataset.shown = ''
  clearTimeout(toastTimer)
  toastTimer = setTimeout(() => { delete toast.dataset.shown }, 8000)
}
