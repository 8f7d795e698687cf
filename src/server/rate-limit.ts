import fp from 'fastify-plugin'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { rateLimited } from '../errors/rate-limited.js'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts a call of an account.
     * @throws RateLimited if the account exceeds its calls per minute
     */
    countCall: (accountId: string) => Promise<void>
  }
}

const windowSeconds = 60

/** Limits calls per account and minute, over MCP tools and REST together, in this process. 0: no limit. */
export default fp<{ rateLimit: number }>(async function limitRate (fastify, { rateLimit }) {
  const limiter = new RateLimiterMemory({ points: rateLimit, duration: windowSeconds })
  fastify.decorate('countCall', async (accountId: string) => {
    if (rateLimit === 0) return
    try {
      await limiter.consume(accountId)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      throw rateLimited(refused, windowSeconds)
    }
  })
}, { name: 'rate-limit', fastify: '5.x' })
