import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { mebibytes } from '../../schemas/mebibytes.js'
import { fromDatabaseError } from '../errors/database-errors.js'
import {
  DeletedMeanwhile, InternalError, InvalidArguments, MethodNotAllowed, NotFound, NotWritable, OperationError, PayloadTooLarge,
  UnsupportedMediaType
} from '../errors/operation-errors.js'

/** Messages of @fastify/multipart about malformed forms, which have no status. */
const malformedForm = /^Multipart: |unexpected end of multipart data/i

/**
 * Converts any error to one that callers may see. Unexpected errors and database errors are logged, not shown.
 */
export function toPublicError (error: unknown, request: FastifyRequest): OperationError {
  if (error instanceof OperationError) return error
  const rejection = rejectionOf(error as FastifyError, request)
  if (rejection !== undefined) return rejection
  const mapped = fromDatabaseError(error)
  if (mapped !== undefined) {
    const level = mapped instanceof NotWritable ? 'error' : mapped instanceof DeletedMeanwhile ? 'info' : 'warn'
    request.log[level]({ err: error }, mapped.message)
    return mapped
  }
  request.log.error({ err: error }, 'A request failed.')
  return new InternalError(request.id, { cause: error })
}

/** Maps errors of Fastify and its plugins about a request. @returns undefined for other errors */
function rejectionOf (
  { code, statusCode = 500, message }: FastifyError,
  { url, routeOptions }: FastifyRequest
): OperationError | undefined {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new PayloadTooLarge(`The body exceeds the maximum of ${mebibytes(routeOptions.bodyLimit ?? 0)}. Send a smaller one.`)
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
export const withRetryAfter = (reply: FastifyReply, { retryAfter }: OperationError): FastifyReply =>
  retryAfter === undefined ? reply : reply.header('retry-after', retryAfter)

/** Sends an error as `{detail, code}` with its status, Retry-After and WWW-Authenticate headers. */
export function sendError (error: OperationError, reply: FastifyReply): FastifyReply {
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="litfeed"')
  return withRetryAfter(reply, error).code(error.status).send({ detail: error.message, code: error.code })
}

/** Responds to every error with `{detail, code}`. */
export default fp(async function errors (fastify) {
  fastify.setErrorHandler((error, request, reply) => sendError(toPublicError(error, request), reply))

  const methods = methodsOfApi(fastify)
  fastify.setNotFoundHandler(({ method, url }, reply) => {
    const path = url.split('?', 1)[0]!.slice(0, 200)
    const allowed = methods(path)
    if (allowed.length === 0 || allowed.includes(method)) {
      return sendError(new NotFound(`No route ${method} ${path}. GET /api/openapi.json lists all routes.`), reply)
    }
    reply.header('allow', allowed.join(', '))
    return sendError(new MethodNotAllowed(`${path} does not support ${method}. Use ${allowed.join(' or ')}.`), reply)
  })
}, { name: 'errors', fastify: '5.x' })

/** @returns a function that gives the methods of the API's routes at a path (RFC 9110, section 15.5.6) */
function methodsOfApi (fastify: FastifyInstance): (path: string) => string[] {
  const routes: Array<{ methods: string[], pattern: RegExp }> = []
  fastify.addHook('onRoute', ({ method, url }) => {
    if (url.startsWith('/api/')) routes.push({ methods: [method].flat(), pattern: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`) })
  })
  return path => [...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))]
}
