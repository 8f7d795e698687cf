import fp from 'fastify-plugin'
import { Unavailable } from '../errors/operation-errors.js'

/**
 * Refuses what comes once the service is closing, as each face refuses, and tells keep-alive clients to leave; it would wait more than a minute
 * for each otherwise. What began before is answered.
 */
export default fp(async function closing (fastify) {
  let isClosing = false
  fastify.addHook('preClose', async () => { isClosing = true })
  fastify.addHook('onRequest', async () => {
    if (isClosing) throw new Unavailable('The service is stopping.')
  })
  fastify.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}, { name: 'closing', fastify: '5.x' })
