import '@fastify/swagger'
import fp from 'fastify-plugin'
import { readiness } from '../operations/administration/readiness.js'
import type { ServiceContext } from '../operations/context.js'
import { version } from '../settings/version.js'

/** Adds `/healthz` (liveness) and `/readyz` (readiness; 503 while the service is not ready). */
export default fp<{ context: ServiceContext }>(async function health (fastify, { context }) {
  fastify.get('/healthz', { schema: { summary: 'Liveness', tags: ['Operation'] } }, async () => ({ status: 'ok', version }))
  fastify.get('/readyz', { schema: { summary: 'Readiness', tags: ['Operation'] } }, async (_request, reply) => {
    const state = await readiness.run(context, {})
    return await reply.code(state.ready ? 200 : 503).send(state)
  })
}, { name: 'health', fastify: '5.x' })
