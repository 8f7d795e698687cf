import fp from 'fastify-plugin'

/** Cache-Control of every response that does not state that it is public. */
const privateCacheControl = 'private, no-store'

/** Headers that keep a response out of caches, and browsers from guessing its type. */
export const privateHeaders = { 'cache-control': privateCacheControl, 'x-content-type-options': 'nosniff' }

/** Keeps responses out of caches, and browsers from guessing their type. Routes of public files override Cache-Control. */
export default fp(async function privateResponses (fastify) {
  fastify.addHook('onRequest', async (_request, reply) => {
    reply.headers(privateHeaders)
  })
}, { name: 'private-responses', fastify: '5.x' })
