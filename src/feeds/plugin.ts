import { createHash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import fresh from 'fresh'
import { atomFeed } from '../operations/atom-feed.js'
import type { ServiceContext } from '../operations/operation.js'
import { atomOf } from './atom.js'

/** Atom feeds, for feed readers and reference managers, which ask again and again: unchanged ones cost them nothing. */
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
    const { project, updated_at, items } = await atomFeed.run(context, { project_id, token: typeof token === 'string' ? token : '' })
    const updated = new Date(updated_at)
    const website = context.baseUrl()
    const text = atomOf({ project, updated, items, website, self: `${website}/api/feed/atom/${project_id}?token=${String(token)}` })
    const validators = { etag: `"${createHash('sha256').update(text).digest('base64url')}"`, 'last-modified': updated.toUTCString() }
    reply.headers({ ...validators, 'cache-control': 'private, no-cache' })
    if (fresh(headers, validators)) return await reply.code(304).send()
    return await reply.type('application/atom+xml; charset=utf-8').send(text)
  })
}

export default feeds
