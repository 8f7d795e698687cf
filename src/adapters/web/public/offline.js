/*
 * Keeps the pages of saved papers in this browser, in a cache for each account. Signing out, and any page without an account, deletes them.
 * Tokens of forms are left out of what is kept.
 */
/* global account */
const { offline: offlineAddress, worker: workerAddress, version: assetsVersion } = document.body.dataset
const paperCachesName = 'litfeed-papers-'
const syncedSetting = `litfeed-offline-${account}`
const syncIntervalMs = 10 * 60_000
const syncDelayMs = 2000
const canKeep = 'serviceWorker' in navigator && 'caches' in window
const listAddress = new URL(offlineAddress ?? '', location.href).href

async function deletePapers (isDeleted = () => true) {
  if (!('caches' in window)) return
  for (const name of await caches.keys()) if (name.startsWith(paperCachesName) && isDeleted(name)) await caches.delete(name)
}

const fetchPage = async href => {
  const answer = await fetch(href, { headers: { accept: 'text/html' } })
  if (!answer.ok || answer.redirected) throw new Error(`${href} returned ${answer.status}`)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  // The session may have ended, or be another account's.
  if (page.body.dataset.account !== account) throw new Error('signed out')
  for (const field of page.querySelectorAll('[name=csrf_token]')) field.setAttribute('value', '')
  return page
}

const responseOf = (page, version = '') => new Response(`<!doctype html>\n${page.documentElement.outerHTML}`, {
  headers: { 'content-type': 'text/html; charset=utf-8', 'x-version': encodeURIComponent(version) }
})

/** Keeps the saved papers that are new or have changed, and deletes the others. */
async function keepPapers () {
  const list = await fetchPage(listAddress)
  const isUsed = await navigator.serviceWorker.getRegistration(workerAddress) !== undefined
  if (!isUsed && list.querySelector('[data-paper]') === null) return
  if (await navigator.serviceWorker.register(workerAddress) === undefined) return
  const cache = await caches.open(`${paperCachesName}${account}`)
  await cache.put(listAddress, responseOf(list))
  const wanted = new Set([listAddress])
  for (const { dataset: { paper, refs, version } } of list.querySelectorAll('[data-paper]')) {
    const addressOf = ref => new URL(`papers/${ref}`, listAddress).href
    for (const ref of refs.split(' ')) wanted.add(addressOf(ref))
    const kept = await cache.match(addressOf(paper))
    if (kept?.headers.get('x-version') === encodeURIComponent(version)) continue
    try {
      await cache.put(addressOf(paper), responseOf(await fetchPage(addressOf(paper)), version))
    } catch (error) {
      if (error.message === 'signed out' || !navigator.onLine) throw error
      continue
    }
    for (const ref of refs.split(' ')) {
      if (ref !== paper) await cache.put(addressOf(ref), new Response('', { headers: { 'x-paper': paper } }))
    }
  }
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request)
  await deleteOldAssets()
}

/** Every kept page uses the files of this version by now. */
async function deleteOldAssets () {
  const names = (await caches.keys()).filter(name => name.startsWith('litfeed-assets-'))
  const current = `litfeed-assets-${assetsVersion}`
  if (names.includes(current)) for (const name of names) if (name !== current) await caches.delete(name)
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
    state.lastElementChild.textContent = isKept ? 'Kept in this browser' : 'Not kept yet'
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

if (account === undefined) {
  // Nobody is signed in, unless this page was kept itself.
  if (navigator.onLine) deletePapers().catch(() => {})
} else if (canKeep) {
  deletePapers(name => name !== `${paperCachesName}${account}`).catch(() => {})
  try { if (!isSynced() || document.getElementById('offline-reason') !== null) keepPapersLater() } catch {}
  document.addEventListener('litfeed:saved', () => keepPapersLater())
}
if (account !== undefined) showKept()

document.addEventListener('submit', event => {
  const form = event.target
  if (!form.matches('.sign-out') || !('caches' in window)) return
  event.preventDefault()
  clearTimeout(syncTimer)
  try { localStorage.removeItem(syncedSetting) } catch {}
  deletePapers().catch(() => {}).finally(() => form.submit())
})
