import { setTimeout as sleep } from 'node:timers/promises'

/** Ends tests that would wait forever; nothing that passes comes near it. */
const timeoutMs = 180_000
/** The pause grows, because conditions that read a feed keep the processor from the work they wait for. */
const [firstPauseMs, maxPauseMs] = [10, 160]

/** Polls a condition until it is true. @throws Error after three minutes */
export async function until (isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + timeoutMs
  for (let pauseMs = firstPauseMs; !await isTrue(); pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)) {
    if (Date.now() > end) throw new Error(`The condition was not true within ${timeoutMs / 1000} s.`)
    await sleep(pauseMs)
  }
}
