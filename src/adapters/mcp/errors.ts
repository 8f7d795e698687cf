import type { RequestId } from '../../../schemas/jsonrpc.js'
import { DatabaseUnavailable } from '../../errors/database-errors.js'
import type { OperationError } from '../../errors/operation-errors.js'
import { redactSecrets } from '../../observability/redaction.js'

/*
 * Every error becomes its answer here; everything else only throws. An error of an operation may be a result of its method
 * (methodResult); other errors of a request are answered with its id (requestError); what is thrown outside of requests, or concerns all
 * of them, is the whole response (responseError).
 */

/** JSON-RPC 2.0: the body is not valid JSON. */
export const PARSE_ERROR = -32700
/** JSON-RPC 2.0: the body is not a request. */
export const INVALID_REQUEST = -32600
/** JSON-RPC 2.0: the method is unknown. */
export const METHOD_NOT_FOUND = -32601
/** JSON-RPC 2.0: the parameters of the method are invalid. */
export const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603
/** 2026-07-28: a header is missing or differs from the body. */
export const HEADER_MISMATCH = -32020
/** 2026-07-28: the requested revision is not supported. */
export const UNSUPPORTED_VERSION = -32022

/** HTTP status of a response that is one error, by its code. Default: 200. */
const statuses: Readonly<Record<number, number>> = {
  [PARSE_ERROR]: 400,
  [INVALID_REQUEST]: 400,
  [HEADER_MISMATCH]: 400,
  [UNSUPPORTED_VERSION]: 400
}

/** A JSON-RPC error. https://www.jsonrpc.org/specification#error_object */
export class ProtocolError extends Error {
  readonly code: number
  readonly data: unknown
  /** HTTP status of the response, unless a batch contains the error. */
  readonly status: number
  /** Seconds until a retry, for the header Retry-After. */
  readonly retryAfter: number | undefined

  constructor (
    code: number,
    message: string,
    { data, status = statuses[code] ?? 200, retryAfter }: { data?: unknown, status?: number, retryAfter?: number | undefined } = {}
  ) {
    super(redactSecrets(message.toWellFormed()))
    this.code = code
    this.data = data
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** Converts anything that was thrown to an error that callers may see. */
type ToPublicError = (thrown: unknown) => OperationError

/** Results of methods for errors of their operations, or the JSON-RPC errors that they throw. */
const methodResults: Readonly<Record<string, (error: OperationError) => object>> = {
  // Models read it and correct their call. Text only, because clients validate structuredContent against the tool's output schema.
  'tools/call': ({ code, message }) => ({ isError: true, content: [{ type: 'text', text: `${code}: ${message}` }] }),
  // Only the caller's mistakes are invalid parameters.
  'prompts/get' (error) {
    if (error.status >= 500 || error.code === 'rate_limited') throw error
    throw new ProtocolError(INVALID_PARAMS, error.message)
  }
}

/**
 * The result of a method for an error that was thrown while it ran.
 * @throws ProtocolError if the answer is an error, OperationError if it is an internal one or concerns the whole response
 */
export function methodResult (method: string, thrown: unknown, toPublicError: ToPublicError): object {
  if (thrown instanceof ProtocolError) throw thrown
  const error = toPublicError(thrown)
  if (error instanceof DatabaseUnavailable || !Object.hasOwn(methodResults, method)) throw error
  return methodResults[method]!(error)
}

/** The error that answers a request. @throws DatabaseUnavailable: it concerns the whole endpoint, which then answers 503 */
export function requestError (thrown: unknown, toPublicError: ToPublicError): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown
  const error = toPublicError(thrown)
  if (error instanceof DatabaseUnavailable) throw error
  return new ProtocolError(INTERNAL_ERROR, error.message)
}

/** The error that is the whole response. */
export function responseError (thrown: unknown, toPublicError: ToPublicError): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown
  const { status, message, retryAfter } = toPublicError(thrown)
  return new ProtocolError(status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST, message, { status, retryAfter })
}

/** Serializes an error, with the request's id if it is known. */
export function errorText ({ code, message, data }: ProtocolError, id?: RequestId): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) }
  })
}
