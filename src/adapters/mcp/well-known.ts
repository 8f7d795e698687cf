import type { FastifyPluginAsync } from 'fastify'

/** Addresses where clients look for an OAuth server after a key was rejected. Some clients repeat the query with the key. */
const paths = [
  '/.well-known/*', '/api/mcp/*', '/api/.well-known/*',
  '/register', '/authorize', '/token', '/oauth/*'
]

/** Litfeed has no OAuth server. Clients show the description to people, so it says what to do instead. */
const wellKnown: FastifyPluginAsync = async fastify => {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume()
    done(null, undefined)
  })
  for (const url of paths) {
    fastify.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      schema: { hide: true },
      handler: async (_request, reply) =>
        await reply.code(404).send({
          error: 'access_denied',
          error_description:
            'Litfeed has no OAuth. Send your API key in the header Authorization (scheme: Bearer), in the header X-API-Key, or in the ' +
            'query parameter "key". If the key was rejected, it was replaced or revoked: the Connect page has a new one.'
        })
    })
  }
}

export default wellKnown
