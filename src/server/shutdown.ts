import fp from 'fastify-plugin'
import { Unavailable } from '../errors/operation-errors.js'

/**
 * Rejects new requests during shutdown with 503 and closes keep-alive connections, which would otherwise delay the exit by more than a
 * minute.
 * Requests in flight complete.
 */
export default fp(async function shutdown (fastify) {
  let isClosing = false
  fastify.addHook('preClose', async () => { isClosing = true })
  fastify.addHook('onRequest', async () => {
    if (isClosing) throw new Unavailable('The service is stopping.')
  })
  fastify.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}, { name: 'shutdown', fastify: '5.x' })
