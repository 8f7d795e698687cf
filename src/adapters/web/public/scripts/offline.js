/*
 * Keeps the pages of saved papers in this browser, in a cache for each account. Signing out deletes them, and so does any page that knows
 * that nobody is signed in. Tokens of forms are left out of what is kept.
 */
import { renewCsrfToken } from './outbox/csrf-token.js'
import { fetchPage } from './page/fetched.js'
import { account } from './session.js'

const { offline: offlineAddress, worker: workerAddress, version: assetsVersion } = document.body.dataset
const paperCachesName = 'litfeed-papers-'
const syncedSettingOf = id => `litfeed-offline-${id}`
const syncedSetting = syncedSettingOf(account)
const syncIntervalMs = 10 * 60_000
const syncDelayMs = 2000
const canKeep = 'serviceWorker' in navigator && 'caches' in window
const listAddress = new URL(offlineAddress ?? '', location.href).href

async function deletePapers (isDeleted = () => true) {
  if (!('caches' in window)) return
  for (const name of await caches.keys()) {
    if (!name.startsWith(paperCachesName) || !isDeleted(name)) continue
    await caches.delete(name)
    // The account's next page keeps its papers again.
    try { localStorage.removeItem(syncedSettingOf(name.slice(paperCachesName.length))) } catch {}
  }
}

/** Headers that restrict what a page may do, without which it is not kept. */
const securityHeaders = ['content-security-policy', 'x-content-type-options', 'x-frame-options', 'referrer-policy']

const fetchOwnPage = async href => {
  const { answer, page } = await fetchPage(href)
  if (!answer.ok || answer.redirected) throw new Error(`${href} returned ${answer.status}`)
  // The session may have ended, or be another account's.
  if (page.body.dataset.account !== account) throw new Error('signed out')
  for (const field of page.querySelectorAll('[name=csrf_token]')) field.setAttribute('value', '')
  return { page, headers: securityHeaders.flatMap(name => answer.headers.has(name) ? [[name, answer.headers.get(name)]] : []) }
}

const responseOf = ({ page, headers }, version = '') => new Response(`<!doctype html>\n${page.documentElement.outerHTML}`, {
  headers: [...headers, ['content-type', 'text/html; charset=utf-8'], ['x-version', encodeURIComponent(version)]]
})

/** Keeps the saved papers that are new or have changed, and deletes the others. */
async function keepPapers () {
  const answer = await fetchOwnPage(listAddress)
  const list = answer.page
  const isUsed = await navigator.serviceWorker.getRegistration(workerAddress) !== undefined
  if (!isUsed && list.querySelector('[data-paper]') === null) return
  if (await navigator.serviceWorker.register(workerAddress) === undefined) return
  const cache = await caches.open(`${paperCachesName}${account}`)
  await cache.put(listAddress, responseOf(answer))
  const wanted = new Set([listAddress])
  const former = new Set((await cache.keys()).map(({ url }) => url))
  let isComplete = true
  for (const { dataset: { paper, refs, version } } of list.querySelectorAll('[data-paper]')) {
    const addressOf = ref => new URL(`papers/${ref}`, listAddress).href
    for (const ref of refs.split(' ')) wanted.add(addressOf(ref))
    const kept = await cache.match(addressOf(paper))
    const isCurrent = kept?.headers.get('x-version') === encodeURIComponent(version)
    try {
      if (!isCurrent) await cache.put(addressOf(paper), responseOf(await fetchOwnPage(addressOf(paper)), version))
    } catch (error) {
      if (error.message === 'signed out' || !navigator.onLine) throw error
      isComplete = false
      continue
    }
    for (const ref of refs.split(' ')) {
      // A page that was left before all were kept has left some out.
      if (ref === paper || (isCurrent && former.has(addressOf(ref)))) continue
      await cache.put(addressOf(ref), new Response('', { headers: { 'x-paper': paper } }))
    }
  }
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request)
  if (isComplete) await deleteOldAssets()
}

/** Every kept page uses the files of this version by now. They must be there: a worker may still be fetching them. */
async function deleteOldAssets () {
  const names = (await caches.keys()).filter(name => name.startsWith('litfeed-assets-'))
  const current = `litfeed-assets-${assetsVersion}`
  if (!names.includes(current)) return
  const stylesheet = document.querySelector('link[rel=stylesheet]').href
  if (await (await caches.open(current)).match(stylesheet, { ignoreVary: true }) === undefined) return
  for (const name of names) if (name !== current) await caches.delete(name)
}

/** Says on the page of saved papers which are kept. */
async function showKept () {
  const list = document.getElementById('offline-papers')
  const reason = document.getElementById('offline-reason')
  if (reason === null) return
  document.getElementById('offline-unsupported').hidden = canKeep
  // In place of another page, or without a connection.
  reason.hidden = navigator.onLine && location.href.split(/[?#]/, 1)[0] === listAddress
  if (!canKeep) return
  for (const item of list?.querySelectorAll('[data-paper]') ?? []) {
    const state = item.querySelector('.kept-state')
    const isKept = await caches.match(item.querySelector('a').href) !== undefined
    state.lastElementChild.textContent = isKept ? 'Stored in this browser' : 'Not stored yet'
    state.hidden = false
  }
}

let syncTimer
function keepPapersLater (delayMs = syncDelayMs) {
  clearTimeout(syncTimer)
  syncTimer = setTimeout(async () => {
    try {
      // Tabs take turns.
      await navigator.locks.request('litfeed-offline', keepPapers)
      localStorage.setItem(syncedSetting, `${Date.now()} ${assetsVersion}`)
    } catch {}
    await showKept()
  }, delayMs)
}

const isSynced = () => {
  const [at, version] = (localStorage.getItem(syncedSetting) ?? '').split(' ')
  return version === assetsVersion && Date.now() - Number(at) < syncIntervalMs
}

/** Forms that are sent without a new token: there is no connection, or no session. */
const unrenewedForms = new WeakSet()

/** Keeps saved papers, and gives forms their tokens. */
export function startOffline () {
  if (account === undefined) {
    // Nobody is signed in, unless this page was kept itself, or is an error that came before the session was looked up.
    if (navigator.onLine && document.body.dataset.visitor !== 'unknown') deletePapers().catch(() => {})
  } else if (canKeep) {
    deletePapers(name => name !== `${paperCachesName}${account}`).catch(() => {})
    try { if (!isSynced() || document.getElementById('offline-reason') !== null) keepPapersLater() } catch {}
    document.addEventListener('litfeed:saved', () => keepPapersLater())
  }
  if (account !== undefined) showKept()

  // A kept page has no tokens. Its forms get them when they are sent.
  document.addEventListener('submit', async event => {
    const { target: form, submitter } = event
    const isSignOut = form.matches('.sign-out') && 'caches' in window
    const isBlank = account !== undefined && form.querySelector('[name=csrf_token][value=""]') !== null
    if (event.defaultPrevented || unrenewedForms.delete(form) || !(isSignOut || isBlank)) return
    event.preventDefault()
    const isRenewed = isBlank && await renewCsrfToken().catch(() => false)
    if (!isSignOut) {
      if (isRenewed !== true) unrenewedForms.add(form)
      return form.requestSubmit(submitter)
    }
    clearTimeout(syncTimer)
    try { localStorage.removeItem(syncedSetting) } catch {}
    await deletePapers().catch(() => {})
    form.submit()
  })
}
