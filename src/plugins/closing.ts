import fp from 'fastify-plugin'

/** Tells keep-alive clients to leave once the service is closing; it would wait more than a minute for each otherwise. */
export default fp(async function closing (fastify) {
  let isClosing = false
  fastify.addHook('preClose', async () => { isClosing = true })
  fastify.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}, { name: 'closing', fastify: '5.x' })
