import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { ReceivedFile } from '../../../schemas/received-file.js'
import { InvalidArguments, ResultTooLarge, Unauthorized, UnsupportedMediaType } from '../../errors/operation-errors.js'
import { requireAdministrator } from '../../accounts/authenticate.js'
import { programOf } from '../../accounts/user-agent.js'
import type { AnonymousContext, Context, ServiceContext } from '../../operations/context.js'
import { readFileForms } from '../../server/file-forms.js'
import { receiveFile, removeReceivedFiles } from '../../server/received-files.js'
import type { AnyOperation } from '../../operations/operation.js'
import { tolerantBody, tolerantInput } from '../../operations/tolerant-input.js'
import { anonymousCaller, credentialOf } from '../../server/authentication.js'
import { exceedsLength, maxResponseLength } from '../../server/response-size.js'
import { StrictJsonError, decodeJson, parseJson } from '../../server/strict-json.js'
import { documentation } from './documentation.js'
import { sendJson } from './json.js'
import { type Access, type Route, routes } from './routes.js'

/** Bytes of a JSON body that anyone may send, such as a login. */
const maxPublicBodyBytes = 16 * 1024

const keyPattern = /^svcmcp_/

/** The REST adapter: adds the table of routes. Operations validate input, so tools and routes have the same errors. */
const rest: FastifyPluginAsync<{ context: ServiceContext }> = async (fastify, { context }) => {
  await fastify.register(cookie)
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    // Some clients send the header with a call that has no body.
    if (body.length === 0) return done(null, undefined)
    try {
      done(null, parseJson(decodeJson(body as Buffer)))
    } catch (cause) {
      done(cause instanceof StrictJsonError ? new InvalidArguments(cause.message) : cause as Error)
    }
  })
  for (const type of new Set(routes.flatMap(({ binary }) => binary === undefined ? [] : [binary.type]))) {
    fastify.addContentTypeParser(
      type,
      async (request: FastifyRequest, payload: IncomingMessage) => await receiveBody(request, payload, context)
    )
  }
  fastify.setValidatorCompiler(() => () => true)
  fastify.setSerializerCompiler(() => JSON.stringify)

  for (const route of routes) {
    if (route.multipart === undefined) addRoute(fastify, context, route)
    else await fastify.register(formRoute, { context, route, property: route.multipart.property })
  }
}

export default rest

const formType = 'multipart/form-data'

/** Adds a route that takes a form with a file. Only its scope reads forms. */
async function formRoute (
  fastify: FastifyInstance,
  { context, route, property }: { context: ServiceContext, route: Route, property: string }
): Promise<void> {
  const { maxBytes } = route.operation.input.properties[property]
  await readFileForms(fastify, { files: context.files, maxBytes, maxFields: 20, maxFieldBytes: 1000 })
  addRoute(fastify, context, route)
}

/** Adds a route. It authenticates before it reads the body, so unauthorized bodies take no memory. */
function addRoute (fastify: FastifyInstance, context: ServiceContext, route: Route): void {
  const { method, url, operation, access, status = 200, binary, multipart: form, send } = route
  const type = binary?.type ?? (form === undefined ? undefined : formType)
  const encoding = method === 'GET' ? 'text' : 'json'
  const callerOf = new WeakMap<FastifyRequest, Context | AnonymousContext>()
  fastify.route({
    method,
    url,
    ...(binary !== undefined
      ? { bodyLimit: operation.input.properties[binary.property].maxBytes }
      : access === 'anyone' ? { bodyLimit: maxPublicBodyBytes } : {}),
    ...(type === undefined ? {} : { onSend: removeReceivedFiles }),
    schema: documentation(route),
    async onRequest (request, reply) {
      const caller = await callers[access](fastify, context, request, reply)
      operation.authorize(caller)
      if ('account' in caller) await fastify.admitRequest(caller.account.id, request, reply)
      if (type !== undefined) {
        // Another type has a smaller limit than the file.
        if (!isOfType(request, type)) throw wrongType(type)
        if ('account' in caller) fastify.admitUpload(caller.account.id, reply)
      }
      callerOf.set(request, caller)
    },
    async handler (request, reply) {
      const result = await operation.run(
        callerOf.get(request)!,
        binary === undefined ? inputOf(request, operation) : binaryInputOf(request, operation, binary),
        { encoding }
      )
      reply.code(status)
      if (status === 204) return await reply.send()
      const parameters = Object.keys(operation.input.properties)
      if (send === undefined) return await sendJson(reply, result, parameters)
      if (exceedsLength(result, maxResponseLength)) throw new ResultTooLarge(parameters)
      return await send(result as never, request, reply)
    }
  })
}

