import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { type OperationError, Unauthorized } from '../../errors/operation-errors.js'
import type { Context, ServiceContext } from '../../operations/context.js'
import { credentialOf } from '../../server/authentication.js'
import { toPublicError } from '../../server/errors.js'
import { exposedHeaders, requestHeaders } from '../../server/origins.js'
import { errorText } from './dispatch.js'
import { endpoint } from './endpoint.js'
import { legacyEra } from './eras/legacy.js'
import { modernEra } from './eras/modern.js'
import { INTERNAL_ERROR, INVALID_REQUEST, ProtocolError } from './errors.js'
import type { Call } from './method.js'

const paths = ['/api/mcp', '/api/mcp/']
const json = 'application/json; charset=utf-8'

/**
 * The MCP endpoint over Streamable HTTP: both eras, no sessions, always JSON. What is checked before the body is read stands here, in
 * the order that clients rely on; origins and preflight come first, in server/origins.ts. See docs/architecture.md.
 */
const mcp: FastifyPluginAsync<{ context: ServiceContext }> = async (fastify, { context }) => {
  const callers = new WeakMap<FastifyRequest, Context>()
  let answer: ReturnType<typeof endpoint> | undefined

  // The body stays text: invalid JSON gets a JSON-RPC error.
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  fastify.setErrorHandler((error, request, reply) => refuse(reply, toPublicError(error, request)))

  fastify.addHook('onRequest', async (request, reply) => {
    if (request.method === 'OPTIONS') return
    const caller = await fastify.authenticateKey(request)
    // The key comes before the method: clients show people a 405 to a wrong key as something else.
    if (caller === undefined) return refuseKey(request, reply)
    callers.set(request, caller)
    if (request.method !== 'POST') return reply.code(405).header('allow', 'POST, OPTIONS').type(json).send(errorText(new ProtocolError(INVALID_REQUEST, 'Send JSON-RPC requests with POST; there are no streams and no sessions here.')))
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return reply.code(415).type(json).send(errorText(new ProtocolError(INVALID_REQUEST, 'Send the body as JSON, with Content-Type: application/json.')))
  })

  for (const url of paths) {
    // server/origins.ts answers the preflight of allowed origins. Other origins learn the headers, but are not allowed.
    fastify.options(url, { schema: { hide: true } }, async (_request, reply) =>
      await reply.code(204).headers({ allow: 'POST, OPTIONS', 'access-control-allow-methods': 'POST, OPTIONS', 'access-control-allow-headers': requestHeaders.join(', '), 'access-control-expose-headers': exposedHeaders.join(', ') }).send())
    fastify.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      schema: { hide: true },
      async handler (request, reply) {
        const caller = callers.get(request)!
        const call: Call = {
          context: caller,
          requestId: request.id,
          told: error => toPublicError(error, request),
          countCall: async () => await fastify.countCall(caller.account.id),
          countToolCall: fastify.countToolCall
        }
        // Made at the first request, because the address that results name is known only once the service listens.
        answer ??= endpoint({ legacy: legacyEra(), modern: modernEra(context.baseUrl()) })
        const { status, text } = await answer(call, request.headers, typeof request.body === 'string' ? request.body : '')
        return text === undefined ? await reply.code(status).send() : await reply.code(status).type(json).send(text)
      }
    })
  }
}

export default mcp

function refuse (reply: FastifyReply, error: OperationError): FastifyReply {
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  return reply.code(error.status).type(json).send(errorText(new ProtocolError(error.status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST, error.message)))
}

/** The same answer, byte for byte, whatever was wrong with the key; a missing one is told apart by the header alone. */
function refuseKey (request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = credentialOf(request) === undefined ? '' : ', error="invalid_token"'
  reply.header('www-authenticate', `Bearer realm="litfeed"${error}`).header('cache-control', 'no-store')
  return refuse(reply, new Unauthorized('Send your MCP key: as "Authorization: Bearer svcmcp_…", as "X-API-Key: svcmcp_…", or as ?key=svcmcp_… on /api/mcp/. A key that is refused was mistyped, replaced or revoked: make a new one with "litfeed key rotate --email …".'))
}
