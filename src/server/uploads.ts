import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { RateLimited } from '../errors/operation-errors.js'

/** Files of one account that may be on their way at once, in this process. */
const most = 2

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Lets a file come in, until it is answered or its sender is gone. It is held in memory meanwhile, so that an account sends few at once.
     * @throws RateLimited when as many are on their way
     */
    admitUpload: (accountId: string, reply: FastifyReply) => void
  }
}

export default fp(async function limitUploads (fastify) {
  const underWay = new Map<string, number>()
  fastify.decorate('admitUpload', (accountId: string, reply: FastifyReply) => {
    // Its sender went while it was found out who it is: nothing comes, and nothing would say that it ended.
    if (reply.raw.destroyed) return
    const others = underWay.get(accountId) ?? 0
    if (others >= most) throw new RateLimited(5, `${most} files of your account are on their way. Send this one when one of them is done.`)
    underWay.set(accountId, others + 1)
    reply.raw.once('close', () => {
      const left = underWay.get(accountId)! - 1
      if (left === 0) underWay.delete(accountId)
      else underWay.set(accountId, left)
    })
  })
}, { name: 'uploads', fastify: '5.x' })
