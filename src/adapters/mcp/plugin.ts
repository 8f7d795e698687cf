import { METHODS } from 'node:http'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { isObject } from '../../../schemas/json-object.js'
import type { RequestId } from '../../../schemas/jsonrpc.js'
import { MethodNotAllowed, RateLimited, Unauthorized, UnsupportedMediaType } from '../../errors/operation-errors.js'
import type { Context, ServiceContext } from '../../operations/context.js'
import { whileRead } from '../../server/abandoned-reads.js'
import { credentialOf } from '../../server/authentication.js'
import { errorOfRequest, withRetryAfter } from '../../server/errors.js'
import { sendParts } from '../../server/json-parts.js'
import { exposedHeaders, requestHeaders } from '../../server/origins.js'
import { createYielder } from '../../threads/yielder.js'
import { endpoint, idOf } from './endpoint.js'
import { classify, decodeBody } from './envelope.js'
import { legacyEra } from './eras/legacy.js'
import { modernEra } from './eras/modern.js'
import { errorText, responseError } from './errors.js'
import type { Call } from './method.js'
import { readToolSet } from './tool-sets.js'

const paths = ['/api/mcp', '/api/mcp/']
const json = 'application/json; charset=utf-8'
const preflightHeaders = {
  allow: 'POST, OPTIONS',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': requestHeaders.join(', '),
  'access-control-expose-headers': exposedHeaders.join(', ')
}

/**
 * The MCP endpoint over Streamable HTTP: both eras, no sessions, always JSON. This file makes the checks before the body is read, in
 * the order that clients rely on. server/origins.ts checks origins and preflights before. See docs/architecture.md.
 */
const mcp: FastifyPluginAsync<{ context: ServiceContext }> = async (fastify, { context }) => {
  const callers = new WeakMap<FastifyRequest, Context>()
  /** Requests for which the account has no slot. A tool call among them gets a result, since some clients end their connection at a 429. */
  const refusals = new WeakMap<FastifyRequest, RateLimited>()
  const refusedReadings = new RefusedReadings()
  /** Many refused bodies can arrive in one turn of the event loop. */
  const yieldIfDue = createYielder()
  let answer: ReturnType<typeof endpoint> | undefined

  // The body stays text: invalid JSON gets a JSON-RPC error.
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, decodeBody(body))
    } catch (cause) {
      done(cause as Error)
    }
  })

  fastify.setErrorHandler((thrown, request, reply) => {
    const error = responseError(thrown, cause => errorOfRequest(cause, request))
    return withRetryAfter(reply, error).code(error.status).type(json).send(errorText(error, readableId(request.body)))
  })

  fastify.addHook('onRequest', async (request, reply) => {
    if (request.method === 'OPTIONS') return
    // The key is checked before the method, because clients misreport a 405 for a wrong key.
    const caller = await fastify.authenticateKey(request)
    if (caller === undefined) throw refuseKey(request, reply, context.baseUrl())
    callers.set(request, caller)
    if (request.method !== 'POST') {
      reply.header('allow', 'POST, OPTIONS')
      throw new MethodNotAllowed('Send JSON-RPC requests with POST; this endpoint has no streams and no sessions.')
    }
    try {
      await fastify.admitRequest(caller.account.id, request, reply)
    } catch (error) {
      if (!(error instanceof RateLimited) || !hasSmallBody(request) || !refusedReadings.take(caller.account.id, reply)) throw error
      refusals.set(request, error)
    }
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
      throw new UnsupportedMediaType('Send the body as JSON, with Content-Type: application/json.')
    }
  })

  // Of any method, the key is checked first.
  for (const method of METHODS) if (!fastify.supportedMethods.includes(method)) fastify.addHttpMethod(method)
  for (const url of paths) {
    // server/origins.ts answers preflights of allowed origins. Other origins get the headers without permission.
    fastify.options(url, { schema: { hide: true } }, async (_request, reply) => await reply.code(204).headers(preflightHeaders).send())
    fastify.route({
      // Fastify adds HEAD.
      method: fastify.supportedMethods.filter(method => method !== 'OPTIONS' && method !== 'HEAD'),
      url,
      schema: { hide: true },
      async handler (request, reply) {
        const caller = callers.get(request)!
        const body = typeof request.body === 'string' ? request.body : ''
        const refusal = refusals.get(request)
        if (refusal !== undefined) {
          await yieldIfDue()
          if (!isToolCall(body)) throw refusal
        }
        const call: Call = {
          context: caller,
          readContext: whileRead(caller, reply),
          requestId: request.id,
          toolSet: readToolSet((request.query as { tools?: unknown }).tools),
          toPublicError: thrown => errorOfRequest(thrown, request),
          async countCall () {
            if (refusal !== undefined) throw refusal
            await fastify.countCall(caller)
          },
          async countLookup () {
            if (refusal !== undefined) throw refusal
            await fastify.countLookup(caller)
          },
          isAbandoned: () => reply.raw.destroyed,
          countToolCall: fastify.countToolCall
        }
        // Created at the first request: results contain the service's address, which is known once it listens.
        answer ??= endpoint({ legacy: legacyEra(), modern: modernEra(context.baseUrl()) })
        const { status, body: parts } = await answer(call, request.headers, body)
        return parts === undefined ? await reply.code(status).send() : await sendParts(reply.code(status).type(json), parts)
      }
    })
  }
}

