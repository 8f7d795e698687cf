import { type ErrorCode, errorStatus } from '../../schemas/errors.js'
import { redactSecrets } from '../observability/redaction.js'

/** Details of an error besides its message. */
export interface ErrorDetails extends ErrorOptions {
  /** Message for web pages. Default: the message. */
  userMessage?: string
}

/** An error for callers: a stable code, and a message for MCP, REST and the command line that names the next step. */
export abstract class OperationError extends Error {
  abstract readonly code: ErrorCode
  /** Seconds after which a retry can succeed, if known. */
  readonly retryAfter?: number

  /** Message for web pages: for researchers, without names of arguments, tools or routes. */
  readonly userMessage: string

  constructor (message = '', { userMessage, ...options }: ErrorDetails = {}) {
    // A message may quote half of a surrogate pair, which strict JSON parsers refuse.
    super(redactSecrets(message.toWellFormed()), options)
    this.userMessage = redactSecrets((userMessage ?? message).toWellFormed())
  }

  /** HTTP status for this code. */
  get status (): number {
    return errorStatus[this.code]
  }
}
