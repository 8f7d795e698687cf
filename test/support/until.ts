import { setTimeout as sleep } from 'node:timers/promises'

const timeoutMs = 60_000

/** Polls a condition until it is true. @throws Error after a minute */
export async function until (isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!await isTrue()) {
    if (Date.now() > end) throw new Error(`The condition was not true within ${timeoutMs / 1000} s.`)
    await sleep(20)
  }
}
