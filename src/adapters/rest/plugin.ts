import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { exceedsLength } from '../../../schemas/json-length.js'
import type { ReceivedFile } from '../../../schemas/received-file.js'
import { InvalidArguments, ResultTooLarge } from '../../errors/operation-errors.js'
import type { AnonymousContext, Context, ServiceContext } from '../../operations/context.js'
import { whileRead } from '../../server/abandoned-reads.js'
import { readFileForms } from '../../server/file-forms.js'
import { receiveFile, removeReceivedFiles } from '../../server/received-files.js'
import { maxResponseLength } from '../../server/response-size.js'
import { StrictJsonError, decodeJson, parseJson } from '../../server/strict-json.js'
import { callers } from './callers.js'
import { documentation } from './documentation.js'
import { sendJson } from './json.js'
import { binaryInputOf, formType, inputOf, isOfType, wrongType } from './request-input.js'
import type { Route } from './route.js'
import { routes } from './routes.js'

/** Bytes of a JSON body that anyone may send, such as a login. */
const maxPublicBodyBytes = 16 * 1024

/** The REST adapter: adds the table of routes. Operations validate input, so tools and routes have the same errors. */
const rest: FastifyPluginAsync<{ context: ServiceContext }> = async (fastify, { context }) => {
  await fastify.register(cookie)
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    // Some clients send the header with a call that has no body.
    if (body.length === 0) return done(null, undefined)
    try {
      done(null, parseJson(decodeJson(body)))
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
      const caller = callerOf.get(request)!
      const result = await operation.run(
        { ...method === 'GET' ? whileRead(caller, reply) : caller, maxResultLength: maxResponseLength },
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

/** Writes a body to disk as it arrives. @throws PayloadTooLarge before a body that announces too many bytes is read */
async function receiveBody (request: FastifyRequest, payload: IncomingMessage, { files }: ServiceContext): Promise<ReceivedFile> {
  const stream = payload.iterator({ destroyOnReturn: false })
  const announcedBytes = Number(request.headers['content-length'] ?? 0)
  return await receiveFile(request, files, stream, { maxBytes: request.routeOptions.bodyLimit, announcedBytes })
}
