import { setTimeout as sleep } from 'node:timers/promises'
import { hourMs, minuteMs } from '../../../schemas/durations.js'
import { DatabaseUnreachable } from '../../../db/errors.js'
import { maintenance } from '../../operations/administration/maintenance.js'
import { queueDue } from '../../operations/jobs/queue-due.js'
import type { ServiceContext } from '../../operations/context.js'

const maintenanceIntervalMs = hourMs
/** After maintenance lost the database. */
const maintenanceRetryMs = 5 * minuteMs

/** The ticker that queues due work. */
export interface Schedule {
  /** Ends after `graceMs` at the latest: what maintenance leaves, the next one continues. */
  stop: (graceMs: number) => Promise<void>
}

/**
 * Enqueues due work every five seconds and runs maintenance every hour, beside it, since it can take minutes. Every process does so without
 * coordination: a job is enqueued once, however many processes ask for it.
 */
export function startSchedule (context: ServiceContext, tickIntervalMs = 5000): Schedule {
  const stopping = new AbortController()
  let enqueuing: Promise<void> | undefined
  let maintaining: Promise<void> | undefined
  // Monotonic: a clock that is set back does not delay maintenance.
  let maintenanceDueAt = -Infinity
  const enqueue = async () => {
    try {
      await queueDue.run(context, {})
    } catch (error) {
      context.log.warn({ err: error }, 'Due work could not be enqueued; the next tick retries.')
      // Maintenance can only make a database writable that can be reached.
      if (error instanceof DatabaseUnreachable) return
    }
    if (performance.now() >= maintenanceDueAt && !stopping.signal.aborted) {
      maintaining ??= maintain().finally(() => { maintaining = undefined })
    }
  }
  const maintain = async () => {
    maintenanceDueAt = performance.now() + maintenanceIntervalMs
    try {
      await maintenance.run({ ...context, signal: stopping.signal }, {})
    } catch (error) {
      if (stopping.signal.aborted) return
      context.log.warn({ err: error }, 'Maintenance was interrupted; it runs again in five minutes.')
      maintenanceDueAt = performance.now() + maintenanceRetryMs
    }
  }
  const tick = () => { enqueuing ??= enqueue().finally(() => { enqueuing = undefined }) }
  tick()
  const timer = setInterval(tick, tickIntervalMs)
  return {
    async stop (graceMs) {
      clearInterval(timer)
      stopping.abort()
      const grace = new AbortController()
      await Promise.race([Promise.all([enqueuing, maintaining]), sleep(graceMs, undefined, { signal: grace.signal }).catch(() => {})])
      grace.abort()
    }
  }
}
