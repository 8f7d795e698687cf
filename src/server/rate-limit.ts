import fp from 'fastify-plugin'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimited } from '../errors/operation-errors.js'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts a call of an account.
     * @throws RateLimited if the account exceeds its calls per minute
     */
    countCall: (accountId: string) => Promise<void>
  }
}

/** Limits calls per account and minute, over MCP tools and REST together, in this process. 0: no limit. */
export default fp<{ rateLimit: number }>(async function limitRate (fastify, { rateLimit }) {
  const limiter = new RateLimiterMemory({ points: rateLimit, duration: 60 })
  fastify.decorate('countCall', async (accountId: string) => {
    if (rateLimit === 0) return
    try {
      await limiter.consume(accountId)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      throw new RateLimited(Math.max(1, Math.ceil(refused.msBeforeNext / 1000)))
    }
  })
}, { name: 'rate-limit', fastify: '5.x' })