type Authenticate = (
  fastify: FastifyInstance,
  context: ServiceContext,
  request: FastifyRequest,
  reply: FastifyReply
) => Promise<Context | AnonymousContext>

const accessToken = 'the access token of POST /api/auth/login as "Authorization: Bearer …"'

const callers: Record<Access, Authenticate> = {
  anyone: async (_fastify, context, request) => anonymousCaller(context, request),

  session: sessionCaller,

  async browser (fastify, context, request, reply) {
    // What is sent with a cookie counts instead of it.
    if (credentialOf(request) !== undefined) return await sessionCaller(fastify, context, request)
    const caller = await fastify.authenticateBrowser(request, reply)
    if (caller === undefined) {
      throw new Unauthorized(
        `Sign in to the pages of this service in the same browser, or send ${accessToken}. An MCP key is not accepted here.`
      )
    }
    await fastify.countCall(caller)
    return caller
  },

  async administrator (fastify, context, request) {
    const caller = await sessionCaller(fastify, context, request)
    await requireAdministrator(caller)
    return caller
  },

  async reader (fastify, context, request) {
    const byKey = keyPattern.test(credentialOf(request) ?? '')
    const caller = byKey ? await fastify.authenticateKey(request) : await fastify.authenticateSession(request)
    if (caller === undefined) {
      throw new Unauthorized(
        `Send ${accessToken}, or your MCP key as "Authorization: Bearer svcmcp_…" or "X-API-Key".`
      )
    }
    await fastify.countCall(caller)
    const program = programOf(request.headers['user-agent'])
    if (caller.key !== undefined && program !== undefined) {
      await context.accounts.keys.recordClient({ accountId: caller.account.id, key: caller.key }, program)
    }
    return caller
  }
}

async function sessionCaller (fastify: FastifyInstance, _context: ServiceContext, request: FastifyRequest): Promise<Context> {
  const caller = await fastify.authenticateSession(request)
  if (caller === undefined) {
    throw new Unauthorized(`Send ${accessToken}. An MCP key is not accepted here.`)
  }
  await fastify.countCall(caller)
  return caller
}

/** Writes a body to disk as it arrives. @throws PayloadTooLarge before a body that announces too many bytes is read */
async function receiveBody (request: FastifyRequest, payload: IncomingMessage, { files }: ServiceContext): Promise<ReceivedFile> {
  const stream = payload.iterator({ destroyOnReturn: false })
  const announcedBytes = Number(request.headers['content-length'] ?? 0)
  return await receiveFile(request, files, stream, { maxBytes: request.routeOptions.bodyLimit, announcedBytes })
}

const isOfType = ({ headers }: FastifyRequest, type: string) => headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase() === type
const wrongType = (type: string) => new UnsupportedMediaType(
  type === formType
    ? `Send a form of type ${formType} with the file in its field "file".`
    : `Send the file itself as the body, with the header Content-Type: ${type}.`
)

function binaryInputOf (request: FastifyRequest, { input }: AnyOperation, { type, property }: NonNullable<Route['binary']>): object {
  const { params, body } = request
  refuseQuery(request, input)
  if (!(body instanceof ReceivedFile)) throw wrongType(type)
  return { ...params as object, [property]: body }
}

/** Merges path and query (GET) or path and body into one object, without the key. The path wins. */
function inputOf (request: FastifyRequest, { input, scope }: AnyOperation): object {
  const { method, params, query, body } = request
  if (method === 'GET' || method === 'HEAD') {
    const { key: _key, ...parameters } = query as Record<string, unknown>
    return tolerantInput(input, { ...parameters, ...params as object }) as object
  }
  refuseQuery(request, input)
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) {
    throw new InvalidArguments('The body must be a JSON object.')
  }
  for (const name of Object.keys(params as object)) {
    if (Object.hasOwn(body ?? {}, name)) throw new InvalidArguments(`${name} belongs in the path, not in the body.`)
  }
  const sent = { ...body, ...params as object }
  // Clients of models call the operations that take a key. In others, such as those of accounts, "" stays an error.
  return scope === undefined ? sent : tolerantBody(input, sent)
}

/** @throws InvalidArguments for a query parameter besides the key, which would be ignored: arguments are in the path and in the body */
function refuseQuery ({ params, query }: FastifyRequest, { properties }: TObject): void {
  const name = Object.keys(query as object).find(each => each !== 'key')
  if (name === undefined) return
  const place = Object.hasOwn(params as object, name) ? 'path' : 'body'
  const problem = Object.hasOwn(properties, name) ? `belongs in the ${place}` : 'is not an argument of this operation'
  throw new InvalidArguments(`${name.slice(0, 80)} ${problem}. Omit it from the query.`)
}
