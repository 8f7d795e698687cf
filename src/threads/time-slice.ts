/** Milliseconds that a loop may run before others get their turn. */
const sliceMs = 8

/** Loops whose slice is used up, in the order in which they continue. */
const waiting: Array<() => void> = []

/** Continues one loop in each turn of the event loop: together, the slices of many would hold up requests like one long loop. */
function continueNext (): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(continueNext)
}

const waitForTurn = (): Promise<void> => new Promise(resolve => {
  waiting.push(resolve)
  if (waiting.length === 1) setImmediate(continueNext)
})

/**
 * Returns a function for loops that must stay on the main thread: awaited in each iteration, it yields to the event loop when a time slice
 * is used up.
 */
export function timeSlices (): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < sliceMs) return undefined
    return waitForTurn().then(() => { began = performance.now() })
  }
}
