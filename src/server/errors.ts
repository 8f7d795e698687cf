import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { fromDatabaseError } from '../errors/database-errors.js'
import { DeletedMeanwhile, InternalError, InvalidArguments, MethodNotAllowed, NotFound, NotWritable, OperationError, PayloadTooLarge, UnsupportedMediaType } from '../errors/operation-errors.js'

/** How @fastify/multipart says, without a status, that a form is broken. */
const brokenForm = /^Multipart: |unexpected end of multipart data/i

/**
 * Any error as one that a caller may be told. What the service did wrong, or what the database said, stays in the log.
 */
export function toPublicError (error: unknown, request: FastifyRequest): OperationError {
  if (error instanceof OperationError) return error
  const refused = refusalOf(error as FastifyError, request)
  if (refused !== undefined) return refused
  const mapped = fromDatabaseError(error)
  if (mapped !== undefined) {
    const level = mapped instanceof NotWritable ? 'error' : mapped instanceof DeletedMeanwhile ? 'info' : 'warn'
    request.log[level]({ err: error }, mapped.message)
    return mapped
  }
  request.log.error({ err: error }, 'A request failed.')
  return new InternalError(request.id, { cause: error })
}

/** What Fastify and its plugins refuse of a request, also of one that broke off. @returns undefined where it was none of them */
function refusalOf ({ code, statusCode = 500, message }: FastifyError, { url, routeOptions }: FastifyRequest): OperationError | undefined {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new PayloadTooLarge(`The body is longer than ${(routeOptions.bodyLimit ?? 0) / 1024 / 1024} MiB, the most that is taken.`)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new UnsupportedMediaType(url.startsWith('/api/') ? 'Send the body as JSON, with Content-Type: application/json.' : 'Pages take forms, as a browser sends them.')
  if (statusCode === 405) return new MethodNotAllowed(message)
  if (statusCode === 413) return new PayloadTooLarge(`The form is larger than what is taken: ${message}.`)
  if ((statusCode >= 400 && statusCode < 500) || brokenForm.test(message)) return new InvalidArguments(`The request cannot be read: ${message}`)
  return undefined
}

export function sendError (error: OperationError, reply: FastifyReply): FastifyReply {
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="litfeed"').header('cache-control', 'no-store')
  return reply.code(error.status).send({ detail: error.message, code: error.code })
}

/** Answers every error as `{detail, code}`. Source: contract, section 5. */
export default fp(async function errors (fastify) {
  fastify.setErrorHandler((error, request, reply) => sendError(toPublicError(error, request), reply))
  fastify.setNotFoundHandler((request, reply) => sendError(new NotFound(`There is nothing at ${request.method} ${request.url.split('?', 1)[0]!.slice(0, 200)}. GET /api/openapi.json lists what there is.`), reply))
}, { name: 'errors', fastify: '5.x' })
