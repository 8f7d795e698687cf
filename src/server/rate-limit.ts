import fp from 'fastify-plugin'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { countUse } from '../errors/rate-limited.js'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts a call: by its key, or by its account if a person makes it, whose sessions count together. The keys of an account also count
     * together.
     * @throws RateLimited if the key, the keys or the person exceed their calls per minute
     */
    countCall: (caller: { account: { id: string }, key?: { id: string } | undefined }) => Promise<void>
    /**
     * Counts what an app asks MCP for while a person chooses and types, apart from calls: a prompt, a completion or a resource. A key may
     * make five times as many as calls. @throws RateLimited
     */
    countLookup: (caller: { account: { id: string }, key?: { id: string } | undefined }) => Promise<void>
    /**
     * Counts a request without an account: for a feed that anyone with its address can read, the metrics, or the description of the API.
     * @throws RateLimited if the network address exceeds its requests per minute
     */
    countAnonymous: (address: string) => Promise<void>
  }
}

const windowSeconds = 60

/** Keys of an account that may use up their limit at the same time. */
const busyKeys = 5

/** Prompts, completions and resources for each call: a completion is asked for with every letter. */
const lookupsOfCall = 5

/** Requests per minute from one address: a reader polls a feed a few times an hour. */
const maxAnonymousRequests = 120

/**
 * Limits calls per key and minute, over MCP tools and REST together, so that one assistant does not stop the others of its account. Also
 * limits the calls of all keys of an account, of people, and readers of feeds by address. In this process. 0: no limit.
 */
export default fp<{ rateLimit: number }>(async function limitRate (fastify, { rateLimit }) {
  const limiterOf = (points: number) => {
    const limiter = new RateLimiterMemory({ points, duration: windowSeconds })
    return async (key: string) => { if (rateLimit > 0) await countUse(limiter, key) }
  }
  const count = limiterOf(rateLimit)
  const countKeys = limiterOf(busyKeys * rateLimit)
  fastify.decorate('countCall', async ({ account, key }) => {
    if (key === undefined) return await count(`account ${account.id}`)
    await count(`key ${key.id}`)
    await countKeys(account.id)
  })
  const countLookups = limiterOf(lookupsOfCall * rateLimit)
  const countLookupsOfKeys = limiterOf(busyKeys * lookupsOfCall * rateLimit)
  fastify.decorate('countLookup', async ({ account, key }) => {
    if (key === undefined) return
    await countLookups(key.id)
    await countLookupsOfKeys(account.id)
  })
  fastify.decorate('countAnonymous', limiterOf(Math.min(rateLimit, maxAnonymousRequests)))
}, { name: 'rate-limit', fastify: '5.x' })
