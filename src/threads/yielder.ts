/** Milliseconds that loops, together, may run in one turn of the event loop. */
const sliceMs = 5

/** When the first loop of this turn began to run. */
let began: number | undefined
/** Loops that found the slice used up, in the order in which they continue. */
const waiting: Array<() => void> = []
let isScheduled = false

function scheduleNextTurn (): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(startTurn)
}

/** Continues one loop: all at once, or several that begin in one turn, would hold up requests like one long loop. */
function startTurn (): void {
  isScheduled = false
  const next = waiting.shift()
  began = next === undefined ? undefined : performance.now()
  next?.()
  if (next !== undefined) scheduleNextTurn()
}

/**
 * Returns a function for loops that must stay on the main thread: awaited in each iteration, it yields to the event loop when the slice of
 * this turn is used up, by this loop or by others.
 */
export function createYielder (): () => Promise<void> | undefined {
  const start = () => {
    began ??= performance.now()
    scheduleNextTurn()
    return began
  }
  start()
  return () => {
    if (performance.now() - start() < sliceMs) return undefined
    return new Promise(resolve => { waiting.push(resolve) })
  }
}
