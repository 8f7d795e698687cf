/*
 * Changes of papers: shown at once, sent in order, repeated until the server has confirmed them. Each sets a state, so a repetition does no
 * harm. Local storage keeps unsent changes over reloads.
 */
const { account } = document.body.dataset
const outboxName = `litfeed-outbox-${account}`
const maxBatch = 50
const maxRetryDelayMs = 30_000
/** Shorter waits are not reported. */
const reportAfterMs = 1500

/** Used when the browser blocks local storage. */
let outboxInMemory = []
const readOutbox = () => {
  try { return JSON.parse(localStorage.getItem(outboxName)) ?? [] } catch { return outboxInMemory }
}
const writeOutbox = changes => {
  outboxInMemory = changes
  try { changes.length === 0 ? localStorage.removeItem(outboxName) : localStorage.setItem(outboxName, JSON.stringify(changes)) } catch {}
}

let isSending = false
let retryTimer
let reportTimer
let failedAttempts = 0
/** Why changes are unsent: "", "offline" or "signed out". */
let obstacle = ''

/** Votes given on this page or not sent yet, by item. They are newer than what the server has rendered. */
const ownVotes = new Map(readOutbox().map(({ item, vote }) => [item, vote]))

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
  let isDone = false
  await withOutboxLock(async () => {
    while (readOutbox().length > 0 && await sendBatch()) failedAttempts = 0
    isDone = readOutbox().length === 0
  })
  isSending = false
  if (isDone) obstacle = ''
  else if (obstacle !== 'signed out') { failedAttempts++; sendLater() }
  reportUnsent()
}

/** Sends the oldest changes. @returns whether the server has decided about them */
async function sendBatch (isRepeated = false) {
  const all = readOutbox()
  const other = all.findIndex(({ url }) => url !== all[0].url)
  const batch = all.slice(0, Math.min(maxBatch, other === -1 ? all.length : other))
  const body = new URLSearchParams({ action: 'change', csrf_token: document.querySelector('[name=csrf_token]').value })
  for (const { item, vote } of batch) body.append('changes', new URLSearchParams({ item, vote }))
  let answer
  try {
    // `keepalive` lets the request outlive the page.
    answer = await fetch(batch[0].url, {
      method: 'POST',
      body,
      redirect: 'manual',
      keepalive: true,
      headers: { accept: 'application/json' }
    })
  } catch {
    obstacle = 'offline'
    return false
  }
  if (answer.type === 'opaqueredirect') { obstacle = 'signed out'; return false }
  if (answer.status === 403 && !isRepeated && await renewCsrfToken()) return await sendBatch(true)
  if (answer.status === 429 || answer.status >= 500) return false
  const sent = new Set(batch.map(({ id }) => id))
  const refused = answer.ok ? (await answer.json()).refused : [{ message: `Your votes could not be saved (error ${answer.status}).` }]
  writeOutbox(readOutbox().filter(({ id }) => !sent.has(id)))
  obstacle = ''
  reportUnsent()
  if (refused.length > 0) showToast(refused[0].message)
  return true
}

/** Another sign-in in this browser replaces the token of forms. @returns whether there is a new one for this account */
async function renewCsrfToken () {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (page.body.dataset.account !== account) { obstacle = 'signed out'; return false }
  const { value } = page.querySelector('[name=csrf_token]')
  for (const field of document.querySelectorAll('[name=csrf_token]')) field.value = value
  return true
}

/** Says which changes are unsent, once they have been so for a while. */
function reportUnsent () {
  clearTimeout(reportTimer)
  const changes = readOutbox()
  const unsent = new Set(changes.filter(({ at }) => Date.now() - at >= reportAfterMs || obstacle !== '').map(({ item }) => item))
  for (const row of document.querySelectorAll('[data-rows] [data-item]')) row.toggleAttribute('data-unsent', unsent.has(row.dataset.item))
  if (changes.length > 0) reportTimer = setTimeout(reportUnsent, reportAfterMs)
  const status = document.getElementById('unsent')
  if (status === null) return
  status.hidden = unsent.size === 0
  if (unsent.size === 0) return
  const count = unsent.size === 1 ? '1 vote' : `${unsent.size} votes`
  const text =
    obstacle === 'signed out'
      ? `Sign in again to save ${count}. `
      : obstacle === 'offline'
        ? `No connection: ${count} not saved yet. Retrying…`
        : `Saving ${count}…`
  if (status.dataset.text === text) return
  status.dataset.text = text
  status.textContent = text
  if (obstacle === 'signed out') {
    const link = Object.assign(document.createElement('a'), {
      href: `${status.dataset.login}?next=${encodeURIComponent(location.pathname + location.search)}`,
      textContent: 'Sign in'
    })
    status.append(link)
  }
}

/** Puts a vote into the outbox. @param vote "" removes the vote */
function sendVote (url, item, vote) {
  ownVotes.set(item, vote)
  const id = `${Date.now()}.${Math.random()}`
  writeOutbox([...readOutbox(), { id, url, item, vote: vote === '' ? 'clear' : vote, at: Date.now() }])
  sendOutbox()
  reportUnsent()
}

for (const [item, vote] of ownVotes) if (vote === 'clear') ownVotes.set(item, '')
addEventListener('online', () => { failedAttempts = 0; sendOutbox() })
addEventListener('pageshow', () => { sendOutbox() })
document.addEventListener('visibilitychange', () => { if (!document.hidden) sendOutbox() })

