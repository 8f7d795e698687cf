import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { rateLimited } from '../../errors/rate-limited.js'
import { atomFeed, atomFeedNotFound } from '../../operations/feed/atom-feed.js'
import type { ServiceContext } from '../../operations/context.js'
import { atomOf } from './atom.js'

const secondMs = 1000
const windowSeconds = 60
/** Requests per minute from one address: a reader polls a feed a few times an hour. */
const maxRequestsPerMinute = 120
interface Validators { etag: string, 'last-modified'?: string }

/** The current version of each feed, and since when it is current. */
const versions = new LRUCache<string, { etag: string, since: number }>({ max: 1000 })

/**
 * Returns the validators of a feed's text. Its age is the time since this process first served it, because the dates of papers miss changed
 * abstracts, changed scores and removed items. HTTP dates have seconds; the ETag distinguishes two texts within a second.
 */
function validatorsOf (address: string, text: string, now: number): Validators {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  const before = versions.get(address)
  const since = before?.etag === etag ? before.since : Math.max(now, before === undefined ? 0 : before.since + secondMs)
  versions.set(address, { etag, since })
  return { etag, ...(since <= now ? { 'last-modified': new Date(since).toUTCString() } : {}) }
}

/** Whether the reader's copy is current. If the reader sends an ETag, only that counts. @see RFC 9110, section 13.2.2 */
function isCurrent (headers: IncomingHttpHeaders, { etag, 'last-modified': modified = '' }: Validators): boolean {
  const etags = headers['if-none-match']
  if (etags !== undefined) return etags.split(',').some(each => ['*', etag].includes(each.trim().replace(/^W\//, '')))
  return Date.parse(modified) <= Date.parse(headers['if-modified-since'] ?? '')
}

/** Makes a malformed address look like one with a wrong token. */
const hideMalformedAddress = (error: unknown): never => {
  throw error instanceof InvalidArguments || error instanceof ProjectNotFound ? atomFeedNotFound() : error
}

/** Atom feeds for feed readers and reference managers, with validators for cheap polling. */
const feeds: FastifyPluginAsync<{ context: ServiceContext, rateLimit: number }> = async (fastify, { context, rateLimit }) => {
  const limiter = new RateLimiterMemory({ points: Math.min(rateLimit, maxRequestsPerMinute), duration: windowSeconds })

  async function countRequest (key: string): Promise<void> {
    if (rateLimit === 0) return
    try {
      await limiter.consume(key)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      throw rateLimited(refused, windowSeconds)
    }
  }

  fastify.get<{ Params: { project_id: string }, Querystring: { token?: unknown } }>('/api/feed/atom/:project_id', {
    schema: {
      operationId: 'atom_feed',
      summary: 'A project\'s feed as Atom',
      description: 'Returns the newest 50 papers to anyone who has the address from feed_atom_url. A wrong token gets 404.',
      tags: ['Feeds'],
      security: []
    },
    async onRequest (request, reply) {
      await countRequest(request.ip)
      await fastify.admitRequest(`atom ${request.ip}`, request, reply)
    }
  }, async ({ params: { project_id }, query: { token }, headers }, reply) => {
    const { project, updated_at, items } = await atomFeed.run(context, {
      project_id,
      token: typeof token === 'string' ? token : ''
    }).catch(hideMalformedAddress)
    const updated = new Date(updated_at)
    const website = context.baseUrl()
    const text = atomOf({ project, updated, items, website, self: `${website}/api/feed/atom/${project_id}?token=${String(token)}` })
    const validators = validatorsOf(`${project.id} ${String(token)}`, text, context.now().getTime())
    reply.headers({ ...validators })
    if (isCurrent(headers, validators)) return await reply.code(304).send()
    return await reply.type('application/atom+xml; charset=utf-8').send(text)
  })
}

export default feeds
