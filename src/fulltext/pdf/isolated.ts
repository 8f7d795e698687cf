import pLimit from 'p-limit'
import { type Converted, NotConvertible } from '../converted.js'
import { IsolatedChild } from './isolated-child.js'

export interface PdfConverter {
  /** Throws NotConvertible, or the signal's reason. */
  convert (bytes: Uint8Array, signal?: AbortSignal): Promise<Converted>
  /** Ends the processes; what they were converting fails. */
  close (): Promise<void>
}

export interface IsolatedPdfOptions {
  /** Milliseconds for one document. */
  timeout?: number
  /** Bytes that each process may hold. */
  memory?: number
  /** Documents at a time, each in a process of its own. */
  concurrency?: number
}

/** Bytes; larger files hold pictures, not text. */
const largest = 64 * 2 ** 20
/** A process is replaced after this many documents, or when it holds more than this part of its memory. */
const [mostDocuments, mostKept] = [50, 0.6]
/** Milliseconds that an idle process waits for another document. */
const idleTime = 30_000

/** Converts PDFs in processes of their own: whatever a document is made to do, it ends within the limits and leaves this process alone. */
export function isolatedPdfConverter ({ timeout = 60_000, memory = 512 * 2 ** 20, concurrency = 1 }: IsolatedPdfOptions = {}): PdfConverter {
  const limit = pLimit(concurrency)
  const children = new Set<IsolatedChild>()
  const idle = new Map<IsolatedChild, NodeJS.Timeout>()
  let closed = false

  const end = async (child: IsolatedChild) => {
    clearTimeout(idle.get(child))
    idle.delete(child)
    await child.kill()
    children.delete(child)
  }

  const take = (): IsolatedChild => {
    for (const [child, timer] of idle) {
      clearTimeout(timer)
      idle.delete(child)
      if (!child.ended) return child
      children.delete(child)
    }
    const child = new IsolatedChild({ timeout, memory })
    children.add(child)
    return child
  }

  const giveBack = async (child: IsolatedChild) => {
    if (closed || child.ended || child.documents >= mostDocuments || await child.memory() > mostKept * memory) await end(child)
    else idle.set(child, setTimeout(() => { end(child) }, idleTime).unref())
  }

  return {
    async convert (bytes, signal) {
      if (bytes.length > largest) throw new NotConvertible('too_large', `The PDF has ${Math.round(bytes.length / 2 ** 20)} MiB; at most ${largest / 2 ** 20} MiB are converted.`)
      return await limit(async () => {
        signal?.throwIfAborted()
        if (closed) throw new Error('The PDF converter is closed.')
        const child = take()
        try {
          return await child.convert(bytes, signal)
        } finally {
          await giveBack(child)
        }
      })
    },
    async close () {
      closed = true
      await Promise.all([...children].map(end))
    }
  }
}
