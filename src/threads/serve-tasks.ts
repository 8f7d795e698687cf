import { getHeapStatistics } from 'node:v8'
import { parentPort, type Transferable } from 'node:worker_threads'
import { bytesPerMebibyte } from '../../schemas/mebibytes.js'

/** A thread's answer to its task, and the MiB of its heap. */
export type TaskAnswer = ({ value: unknown } | { error: Error }) & { heapMb: number }

/** Milliseconds without a task after which a thread collects its garbage, also that of its start. */
const idleMs = 1000

const heapMb = () => Math.ceil(getHeapStatistics().total_heap_size / bytesPerMebibyte)

/**
 * Answers the tasks of a `WorkerPool`, one at a time; runs in its threads. @param transferOf buffers of a result that move to the pool's
 * thread
 */
export function serveTasks<Request, Answer> (
  run: (request: Request) => Answer | Promise<Answer>,
  transferOf: (value: Awaited<Answer>) => Transferable[] = () => []
): void {
  // Idle threads would keep it, since V8 collects when a heap grows. Node.js has gc() only if it was started with --expose-gc.
  const collection = setTimeout(() => { globalThis.gc?.() }, idleMs).unref()
  parentPort!.on('message', async (request: Request) => {
    collection.refresh()
    try {
      const value = await run(request)
      parentPort!.postMessage({ value, heapMb: heapMb() } satisfies TaskAnswer, transferOf(value))
    } catch (error) {
      const answer: TaskAnswer = { error: error instanceof Error ? error : new Error(String(error)), heapMb: heapMb() }
      parentPort!.postMessage(answer)
    }
    collection.refresh()
  })
}
