import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Milliseconds that a loop may run before others get their turn. */
const sliceMs = 8

/**
 * Returns a function for loops that must stay on the main thread: awaited in each iteration, it yields to the event loop when a time slice
 * is used up.
 */
export function timeSlices (): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < sliceMs) return undefined
    return yieldToEventLoop().then(() => { began = performance.now() })
  }
}
