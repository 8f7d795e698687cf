import type { FastifyPluginAsync } from 'fastify'
import type { ServiceContext } from '../../operations/context.js'
import { startSchedule } from './schedule.js'
import { tasks } from './tasks.js'
import { startWorkers } from './worker.js'

/** How long running jobs and maintenance may continue during shutdown. Then the jobs are released to the queue. */
const shutdownGraceMs = 6000

/** The background work of a process: starts when the server listens, and stops before it closes. */
const jobs: FastifyPluginAsync<{ context: ServiceContext }> = async (fastify, { context }) => {
  let stop = async () => {}
  fastify.addHook('onListen', async () => {
    const workers = startWorkers(context, tasks.filter(({ isPossible = () => true }) => isPossible(context)))
    const schedule = startSchedule(context)
    stop = async () => { await Promise.all([schedule.stop(shutdownGraceMs), workers.stop(shutdownGraceMs)]) }
  })
  // onClose would wait for requests first.
  fastify.addHook('preClose', async () => await stop())
}

export default jobs
