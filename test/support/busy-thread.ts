import { serveTasks } from '../../src/threads/serve-tasks.js'

/** Request to the thread of worker-pool.test.ts. */
export interface BusyTask { sleepMs?: number, spin?: boolean, fill?: boolean, fail?: string, answer?: number }

serveTasks(async ({ sleepMs = 0, spin = false, fill = false, fail, answer = 0 }: BusyTask) => {
  await new Promise(resolve => { setTimeout(resolve, sleepMs) })
  // Until the pool ends the thread.
  if (spin) for (;;) Math.random()
  const kept: unknown[] = []
  if (fill) for (;;) kept.push(Array.from({ length: 10_000 }, (_each, at) => ({ at })))
  if (fail !== undefined) throw new RangeError(fail)
  return answer
})
