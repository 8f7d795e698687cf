import '@fastify/swagger'
import fp from 'fastify-plugin'
import { collectDefaultMetrics } from 'prom-client'
import { Forbidden } from '../errors/operation-errors.js'
import { gauges } from '../observability/gauges.js'
import type { ServiceContext } from '../operations/context.js'
import { version } from '../settings/version.js'
import { networkOf } from './client-network.js'
import { isOwnHost } from './hosts.js'
import { stateGauges } from './state-gauges.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts an MCP tool call. Labels must be Litfeed's own names, never a caller's. */
    countToolCall: (tool: string, outcome: string) => void
  }
}

/** How long a text is reused: it has up to thousands of series, and anyone in the network can request it. */
const cacheMs = 1000

/** Adds `/metrics` for Prometheus. Labels contain route patterns and Litfeed's own names: no secrets, no users. */
export default fp<{ context: ServiceContext, ownOrigins: () => string[] }>(async function metrics (fastify, { context, ownOrigins }) {
  const { registry, requests, toolCalls } = context.metrics
  const gauge = gauges(registry)
  collectDefaultMetrics({ register: registry })
  gauge('litfeed_info', 'Running version of Litfeed.', 'version').set({ version }, 1)
  const connections = gauge('litfeed_database_connections', 'Database connections of this process by state: in_use, idle.', 'state')
  const waiting = gauge('litfeed_database_waiting', 'Requests of this process that wait for a database connection.')
  const state = stateGauges(context)

  fastify.addHook('onResponse', async ({ method, routeOptions: { url } }, { statusCode: status, elapsedTime }) => {
    // Requests without a route or without credentials share their series: anyone could create one of every route.
    const labels = url === undefined || status === 401 ? { method: 'none', route: 'none', status } : { method, route: url, status }
    requests.observe(labels, elapsedTime / 1000)
  })
  fastify.decorate('countToolCall', (tool: string, outcome: string) => toolCalls.inc({ tool, outcome }))

  let cached: { writtenAt: number, bytes: Promise<Buffer> } | undefined
  async function readMetrics (): Promise<Buffer> {
    const now = context.now().getTime()
    if (cached === undefined || Math.abs(now - cached.writtenAt) >= cacheMs) cached = { writtenAt: now, bytes: writeMetrics() }
    return await cached.bytes
  }

  async function writeMetrics (): Promise<Buffer> {
    const pool = context.installation.pool()
    connections.set({ state: 'in_use' }, pool.inUse)
    connections.set({ state: 'idle' }, pool.idle)
    waiting.set(pool.waiting)
    await state.refresh()
    return Buffer.from(await registry.metrics())
  }

  fastify.get('/metrics', {
    schema: {
      operationId: 'metrics',
      summary: 'Metrics for Prometheus',
      tags: ['Operation'],
      response: { 200: { description: 'Prometheus text.', content: { 'text/plain': { schema: { type: 'string' } } } } }
    },
    async onRequest (request, reply) {
      await fastify.countAnonymous(networkOf(request))
      await fastify.admitRequest(`metrics ${networkOf(request)}`, request, reply)
    }
  }, async (request, reply) => {
    if (!isOwnHost(request.headers.host, ownOrigins())) {
      throw new Forbidden('Metrics are served under the address of the service only. Scrape it by IP address, or under the host of ' +
        'BASE_URL.')
    }
    return await reply.type(registry.contentType).send(await readMetrics())
  })
}, { name: 'metrics', fastify: '5.x' })