export default mcp

/** Bytes of a body that is read although its account has no slot. */
const maxRefusedBytes = 16 * 1024
/** Such bodies of an account that are read at the same time. */
const maxRefusedReadings = 100

/** The refused requests of each account whose body is read. */
class RefusedReadings {
  readonly #counts = new Map<string, number>()

  /** Takes one of the account's readings, until the response is sent. @returns false if it has too many */
  take (accountId: string, { raw }: FastifyReply): boolean {
    const count = this.#counts.get(accountId) ?? 0
    // A connection that closed would never give the reading back.
    if (count >= maxRefusedReadings || raw.destroyed) return false
    this.#counts.set(accountId, count + 1)
    raw.once('close', () => { this.#giveBack(accountId) })
    return true
  }

  #giveBack (accountId: string): void {
    const left = this.#counts.get(accountId)! - 1
    if (left === 0) this.#counts.delete(accountId)
    else this.#counts.set(accountId, left)
  }
}

const hasSmallBody = ({ headers }: FastifyRequest): boolean => Number(headers['content-length'] ?? Infinity) <= maxRefusedBytes

/** Whether a request has a key, in its place or without the scheme of the header. */
const sentKey = (request: FastifyRequest): boolean =>
  credentialOf(request) !== undefined || /\bsvcmcp_/.test(request.headers.authorization ?? '')

/** Characters of a rejected body that is read for its id: what parsing it costs may be the reason why it was rejected. */
const maxReadableLength = 4096

/** The id of a message whose body is rejected as a whole, where it can be read. */
function readableId (body: unknown): RequestId | undefined {
  if (typeof body !== 'string' || body.length > maxReadableLength) return undefined
  try {
    return idOf(classify(JSON.parse(body)))
  } catch {
    return undefined
  }
}

function isToolCall (body: string): boolean {
  // A batch, which takes longer to parse.
  if (!body.trimStart().startsWith('{')) return false
  try {
    const message: unknown = JSON.parse(body)
    return isObject(message) && message.method === 'tools/call'
  } catch {
    return false
  }
}

/** Adds the header of a refused key to the response. Only it distinguishes a missing key from a wrong one. @returns the error */
function refuseKey (request: FastifyRequest, reply: FastifyReply, baseUrl: string): Unauthorized {
  const error = sentKey(request) ? ', error="invalid_token"' : ''
  reply.header('www-authenticate', `Bearer realm="litfeed"${error}`)
  return invalidKey(baseUrl)
}

/** The error for a missing key and for any wrong one. */
const invalidKey = (baseUrl: string) => new Unauthorized(
  // Clients remove what looks like a key from this text before a person sees it, so it spells none out.
  'The MCP key is missing or not valid. Send it in the header Authorization (scheme: Bearer), in the header X-API-Key, ' +
    `or in the query parameter "key". The Connect page has keys and instructions for your client: ${baseUrl}/connect`
)