/* A short message, with a way to undo. */
let toastTimer
function showToast (text, onUndo) {
  const toast = document.getElementById('toast')
  if (toast === null) return
  toast.querySelector('.toast-text').textContent = text
  const button = toast.querySelector('button')
  button.hidden = onUndo === undefined
  button.onclick = onUndo ?? null
  toast.dataset.shown = ''
  clearTimeout(toastTimer)
  toastTimer = setTimeout(() => { delete toast.dataset.shown }, 8000)
}

/* Votes: the buttons of a paper, and its row. */
const voteNames = { upvote: 'Upvoted', star: 'Starred', downvote: 'Downvoted', not_relevant: 'Not relevant', low_quality: 'Low quality' }
const isDownvote = vote => vote !== '' && vote !== 'upvote' && vote !== 'star'

/** Shows an item's vote wherever the item is. */
function paintVote (item, vote) {
  for (const row of document.querySelectorAll(`[data-rows] [data-item="${item}"]`)) {
    row.dataset.vote = vote
    row.classList.toggle('rated', vote !== '')
    const sign = row.querySelector('.vote-sign')
    const wanted =
      vote === ''
        ? undefined
        : document
          .getElementById('vote-signs')
          .content.querySelector(`[data-sign="${isDownvote(vote) ? 'downvote' : vote}"]`)
          .cloneNode(true)
    if (wanted !== undefined) {
      wanted.title = voteNames[vote]
      wanted.querySelector('.unseen').textContent = voteNames[vote]
    }
    if (sign !== null) sign.replaceWith(...[wanted].filter(Boolean))
    else if (wanted !== undefined) row.querySelector('a').append(wanted)
  }
  for (const form of document.querySelectorAll(`.vote[data-item="${item}"]`)) {
    form.dataset.vote = vote
    for (const button of form.querySelectorAll('[data-pressed-by]')) {
      const { pressedBy } = button.dataset
      const isPressed = pressedBy === 'downvote' ? isDownvote(vote) : vote === pressedBy
      button.setAttribute('aria-pressed', isPressed)
      button.value = isPressed ? 'clear' : pressedBy
      if (pressedBy === 'downvote') {
        button.hidden = !isPressed
        if (isPressed) button.querySelector('.vote-name').textContent = voteNames[vote]
      }
      button.querySelector('.icon').classList.toggle('filled', isPressed && pressedBy === 'star')
    }
    const menu = form.querySelector('.menu')
    menu.open = false
    menu.hidden = isDownvote(vote)
  }
}

/** Shows the votes that are newer than what the server rendered. */
const paintOwnVotes = () => { for (const [item, vote] of ownVotes) paintVote(item, vote) }

const voteOf = item =>
  ownVotes.get(item) ?? document.querySelector(`.vote[data-item="${item}"], [data-rows] [data-item="${item}"]`)?.dataset.vote ?? ''

/** Votes that can be undone, oldest first. */
const undoable = []

/** Sets the vote of items, shows it at once and sends it in the background. @param vote "" removes the vote */
function castVotes (url, items, vote) {
  const changes = items.map(item => ({ url, item, before: voteOf(item) })).filter(({ before }) => before !== vote)
  const name = vote === '' ? 'Vote removed' : voteNames[vote]
  if (changes.length === 0) return showToast(vote === '' ? 'Not rated' : name)
  undoable.push(changes)
  for (const { item } of changes) {
    paintVote(item, vote)
    sendVote(url, item, vote)
  }
  showToast(changes.length === 1 ? name : `${name}: ${changes.length} papers`, undoVote)
}

const castVote = (url, item, vote) => castVotes(url, [item], vote)

/** Restores what the items had before they were voted on last. */
function undoVote () {
  const changes = undoable.pop()
  if (changes === undefined) return showToast('Nothing to undo')
  for (const { url, item, before } of changes) {
    paintVote(item, before)
    sendVote(url, item, before)
  }
  showToast('Undone')
  document.dispatchEvent(new CustomEvent('litfeed:undone', { detail: changes[0].item }))
}

document.addEventListener('submit', event => {
  const form = event.target.closest('.vote')
  if (form === null || event.submitter === null) return
  event.preventDefault()
  const { value } = event.submitter
  const hadFocus = form.contains(document.activeElement)
  castVote(form.getAttribute('action').split('?', 1)[0], form.dataset.item, value === 'clear' ? '' : value)
  if (hadFocus && !form.contains(document.activeElement?.closest(':not([hidden])'))) {
    form.querySelector('[aria-pressed=true]:not([hidden]), button').focus({ preventScroll: true })
  }
})
// The second click of a double click would take the vote back.
document.addEventListener(
  'click',
  event => {
    if (event.detail > 1 && event.target.closest('.vote-button') !== null) event.preventDefault()
  },
  true
)

// A click outside closes a menu, and so does Escape.
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(target)) menu.open = false
})
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return
  const menu = event.target.closest('details.menu[open]')
  if (menu !== null) { menu.open = false; menu.querySelector('summary').focus() }
})

if (account !== undefined) {
  paintOwnVotes()
  reportUnsent()
  document.addEventListener('htmx:afterSettle', () => { paintOwnVotes(); reportUnsent() })
}
