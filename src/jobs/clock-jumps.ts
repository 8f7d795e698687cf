/** A process that missed a heartbeat is late by less. */
const toleranceMs = 30_000
/** Every living process sends a heartbeat within this time. */
const settlingMs = 20_000

/**
 * Tells whether times from before can be compared with the database's clock. They cannot for 20 s after the clock was set or the machine
 * slept: until the next heartbeats, every running job would seem to be silent.
 * @param elapsed monotonic clock in milliseconds
 */
export function clockJumps (
  elapsed = () => performance.now()
): { isSettled: (databaseTime: Date) => boolean, unsettle: () => void } {
  let last: { time: number, elapsed: number } | undefined
  let settledAt = -Infinity
  return {
    isSettled (databaseTime) {
      const current = { time: databaseTime.getTime(), elapsed: elapsed() }
      const jump = last === undefined ? 0 : current.time - last.time - (current.elapsed - last.elapsed)
      last = current
      if (Math.abs(jump) > toleranceMs) settledAt = current.elapsed + settlingMs
      return current.elapsed >= settledAt
    },
    /** While the database did not answer, no process could send a heartbeat. */
    unsettle () { settledAt = elapsed() + settlingMs }
  }
}
