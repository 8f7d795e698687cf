import type { FastifyPluginAsync } from 'fastify'
import type { ServiceContext } from '../../operations/context.js'
import { tasks } from './tasks.js'
import { startTicker } from './ticker.js'
import { startWorkers } from './worker.js'

/** How long jobs may go on once the process is told to stop, in milliseconds; what is not done then is returned to the queue. */
const patience = 6000

/** The background work of a process: it begins when the service listens, and ends before the service closes. */
const jobs: FastifyPluginAsync<{ context: ServiceContext }> = async (fastify, { context }) => {
  let stop = async () => {}
  fastify.addHook('onListen', async () => {
    const workers = startWorkers(context, tasks)
    const ticker = startTicker(context)
    stop = async () => { await Promise.all([ticker.stop(), workers.stop(patience)]) }
  })
  // Not onClose, which waits for requests: jobs and requests end side by side.
  fastify.addHook('preClose', async () => await stop())
}

export default jobs
