import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ErrorBody } from '../../../schemas/errors.js'
import { atomFeedSize } from '../../../schemas/feed.js'
import { ProjectId } from '../../../schemas/ids.js'
import { maxTokenLength } from '../../../schemas/link-token.js'
import { sharedPageSize } from '../../../schemas/sharing.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { atomFeed, atomFeedNotFound } from '../../operations/feed/atom-feed.js'
import type { ServiceContext } from '../../operations/context.js'
import { sharedFeed } from '../../operations/sharing/shared-feed.js'
import { listChanges, noticesIn, paperChanges } from '../../papers/notices.js'
import { anonymousCaller } from '../../server/authentication.js'
import { networkOf } from '../../server/client-network.js'
import { type AtomFeed, boundedFeed, writeAtom } from './atom.js'
import { isCurrent, validatorsOf } from './validators.js'

/** OpenAPI descriptions of a feed's responses. */
const responses = {
  200: { description: 'The feed.', content: { 'application/atom+xml': { schema: { type: 'string' } } } },
  304: { type: 'null', description: 'Unchanged since the ETag or the time of the request.' },
  404: { ...ErrorBody, description: 'code: not_found' },
  429: { ...ErrorBody, description: 'code: rate_limited' }
}
/** The token in an address. */
const query = Type.Object({ token: Type.String({ description: 'The token of the address.' }) })

/** Makes a malformed address look like one with a wrong token. */
const hideMalformedAddress = (error: unknown): never => {
  throw error instanceof InvalidArguments || error instanceof ProjectNotFound ? atomFeedNotFound() : error
}

/** Atom feeds for feed readers and reference managers, with validators for cheap polling. */
const atom: FastifyPluginAsync<{ context: ServiceContext }> = async (fastify, { context }) => {
  // The schemas describe the routes. Operations validate.
  fastify.setValidatorCompiler(() => () => true)
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    await fastify.countAnonymous(networkOf(request))
    await fastify.admitRequest(`atom ${networkOf(request)}`, request, reply)
  }

  async function send (reply: FastifyReply, headers: IncomingHttpHeaders, key: string, whole: AtomFeed): Promise<FastifyReply> {
    const feed = boundedFeed(whole)
    const validators = validatorsOf(key, feed, context.now().getTime())
    reply.headers({ ...validators, 'x-robots-tag': 'noindex' })
    if (isCurrent(headers, validators)) return await reply.code(304).send()
    return await reply.type('application/atom+xml; charset=utf-8').send(await writeAtom(feed))
  }

  fastify.get<{ Params: { project_id: string }, Querystring: { token?: unknown } }>('/api/feed/atom/:project_id', {
    schema: {
      operationId: 'atom_feed',
      summary: 'A project\'s feed as Atom',
      description: `Returns the newest ${atomFeedSize} papers to anyone who has the address from feed_atom_url. A wrong token gets 404.`,
      tags: ['Feeds'],
      security: [],
      params: Type.Object({ project_id: ProjectId }),
      querystring: query,
      response: responses
    },
    onRequest
  }, async (request, reply) => {
    const { params: { project_id }, query: { token }, headers } = request
    const { project, updated_at, items } = await atomFeed.run(anonymousCaller(context, request), {
      project_id,
      token: typeof token === 'string' ? token : ''
    }).catch(hideMalformedAddress)
    const website = context.baseUrl()
    const entries = items.map(({ id, ready_at, summary, personalized_note, relevance_class, paper }) => {
      const texts = [listChanges(paperChanges(paper.metadata)), summary ?? personalized_note]
      const note = texts.filter(text => text !== null).join(' ') || null
      // Readers show an entry again that was updated.
      const updated = latest([ready_at, ...noticesIn(paper.metadata).map(({ first_seen }) => first_seen)])
      return { id, updated, note, category: relevance_class, paper }
    })
    return await send(reply, headers, `${project.id} ${String(token)}`, {
      id: project.id,
      title: project.name,
      subtitle: project.interest_description || null,
      updated: new Date(latest([updated_at, ...entries.map(({ updated }) => updated)])),
      entries,
      website,
      page: `${website}/`,
      self: `${website}/api/feed/atom/${project_id}?token=${String(token)}`
    })
  })

  fastify.get<{ Querystring: { token?: unknown } }>('/api/shared/atom', {
    schema: {
      operationId: 'shared_atom',
      summary: 'A shared feed as Atom',
      description: `Returns the newest ${sharedPageSize} papers of a share link to anyone who has it. ` +
        'A wrong, expired or revoked token gets 404.',
      tags: ['Sharing'],
      security: [],
      querystring: query,
      response: responses
    },
    onRequest
  }, async (request, reply) => {
    const { query: { token }, headers } = request
    const { id, title, updated_at, items } = await sharedFeed.run(anonymousCaller(context, request), { token: readToken(token) })
    const website = context.baseUrl()
    return await send(reply, headers, `shared ${id}`, {
      id,
      title,
      subtitle: null,
      updated: new Date(updated_at),
      entries: items.map(({ id, added_at, changes, ...paper }) =>
        ({ id, updated: added_at, note: listChanges(changes), category: null, paper })),
      website,
      page: `${website}/shared?token=${String(token)}`,
      self: `${website}/api/shared/atom?token=${String(token)}`
    })
  })
}

/** The last of times in one format. */
const latest = (times: readonly string[]): string => times.reduce((last, time) => time > last ? time : last)

/** A malformed token is a wrong one. */
const readToken = (token: unknown): string => typeof token === 'string' ? token.slice(0, maxTokenLength) : ''

export default atom
