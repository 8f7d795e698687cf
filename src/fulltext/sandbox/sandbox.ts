import pLimit from 'p-limit'
import { type Converted, NotConvertible } from '../converted.js'
import type { Format } from './formats.js'
import { IsolatedProcess } from './process.js'

export interface IsolatedConverter {
  /** Throws NotConvertible, or the signal's reason. */
  convert (format: Format, bytes: Uint8Array, signal?: AbortSignal): Promise<Converted>
  /** Ends the processes; what they were converting fails. */
  close (): Promise<void>
}

export interface IsolatedOptions {
  /** Milliseconds for one document. */
  timeout?: number
  /** Bytes that each process may hold. */
  memory?: number
  /** PDFs at a time, and texts at a time, each in a process of its own: a text need not wait for a PDF's minute. */
  concurrency?: number
}

/** Bytes; larger files hold pictures, not text. */
const largest = 64 * 2 ** 20
/** A process is replaced after this many documents, or when it holds more than this part of its memory. */
const [mostDocuments, mostKept] = [50, 0.6]
/** Milliseconds that an idle process waits for another document. */
const idleTime = 30_000

/** Converts documents in processes of their own: whatever a document is made to do, it ends within the limits and leaves this process alone. */
export function isolatedConverter ({ timeout = 60_000, memory = 512 * 2 ** 20, concurrency = 1 }: IsolatedOptions = {}): IsolatedConverter {
  const [pdfs, texts] = [pLimit(concurrency), pLimit(concurrency)]
  const children = new Set<IsolatedProcess>()
  const idle = new Map<IsolatedProcess, NodeJS.Timeout>()
  let closed = false

  const end = async (child: IsolatedProcess) => {
    clearTimeout(idle.get(child))
    idle.delete(child)
    await child.kill()
    children.delete(child)
  }

  const take = (): IsolatedProcess => {
    for (const [child, timer] of idle) {
      clearTimeout(timer)
      idle.delete(child)
      if (!child.ended) return child
      children.delete(child)
    }
    const child = new IsolatedProcess({ timeout, memory })
    children.add(child)
    return child
  }

  const giveBack = async (child: IsolatedProcess) => {
    if (closed || child.ended || child.documents >= mostDocuments || await child.memory() > mostKept * memory) await end(child)
    else idle.set(child, setTimeout(() => { end(child) }, idleTime).unref())
  }

  return {
    async convert (format, bytes, signal) {
      if (bytes.length > largest) throw new NotConvertible('too_large', `The document has ${Math.round(bytes.length / 2 ** 20)} MiB; at most ${largest / 2 ** 20} MiB are converted.`)
      return await (format === 'pdf' ? pdfs : texts)(async () => {
        signal?.throwIfAborted()
        if (closed) throw new Error('The converter is closed.')
        const child = take()
        try {
          return await child.convert({ format, bytes }, signal)
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
