import { hourMs, minuteMs } from '../../../schemas/durations.js'
import { DatabaseUnreachable } from '../../../db/errors.js'
import { maintenance } from '../../operations/administration/maintenance.js'
import { queueDue } from '../../operations/jobs/queue-due.js'
import type { ServiceContext } from '../../operations/context.js'

const tickIntervalMs = 5000
const maintenanceIntervalMs = hourMs
/** After maintenance lost the database. */
const maintenanceRetryMs = 5 * minuteMs

/**
 * Enqueues due work every five seconds and runs maintenance every hour. Every process does so without coordination: a job is enqueued once,
 * however many processes ask for it.
 */
export function startSchedule (context: ServiceContext): { stop: () => Promise<void> } {
  let current: Promise<void> | undefined
  // Monotonic: a clock that is set back does not delay maintenance.
  let maintenanceDueAt = -Infinity
  const tick = async () => {
    try {
      await queueDue.run(context, {})
    } catch (error) {
      context.log.warn({ err: error }, 'Due work could not be enqueued; the next tick retries.')
      // Maintenance can only make a database writable that can be reached.
      if (error instanceof DatabaseUnreachable) return
    }
    if (performance.now() < maintenanceDueAt) return
    maintenanceDueAt = performance.now() + maintenanceIntervalMs
    try {
      await maintenance.run(context, {})
    } catch (error) {
      context.log.warn({ err: error }, 'Maintenance was interrupted; it runs again in five minutes.')
      maintenanceDueAt = performance.now() + maintenanceRetryMs
    }
  }
  const start = () => { current ??= tick().finally(() => { current = undefined }) }
  start()
  const timer = setInterval(start, tickIntervalMs)
  return {
    async stop () {
      clearInterval(timer)
      await current
    }
  }
}
