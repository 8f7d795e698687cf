import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { bytesPerMebibyte, mebibytes } from '../../schemas/mebibytes.js'
import {
  InternalError, InvalidArguments, MethodNotAllowed, NotFound, OperationError, PayloadTooLarge, UnsupportedMediaType
} from '../errors/operation-errors.js'
import { toPublicError } from '../errors/public-error.js'

/** Messages of @fastify/multipart about malformed forms, which have no status. */
const malformedForm = /^Multipart: |unexpected end of multipart data/i

/** Converts anything that was thrown to the error that the caller of a request sees. An unexpected error becomes its id in the log. */
export function errorOfRequest (thrown: unknown, request: FastifyRequest): OperationError {
  const rejection = thrown instanceof OperationError ? undefined : rejectionOf(thrown as FastifyError, request)
  return toPublicError(rejection ?? thrown, { log: request.log, unexpected: cause => new InternalError(request.id, { cause }) })
}

/** Maps errors of Fastify and its plugins about a request. @returns undefined for other errors */
function rejectionOf (
  { code, statusCode = 500, message }: FastifyError,
  { url, routeOptions }: FastifyRequest
): OperationError | undefined {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const { bodyLimit = 0 } = routeOptions
    const maximum = bodyLimit < bytesPerMebibyte ? `${Math.floor(bodyLimit / 1024)} KiB` : mebibytes(bodyLimit)
    return new PayloadTooLarge(`The body exceeds the maximum of ${maximum}. Send a smaller one.`, {
      userMessage: `The form exceeds the maximum of ${maximum}. Shorten what you entered.`
    })
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new UnsupportedMediaType(
      url.startsWith('/api/')
        ? 'Send the body as JSON, with Content-Type: application/json.'
        : 'Send the form as a browser does: application/x-www-form-urlencoded or multipart/form-data.'
    )
  }
  if (statusCode === 413) return new PayloadTooLarge(`The form exceeds a limit: ${message}.`)
  if (malformedForm.test(message)) return new InvalidArguments(`Invalid request: ${message}`)
  // Only the framework's own sentences are for callers: others can quote what they failed at.
  if (statusCode >= 400 && statusCode < 500) {
    const isOfFramework = String(code).startsWith('FST_')
    return new InvalidArguments(isOfFramework ? `Invalid request: ${message}` : 'The request is not valid HTTP for this URL.')
  }
  return undefined
}

/** Sets the Retry-After header of an error that has one. */
export const withRetryAfter = (reply: FastifyReply, { retryAfter }: { retryAfter?: number | undefined }): FastifyReply =>
  retryAfter === undefined ? reply : reply.header('retry-after', retryAfter)

/** Sends an error as `{detail, code}` with its status, Retry-After and WWW-Authenticate headers. */
export function sendError (error: OperationError, reply: FastifyReply): FastifyReply {
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="litfeed"')
  return withRetryAfter(reply, error).code(error.status).send({ detail: error.message, code: error.code })
}

/** Responds to every error with `{detail, code}`. */
export default fp(async function errors (fastify) {
  fastify.setErrorHandler((error, request, reply) => sendError(errorOfRequest(error, request), reply))

  const methods = methodsOfApi(fastify)
  fastify.setNotFoundHandler(({ method, url }, reply) => {
    const path = url.split('?', 1)[0]!.slice(0, 200)
    const allowed = methods(path)
    if (allowed.length === 0 || allowed.includes(method)) {
      // The only reference to a paper that contains slashes.
      const next = /\/10\.\d{4,9}\//.test(path) ? 'Write each slash of a DOI in a path as %2F.' : 'GET /api/openapi.json lists all routes.'
      return sendError(new NotFound(`No route ${method} ${path}. ${next}`), reply)
    }
    reply.header('allow', allowed.join(', '))
    return sendError(new MethodNotAllowed(`${path} does not support ${method}. Use ${allowed.join(' or ')}.`), reply)
  })
}, { name: 'errors', fastify: '5.x' })

/** @returns a function that gives the methods of the API's routes at a path (RFC 9110, section 15.5.6) */
function methodsOfApi (fastify: FastifyInstance): (path: string) => string[] {
  const routes: Array<{ methods: string[], pattern: RegExp }> = []
  fastify.addHook('onRoute', ({ method, url }) => {
    if (!url.startsWith('/api/')) return
    const pattern = url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')
    routes.push({ methods: [method].flat(), pattern: new RegExp(`^${pattern}$`) })
  })
  return path => [...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))]
}
