import { maintenance } from '../../operations/administration/maintenance.js'
import type { ServiceContext } from '../../operations/context.js'
import { queueDue } from '../../operations/jobs/queue-due.js'

const often = 5000
const hourly = 60 * 60 * 1000

/**
 * Queues what is due, and tidies up now and then. Every process does so; since a job is queued once however often it is asked for,
 * they need not agree on who does.
 */
export function startTicker (context: ServiceContext): { stop: () => Promise<void> } {
  let busy: Promise<void> = Promise.resolve()
  let idle = true
  let tidied = 0
  const tick = async () => {
    try {
      await queueDue.run(context, {})
      if (Date.now() - tidied < hourly) return
      tidied = Date.now()
      await maintenance.run(context, {})
    } catch (error) {
      context.log.warn({ err: error }, 'What is due could not be queued; it is tried again.')
    }
  }
  const begin = () => {
    if (!idle) return
    idle = false
    busy = tick().finally(() => { idle = true })
  }
  begin()
  const timer = setInterval(begin, often)
  return {
    async stop () {
      clearInterval(timer)
      await busy
    }
  }
}
