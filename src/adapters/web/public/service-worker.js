/*
 * Reading without a connection. Answers two kinds of requests only: assets, whose names have a hash of their content, and pages that the
 * network does not answer, from the papers that offline.js has kept. Never stores an answer of another kind.
 */
/* global assets, version */
const base = new URL('./', self.location.href).pathname
const assetCache = `litfeed-assets-${version}`
const paperCaches = 'litfeed-papers-'

self.addEventListener('install', event => {
  event.waitUntil((async () => {
    const cache = await caches.open(assetCache)
    await cache.addAll(assets.map(path => `${base}${path.slice(1)}`))
    await self.skipWaiting()
  })())
})

self.addEventListener('activate', event => {
  event.waitUntil((async () => {
    await self.registration.navigationPreload?.enable()
    await self.clients.claim()
  })())
})

self.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || !pathname.startsWith(base)) return
  const path = pathname.slice(base.length)
  if (path.startsWith('assets/')) event.respondWith(assetOf(request))
  else if (request.mode === 'navigate' && !path.startsWith('api/')) event.respondWith(pageOf(event, path))
})

/** A file never changes under its name. Caches of older versions are kept until their pages have been replaced. */
async function assetOf (request) {
  const known = await caches.match(request, { ignoreVary: true }).catch(() => undefined)
  if (known !== undefined) return known
  const response = await fetch(request)
  // A full disk must not break a page that has a connection.
  try { if (response.ok) await (await caches.open(assetCache)).put(request, response.clone()) } catch {}
  return response
}

async function pageOf (event, path) {
  try {
    return await event.preloadResponse ?? await fetch(event.request)
  } catch (error) {
    return await keptPage(path) ?? Promise.reject(error)
  }
}

/** The kept page of a paper, else the list of those that are kept. */
async function keptPage (path) {
  for (const name of await caches.keys()) {
    if (!name.startsWith(paperCaches)) continue
    const cache = await caches.open(name)
    const page = async address => await cache.match(`${base}${address}`, { ignoreVary: true })
    const kept = await page(path)
    if (kept === undefined) return await page('offline')
    // Other ids of a paper lead to its page.
    const paper = kept.headers.get('x-paper')
    return paper === null ? kept : await page(`papers/${paper}`)
  }
}
