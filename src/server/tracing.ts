import fp from 'fastify-plugin'
import { readTrace, type Trace } from '../observability/trace.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Trace context that the caller sent. */
    trace: Trace | undefined
  }
}

/** Adds X-Request-Id to every response, and the caller's trace context to every request. */
export default fp(async function tracing (fastify) {
  fastify.decorateRequest('trace', undefined)
  fastify.addHook('onRequest', async (request, reply) => {
    request.trace = readTrace(request.headers.traceparent)
    reply.header('x-request-id', request.id)
  })
}, { name: 'tracing', fastify: '5.x' })
