import { redactSecrets } from '../../observability/redaction.js'

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
/** 2026-07-28: a header is missing or differs from the body. */
export const HEADER_MISMATCH = -32020
/** 2026-07-28: the requested revision is not supported. */
export const UNSUPPORTED_VERSION = -32022

/** A JSON-RPC error response. https://www.jsonrpc.org/specification#error_object */
export class ProtocolError extends Error {
  readonly code: number
  readonly data: unknown

  constructor (code: number, message: string, data?: unknown) {
    super(redactSecrets(message.toWellFormed()))
    this.code = code
    this.data = data
  }
}
