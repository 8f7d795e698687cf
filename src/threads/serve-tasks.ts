import { parentPort, type Transferable } from 'node:worker_threads'

/** A thread's answer to its task. */
export type TaskAnswer = { value: unknown } | { error: Error }

/**
 * Answers the tasks of a `WorkerPool`, one at a time; runs in its threads. @param transferOf buffers of a result that move to the pool's
 * thread
 */
export function serveTasks<Request, Answer> (
  run: (request: Request) => Answer | Promise<Answer>,
  transferOf: (value: Awaited<Answer>) => Transferable[] = () => []
): void {
  parentPort!.on('message', async (request: Request) => {
    try {
      const value = await run(request)
      parentPort!.postMessage({ value } satisfies TaskAnswer, transferOf(value))
    } catch (error) {
      parentPort!.postMessage({ error: error instanceof Error ? error : new Error(String(error)) } satisfies TaskAnswer)
    }
  })
}
