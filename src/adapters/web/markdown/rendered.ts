import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { RenderedMarkdown } from './render.js'

export type { Heading, RenderedMarkdown } from './render.js'

/** Characters that a page shows of a text. */
export const mostShown = 2_000_000
/** Characters of HTML that are kept, and after how many milliseconds what took too long is tried again. */
const mostKept = 24_000_000
const triedAgain = 600_000

/** A text that takes too long is shown as it is written. */
export type Outcome = RenderedMarkdown | 'too long'

const kept = new LRUCache<string, { outcome: Outcome }>({ maxSize: mostKept, sizeCalculation: ({ outcome }) => outcome === 'too long' ? 1 : outcome.html.length + 1 })
const oneAtATime = pLimit(1)
let thread: Worker | undefined

/** A text as HTML, made off the thread that answers requests, and kept for the next reader. @param patience milliseconds that making it may take */
export async function renderedMarkdown (text: string, title: string, patience = 5000): Promise<Outcome> {
  const key = createHash('sha256').update(`${title}\0`).update(text).digest('base64url')
  const known = kept.get(key)
  if (known !== undefined) return known.outcome
  return await oneAtATime(async () => {
    const outcome = kept.get(key)?.outcome ?? await made({ text: text.slice(0, mostShown), title }, patience)
    // Another time the machine may be less busy.
    kept.set(key, { outcome }, outcome === 'too long' ? { ttl: triedAgain } : {})
    return outcome
  })
}

async function made (asked: { text: string, title: string }, patience: number): Promise<Outcome> {
  const worker = thread ??= startThread()
  const signal = AbortSignal.timeout(patience)
  worker.ref()
  try {
    worker.postMessage(asked)
    const [rendered] = await once(worker, 'message', { signal }) as [RenderedMarkdown]
    return rendered
  } catch {
    // Out of time or memory, or broken: the next text gets a new thread.
    thread = undefined
    await worker.terminate()
    return 'too long'
  } finally {
    worker.unref()
  }
}

function startThread (): Worker {
  const worker = new Worker(new URL('./thread.js', import.meta.url), { execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: 256 } })
  // It may run out of memory after its text was given up; an error that nobody hears would end the service.
  worker.on('error', () => { if (thread === worker) thread = undefined })
  return worker
}
