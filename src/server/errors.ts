import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
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
    return new PayloadTooLarge(`The body exceeds the maximum of ${(routeOptions.bodyLimit ?? 0) / 1024 / 1024} MiB.`)
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new UnsupportedMediaType(
      url.startsWith('/api/')
        ? 'Send the body as JSON, with Content-Type: application/json.'
        : 'Send the form as a browser does: application/x-www-form-urlencoded or multipart/form-data.'
    )
  }
  if (statusCode === 405) return new MethodNotAllowed(message)
  if (statusCode === 413) return new PayloadTooLarge(`The form exceeds a limit: ${message}.`)
  if ((statusCode >= 400 && statusCode < 500) || malformedForm.test(message)) return new InvalidArguments(`Invalid request: ${message}`)
  return undefined
}

/** Sends an error as `{detail, code}` with its status, Retry-After and WWW-Authenticate headers. */
export function sendError (error: OperationError, reply: FastifyReply): FastifyReply {
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="litfeed"')
  return reply.code(error.status).send({ detail: error.message, code: error.code })
}

/** Responds to every error with `{detail, code}`. */
export default fp(async function errors (fastify) {
  fastify.setErrorHandler((error, request, reply) => sendError(toPublicError(error, request), reply))
  fastify.setNotFoundHandler((request, reply) => sendError(
    new NotFound(`No route ${request.method} ${request.url.split('?', 1)[0]!.slice(0, 200)}. GET /api/openapi.json lists all routes.`),
    reply
  ))
}, { name: 'errors', fastify: '5.x' })
