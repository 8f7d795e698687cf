import fp from 'fastify-plugin'

/**
 * Time without progress after which a socket is checked. Node.js notices a write that stalls at the second check, so after 28 s at most.
 */
export const stalledWriteMs = 14_000

/**
 * Closes connections whose peer does not read its response, which would hold the response in memory. A response that makes progress is
 * spared, and so is a request that is still being processed. Requires `connectionTimeout: stalledWriteMs`.
 */
export default fp(async function closeUnreadResponses (fastify) {
  fastify.addHook('onRequest', async (request, { raw }) => {
    // Without a listener Node.js would close every connection without traffic, also those of slow operations.
    raw.on('timeout', () => {
      if (raw.writableLength === 0 && (raw.socket?.writableLength ?? 0) === 0) return
      request.log.warn({ path: request.routeOptions.url }, 'Closed a connection whose client did not read the response.')
      raw.destroy()
    })
  })
}, { name: 'unread-responses', fastify: '5.x' })
