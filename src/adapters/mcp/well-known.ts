import type { FastifyPluginAsync } from 'fastify'

/** Where clients look for an OAuth server when a key was refused; some repeat the query, key and all. */
const paths = [
  '/.well-known/*', '/api/mcp/*', '/api/.well-known/*',
  '/register', '/authorize', '/token', '/oauth/*'
]

/** There is no OAuth server. Clients show people the description, so that it says what to do instead. */
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
      handler: async (_request, reply) => await reply.code(404).header('cache-control', 'no-store').send({
        error: 'access_denied',
        error_description: 'Litfeed has no OAuth. Send your API key as "Authorization: Bearer svcmcp_…", as "X-API-Key: svcmcp_…", or in the address as /api/mcp/?key=svcmcp_…. A refused key was replaced or revoked: make a new one.'
      })
    })
  }
}

export default wellKnown
