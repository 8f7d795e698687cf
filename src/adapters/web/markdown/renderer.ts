import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { hourMs } from '../../../../schemas/durations.js'
import { accountSlots } from '../../../accounts/account-slots.js'
import { RateLimited } from '../../../errors/operation-errors.js'
import { TaskStopped, WorkerPool } from '../../../threads/worker-pool.js'
import type { RenderedMarkdown } from './render.js'

export type { Heading, RenderedMarkdown } from './render.js'

/** Maximum length of a text on a page, in characters. */
export const maxRenderedCharacters = 2_000_000
/** Length from which a text is long. Its formatting can take all memory and time of a thread. */
const minLongCharacters = 500_000
/** One long text is formatted at a time, which leaves a thread for others. Those that wait are in memory, with 2 to 4 MB each. */
const longTexts = accountSlots({ name: 'text', running: 1, perAccount: 2, waiting: 10 })
/** Size of the cache, in characters of HTML. */
const maxCacheCharacters = 24_000_000
/** A timeout is cached for this time. */
const retryAfterMs = 600_000

/** A rendered text, `too long` if rendering timed out or the HTML is too long for a page, or `busy` if too many texts wait. */
export type Rendering = RenderedMarkdown | 'too long' | 'busy'

const cache = new LRUCache<string, { rendering: Rendering }>({
  maxSize: maxCacheCharacters,
  sizeCalculation: ({ rendering }) => typeof rendering === 'string' ? 1 : rendering.html.length + 1
})
const threads = new WorkerPool<{ text: string, title: string }, RenderedMarkdown>({
  name: 'Formatting',
  program: new URL('./thread.js', import.meta.url),
  size: 2,
  timeoutMs: 5000,
  maxHeapMb: 256,
  // A text that takes long delays only others of its owner.
  maxRunningPerOwner: 1,
  maxWaiting: 50,
  // A thread takes a part of the timeout to start.
  idleTimeoutMs: hourMs
})
/** Texts that are being rendered or wait, by owner and key: an owner who opens a text again waits for the same rendering. */
const inProgress = new Map<string, Promise<Rendering>>()

/** Options of rendering one text. */
export interface RenderOptions {
  /** The account that waits for it. */
  owner?: string
  /** Milliseconds that rendering may take. Default: 5 s. */
  timeoutMs?: number
}

/** Renders a text as HTML in a worker thread, and caches the result. */
export async function renderInWorker (text: string, title: string, options: RenderOptions = {}): Promise<Rendering> {
  const shown = text.slice(0, maxRenderedCharacters)
  const key = createHash('sha256').update(`${title}\0`).update(shown).digest('base64url')
  const cached = cache.get(key)
  if (cached !== undefined) return cached.rendering
  const ownKey = `${options.owner ?? ''} ${key}`
  const rendering = inProgress.get(ownKey) ??
    render(key, { text: shown, title }, options).finally(() => inProgress.delete(ownKey))
  inProgress.set(ownKey, rendering)
  return await rendering
}

async function render (key: string, request: { text: string, title: string }, options: RenderOptions): Promise<Rendering> {
  try {
    const run = async () => await threads.run(request, options)
    const rendering = await (request.text.length < minLongCharacters ? run() : longTexts(options.owner ?? '', run))
    cache.set(key, { rendering })
    return rendering
  } catch (error) {
    if (error instanceof RateLimited || (error instanceof TaskStopped && error.reason === 'queue_full')) return 'busy'
    // The thread timed out, ran out of memory or failed, or the HTML is too long. The machine may be less busy later, so this expires.
    cache.set(key, { rendering: 'too long' }, { ttl: retryAfterMs })
    return 'too long'
  }
}
