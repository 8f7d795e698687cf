import pLimit from 'p-limit'
import { bytesPerMebibyte, mebibytes } from '../../../schemas/mebibytes.js'
import { backgroundMemory, type MemoryLease } from '../../threads/memory-budget.js'
import { type ConverterResult, type Document, NotConvertible, sizeOf } from '../converter-result.js'
import { conversionConcurrency, conversionMemoryBytes, conversionTimeoutMs, maxDocumentBytes } from '../limits.js'
import type { Format } from './formats.js'
import { SandboxProcess } from './process.js'

/** Converts untrusted documents in child processes, under limits of time and memory. */
export interface Sandbox {
  /** @throws NotConvertible, ConverterStopped, or the signal's reason */
  convert (format: Format, document: Document, signal?: AbortSignal): Promise<ConverterResult>
  /** Ends the processes; conversions under way fail. */
  close (): Promise<void>
}

/** Bounds of the sandbox; the defaults fit papers. */
export interface SandboxOptions {
  /** Milliseconds for one document. */
  timeout?: number
  /** Bytes that each process may hold. */
  memory?: number
  /** Concurrent PDFs, and concurrent texts. */
  concurrency?: number
}

/** A process is replaced after this many documents, or when it still holds more than this share of its memory. */
const [maxDocuments, maxMemoryShare] = [50, 0.6]
/** An idle process ends after this time. */
const idleTimeoutMs = 30_000

/** Starts a process at the first document. A hostile document ends within the limits and cannot reach this process. */
export function startSandbox (
  { timeout = conversionTimeoutMs, memory = conversionMemoryBytes, concurrency = conversionConcurrency }: SandboxOptions = {}
): Sandbox {
  const [pdfs, texts] = [pLimit(concurrency), pLimit(concurrency)]
  const children = new Map<SandboxProcess, MemoryLease>()
  const idle = new Map<SandboxProcess, NodeJS.Timeout>()
  let closed = false

  const end = async (child: SandboxProcess) => {
    clearTimeout(idle.get(child))
    idle.delete(child)
    await child.kill()
    children.get(child)?.release()
    children.delete(child)
  }

  /** Waits until there is memory for a process. */
  const requestMemory = async () => await new Promise<MemoryLease>(resolve => {
    const [idleChild] = idle.keys()
    backgroundMemory.request(Math.ceil(memory / bytesPerMebibyte), resolve, idleChild && children.get(idleChild))
  })

  const take = (lease: MemoryLease): SandboxProcess => {
    for (const [child, timer] of idle) {
      clearTimeout(timer)
      idle.delete(child)
      children.get(child)!.release()
      if (child.ended) children.delete(child)
      else {
        children.set(child, lease)
        return child
      }
    }
    const child = new SandboxProcess({ timeout, memory })
    children.set(child, lease)
    return child
  }

  const giveBack = async (child: SandboxProcess) => {
    const bytes = await child.memory()
    if (closed || child.ended || child.documents >= maxDocuments || bytes > maxMemoryShare * memory) return await end(child)
    idle.set(child, setTimeout(() => { end(child) }, idleTimeoutMs).unref())
    children.get(child)!.markIdle(Math.ceil(bytes / bytesPerMebibyte), () => { end(child) })
  }

  return {
    async convert (format, document, signal) {
      const size = sizeOf(document)
      if (size > maxDocumentBytes) {
        throw new NotConvertible(
          'too_large',
          `The document is ${mebibytes(size)}; the maximum is ${mebibytes(maxDocumentBytes)}.`
        )
      }
      return await (format === 'pdf' ? pdfs : texts)(async () => {
        signal?.throwIfAborted()
        const lease = await requestMemory()
        if (closed || signal?.aborted === true) {
          lease.release()
          signal?.throwIfAborted()
          throw new Error('The sandbox is closed.')
        }
        let child
        try {
          child = take(lease)
        } catch (cause) {
          lease.release()
          throw cause
        }
        try {
          return await child.convert({ format, document: document instanceof Uint8Array ? document : { path: document.path } }, signal)
        } finally {
          await giveBack(child)
        }
      })
    },
    async close () {
      closed = true
      await Promise.all([...children.keys()].map(end))
    }
  }
}
