import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import { LRUCache } from 'lru-cache'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { atomFeed, atomFeedNotFound } from '../../operations/feed/atom-feed.js'
import type { ServiceContext } from '../../operations/context.js'
import { atomOf } from './atom.js'

const second = 1000
interface Validators { etag: string, 'last-modified'?: string }

/** Since when each feed has had its current text. */
const known = new LRUCache<string, { etag: string, since: number }>({ max: 1000 })

/**
 * The validators of a feed's text. The times of its papers say too little: an abstract is completed, a score changes, an item leaves. So a
 * text is as old as this process has seen it. HTTP dates are exact to the second; the ETag tells two texts of one second apart.
 */
function validatorsOf (projectId: string, text: string, now: number): Validators {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  const before = known.get(projectId)
  const since = before?.etag === etag ? before.since : Math.max(now, before === undefined ? 0 : before.since + second)
  known.set(projectId, { etag, since })
  return { etag, ...(since <= now ? { 'last-modified': new Date(since).toUTCString() } : {}) }
}

/** Whether the reader's copy is the current one; an ETag decides alone where the reader sends one. @see RFC 9110, section 13.2.2 */
function isCurrent (headers: IncomingHttpHeaders, { etag, 'last-modified': modified = '' }: Validators): boolean {
  const known = headers['if-none-match']
  if (known !== undefined) return known.split(',').some(each => ['*', etag].includes(each.trim().replace(/^W\//, '')))
  return Date.parse(modified) <= Date.parse(headers['if-modified-since'] ?? '')
}

/** An address that cannot be valid is answered like one with a wrong token, so that it tells nothing. */
const hideRefusal = (error: unknown): never => {
  throw error instanceof InvalidArguments ? atomFeedNotFound() : error
}

/** Atom feeds for feed readers and reference managers. They poll, so an unchanged feed costs them nothing. */
const feeds: FastifyPluginAsync<{ context: ServiceContext }> = async (fastify, { context }) => {
  fastify.get<{ Params: { project_id: string }, Querystring: { token?: unknown } }>('/api/feed/atom/:project_id', {
    schema: {
      operationId: 'atom_feed',
      summary: 'A project\'s feed as Atom',
      description: 'The newest 50 papers, for whoever has the address that feed_atom_url gives. A wrong token is answered with 404.',
      tags: ['Feeds'],
      security: []
    }
  }, async ({ params: { project_id }, query: { token }, headers }, reply) => {
    const { project, updated_at, items } = await atomFeed.run(context, { project_id, token: typeof token === 'string' ? token : '' }).catch(hideRefusal)
    const updated = new Date(updated_at)
    const website = context.baseUrl()
    const text = atomOf({ project, updated, items, website, self: `${website}/api/feed/atom/${project_id}?token=${String(token)}` })
    const validators = validatorsOf(project.id, text, context.now().getTime())
    reply.headers({ ...validators, 'cache-control': 'private, no-cache' })
    if (isCurrent(headers, validators)) return await reply.code(304).send()
    return await reply.type('application/atom+xml; charset=utf-8').send(text)
  })
}

export default feeds
