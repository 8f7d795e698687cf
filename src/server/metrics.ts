import '@fastify/swagger'
import fp from 'fastify-plugin'
import { collectDefaultMetrics } from 'prom-client'
import { Forbidden } from '../errors/operation-errors.js'
import { gauges } from '../observability/gauges.js'
import type { ServiceContext } from '../operations/context.js'
import { version } from '../settings/version.js'
import { isOwnHost } from './hosts.js'
import { stateGauges } from './state-gauges.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts an MCP tool call. Labels must be Litfeed's own names, never a caller's. */
    countToolCall: (tool: string, outcome: string) => void
  }
}

/** Adds `/metrics` for Prometheus. Labels contain route patterns and Litfeed's own names: no secrets, no users. */
export default fp<{ context: ServiceContext, ownOrigins: () => string[] }>(async function metrics (fastify, { context, ownOrigins }) {
  const { registry, requests, toolCalls } = context.metrics
  const gauge = gauges(registry)
  collectDefaultMetrics({ register: registry })
  gauge('litfeed_info', 'Running version of Litfeed.', 'version').set({ version }, 1)
  const connections = gauge('litfeed_database_connections', 'Database connections of this process by state: in_use, idle.', 'state')
  const waiting = gauge('litfeed_database_waiting', 'Requests of this process that wait for a database connection.')
  const state = stateGauges(context)

  fastify.addHook('onResponse', async (request, reply) => {
    requests.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000
    )
  })
  fastify.decorate('countToolCall', (tool: string, outcome: string) => toolCalls.inc({ tool, outcome }))
  fastify.get('/metrics', { schema: { summary: 'Metrics for Prometheus', tags: ['Operation'] } }, async (request, reply) => {
    if (!isOwnHost(request.headers.host, ownOrigins())) {
      throw new Forbidden('Metrics are served under the address of the service only. Scrape it by IP address, or under the host of ' +
        'BASE_URL.')
    }
    const pool = context.installation.pool()
    connections.set({ state: 'in_use' }, pool.inUse)
    connections.set({ state: 'idle' }, pool.idle)
    waiting.set(pool.waiting)
    await state.refresh()
    return await reply.type(registry.contentType).send(await registry.metrics())
  })
}, { name: 'metrics', fastify: '5.x' })
