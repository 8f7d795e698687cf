import '@fastify/swagger'
import fp from 'fastify-plugin'
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts the calls of MCP tools by tool and outcome; the labels are names of ours, never a caller's. */
    countToolCall: (tool: string, outcome: string) => void
  }
}

/** `/metrics`, for Prometheus. Labels hold route patterns and names of the service's own: no secret, no user. */
export default fp(async function metrics (fastify) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'litfeed_http_request_duration_seconds',
    help: 'Time to answer, by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry]
  })
  const toolCalls = new Counter({ name: 'litfeed_tool_calls_total', help: 'MCP tool calls, by tool and outcome.', labelNames: ['tool', 'outcome'] as const, registers: [registry] })

  fastify.addHook('onResponse', async (request, reply) => {
    requests.observe({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  fastify.decorate('countToolCall', (tool: string, outcome: string) => toolCalls.inc({ tool, outcome }))
  fastify.get('/metrics', { schema: { summary: 'Metrics for Prometheus', tags: ['Operation'] } }, async (_request, reply) =>
    await reply.type(registry.contentType).send(await registry.metrics()))
}, { name: 'metrics', fastify: '5.x' })
