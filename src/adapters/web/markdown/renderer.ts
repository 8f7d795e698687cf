import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { RenderedMarkdown } from './render.js'

export type { Heading, RenderedMarkdown } from './render.js'

/** Maximum length of a text on a page, in characters. */
export const maxRenderedCharacters = 2_000_000
/** Size of the cache, in characters of HTML. */
const maxCacheCharacters = 24_000_000
/** A timeout is cached for this time. */
const retryAfterMs = 600_000

/** A rendered text, or `too long` if rendering timed out. */
export type Rendering = RenderedMarkdown | 'too long'

const cache = new LRUCache<string, { rendering: Rendering }>({
  maxSize: maxCacheCharacters,
  sizeCalculation: ({ rendering }) => rendering === 'too long' ? 1 : rendering.html.length + 1
})
const limit = pLimit(1)
let thread: Worker | undefined

/** Renders a text as HTML in a worker thread, and caches the result. */
export async function renderInWorker (text: string, title: string, timeoutMs = 5000): Promise<Rendering> {
  const key = createHash('sha256').update(`${title}\0`).update(text).digest('base64url')
  const cached = cache.get(key)
  if (cached !== undefined) return cached.rendering
  return await limit(async () => {
    const rendering = cache.get(key)?.rendering ?? await render({ text: text.slice(0, maxRenderedCharacters), title }, timeoutMs)
    // The machine may be less busy later, so timeouts expire.
    cache.set(key, { rendering }, rendering === 'too long' ? { ttl: retryAfterMs } : {})
    return rendering
  })
}

async function render (request: { text: string, title: string }, timeoutMs: number): Promise<Rendering> {
  const worker = thread ??= startThread()
  const signal = AbortSignal.timeout(timeoutMs)
  worker.ref()
  try {
    worker.postMessage(request)
    const [rendered] = await once(worker, 'message', { signal }) as [RenderedMarkdown]
    return rendered
  } catch {
    // The worker timed out, ran out of memory or failed. The next text gets a new one.
    thread = undefined
    await worker.terminate()
    return 'too long'
  } finally {
    worker.unref()
  }
}

function startThread (): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: 256 }
  const worker = new Worker(new URL('./thread.js', import.meta.url), { execArgv: [], env: {}, resourceLimits })
  // The worker may run out of memory after a timeout; without a listener, its error would end the process.
  worker.on('error', () => { if (thread === worker) thread = undefined })
  return worker
}
