import '@fastify/swagger'
import fp from 'fastify-plugin'
import { type Static, Type } from 'typebox'
import { Readiness, readiness } from '../operations/administration/readiness.js'
import type { ServiceContext } from '../operations/context.js'
import { version } from '../settings/version.js'

const Liveness = Type.Object({
  status: Type.String({ description: 'ok.' }),
  version: Type.String({ description: 'Version of the program.' })
}, { description: 'The process runs.' })

/** Adds `/healthz` (liveness) and `/readyz` (readiness; 503 while the service is not ready). */
export default fp<{ context: ServiceContext }>(async function health (fastify, { context }) {
  const alive = { operationId: 'healthz', summary: 'Liveness', tags: ['Operation'], response: { 200: Liveness } }
  fastify.get('/healthz', { schema: alive }, async () => ({ status: 'ok', version }))
  const answers = { 200: { ...Readiness, description: 'Ready.' }, 503: { ...Readiness, description: 'Not ready.' } }
  // Anyone may ask: requests at one time share one answer.
  let reading: Promise<Static<typeof Readiness>> | undefined
  const ready = { operationId: 'readyz', summary: 'Readiness', tags: ['Operation'], response: answers }
  fastify.get('/readyz', { schema: ready }, async (_request, reply) => {
    reading ??= readiness.run(context, {}).finally(() => { reading = undefined })
    const state = await reading
    return await reply.code(state.ready ? 200 : 503).send(state)
  })
}, { name: 'health', fastify: '5.x' })
