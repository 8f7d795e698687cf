import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Forbidden, InvalidArguments, Unauthorized, UnsupportedMediaType } from '../../errors/operation-errors.js'
import { requireAdministrator } from '../../accounts/authenticate.js'
import type { AnonymousContext, Context, ServiceContext } from '../../operations/context.js'
import { credentialOf, requestContext } from '../../server/authentication.js'
import { StrictJsonError, parseJson } from '../../server/strict-json.js'
import { documentation } from './documentation.js'
import { type Access, type Route, routes } from './routes.js'

const keyForm = /^svcmcp_/

/** The REST face: walks the table of routes. Validation is the operations' own, so that a tool and a route refuse in the same words. */
const rest: FastifyPluginAsync<{ context: ServiceContext }> = async (fastify, { context }) => {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    // Some clients send the header with a call that has no body.
    if (body === '') return done(null, undefined)
    try {
      done(null, parseJson(body as string))
    } catch (cause) {
      done(cause instanceof StrictJsonError ? new InvalidArguments(cause.message) : cause as Error)
    }
  })
  for (const type of new Set(routes.flatMap(({ binary }) => binary === undefined ? [] : [binary.type]))) {
    fastify.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  }
  fastify.setValidatorCompiler(() => () => true)
  fastify.setSerializerCompiler(() => JSON.stringify)

  for (const route of routes) addRoute(fastify, context, route)
}

export default rest

/** Who calls is settled before a body is read: whoever may not call has nothing kept for them. */
function addRoute (fastify: FastifyInstance, context: ServiceContext, route: Route): void {
  const { method, url, operation, access, status = 200, binary, send } = route
  const encoding = method === 'GET' ? 'text' : 'json'
  const known = new WeakMap<FastifyRequest, Context | AnonymousContext>()
  fastify.route({
    method,
    url,
    ...(binary === undefined ? {} : { bodyLimit: operation.input.properties[binary.property].maxBytes }),
    schema: documentation(route),
    async onRequest (request, reply) {
      const caller = await callers[access](fastify, context, request)
      if (binary !== undefined) {
        // Whatever else it were would be read up to the limit of the file.
        if (!isOfType(request, binary.type)) throw wrongType(binary.type)
        if ('account' in caller) fastify.admitUpload(caller.account.id, reply)
      }
      known.set(request, caller)
    },
    async handler (request, reply) {
      const result = await operation.run(known.get(request)!, binary === undefined ? inputOf(request) : binaryInputOf(request, binary), { encoding })
      reply.code(status)
      if (access !== 'reader') reply.header('cache-control', 'no-store')
      if (status === 204) return await reply.send()
      return await (send === undefined ? reply.send(result) : send(result, request, reply))
    }
  })
}

const callers: Record<Access, (fastify: FastifyInstance, context: ServiceContext, request: FastifyRequest) => Promise<Context | AnonymousContext>> = {
  anyone: async (_fastify, context, request) => ({ ...context, ...requestContext(request), address: request.ip, userAgent: request.headers['user-agent'] }),

  session: sessionCaller,

  async administrator (fastify, context, request) {
    const caller = await sessionCaller(fastify, context, request)
    await requireAdministrator(caller)
    return caller
  },

  async reader (fastify, _context, request) {
    const byKey = keyForm.test(credentialOf(request) ?? '')
    const caller = byKey ? await fastify.authenticateKey(request) : await fastify.authenticateSession(request)
    if (caller === undefined) throw new Unauthorized('Send the access token of POST /api/auth/login as "Authorization: Bearer …", or, to read, your MCP key as "Authorization: Bearer svcmcp_…" or "X-API-Key".')
    if (byKey && request.method !== 'GET' && request.method !== 'HEAD') throw new Forbidden('An MCP key can read only. Log in to change something: POST /api/auth/login.')
    await fastify.countCall(caller.account.id)
    return caller
  }
}

async function sessionCaller (fastify: FastifyInstance, _context: ServiceContext, request: FastifyRequest): Promise<Context> {
  const caller = await fastify.authenticateSession(request)
  if (caller === undefined) throw new Unauthorized('Send the access token of POST /api/auth/login as "Authorization: Bearer …". An MCP key is not accepted here.')
  await fastify.countCall(caller.account.id)
  return caller
}

const isOfType = ({ headers }: FastifyRequest, type: string) => headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase() === type
const wrongType = (type: string) => new UnsupportedMediaType(`Send the file itself as the body, with the header Content-Type: ${type}.`)

function binaryInputOf ({ params, body }: FastifyRequest, { type, property }: NonNullable<Route['binary']>): object {
  if (!Buffer.isBuffer(body)) throw wrongType(type)
  return { ...params as object, [property]: body }
}

/** Path, query and body as one object. The path stands over the others; the query counts for GET alone, without the key. */
function inputOf ({ method, params, query, body }: FastifyRequest): object {
  if (method === 'GET' || method === 'HEAD') {
    const { key: _key, ...rest } = query as Record<string, unknown>
    return { ...rest, ...params as object }
  }
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) throw new InvalidArguments('The body must be a JSON object.')
  for (const name of Object.keys(params as object)) {
    if (Object.hasOwn(body ?? {}, name)) throw new InvalidArguments(`${name} belongs in the path, not in the body.`)
  }
  return { ...body, ...params as object }
}
