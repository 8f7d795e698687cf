import fp from 'fastify-plugin'
import { readTrace, type Trace } from '../observability/trace.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace that its caller counts the request to. */
    trace: Trace | undefined
  }
}

/** Gives every answer its request's id, and every request the trace that its caller has told. */
export default fp(async function tracing (fastify) {
  fastify.decorateRequest('trace', undefined)
  fastify.addHook('onRequest', async (request, reply) => {
    request.trace = readTrace(request.headers.traceparent)
    reply.header('x-request-id', request.id)
  })
}, { name: 'tracing', fastify: '5.x' })
