import { type ErrorCode, errorStatus } from '../../schemas/errors.js'
import { redactSecrets } from '../observability/redaction.js'

interface ErrorDetails extends ErrorOptions {
  /** What a page says instead; the message where it is left out. */
  userMessage?: string
}

/** An error that a caller may see: a stable code, and a message for callers of MCP, REST and the command line that says what to do next. */
export abstract class OperationError extends Error {
  abstract readonly code: ErrorCode
  /** Seconds after which the same call may succeed, where that is known. */
  readonly retryAfter?: number

  /** The message as a page shows it: for researchers, without names of arguments, tools or routes. */
  readonly userMessage: string

  constructor (message = '', { userMessage, ...options }: ErrorDetails = {}) {
    super(redactSecrets(message), options)
    this.userMessage = redactSecrets(userMessage ?? message)
  }

  get status (): number {
    return errorStatus[this.code]
  }
}

export class InvalidArguments extends OperationError {
  readonly code = 'invalid_arguments'
}

export class Unauthorized extends OperationError {
  readonly code = 'unauthorized'
}

export class Forbidden extends OperationError {
  readonly code = 'forbidden'
}

export class OriginNotAllowed extends OperationError {
  readonly code = 'origin_not_allowed'
  constructor () {
    super('Web pages of this origin may not call this service. Its owner can add the origin to ALLOWED_ORIGINS.')
  }
}

export class RegistrationClosed extends OperationError {
  readonly code = 'registration_closed'
}

export class NotFound extends OperationError {
  readonly code = 'not_found'
}

/** Something that was there when the call began. */
export class DeletedMeanwhile extends OperationError {
  readonly code = 'deleted_meanwhile'
  constructor (options?: ErrorOptions) {
    super('It was deleted meanwhile, or what it belongs to was.', options)
  }
}

export class ProjectNotFound extends OperationError {
  readonly code = 'project_not_found'
  constructor (id: string) {
    super(`You have no project ${id}. Call projects_list (GET /api/projects) for the ids of your projects.`, { userMessage: 'This project doesn’t exist or isn’t yours.' })
  }
}

export class PaperNotFound extends OperationError {
  readonly code = 'paper_not_found'
  constructor (reference: string) {
    super(`No paper of yours is called ${reference}. Use the id or short_id of an item of feed_get or feed_search, or of its paper.`, { userMessage: 'This paper doesn’t exist or isn’t in your feeds.' })
  }
}

export class JobNotFound extends OperationError {
  readonly code = 'job_not_found'
  constructor (id: string, state?: 'failed') {
    super(`You have no ${state === undefined ? '' : `${state} `}job ${id}. A job's id is the job_id that queued it.`, { userMessage: state === undefined ? 'This job doesn’t exist or isn’t yours.' : 'This job has not failed, or no longer exists.' })
  }
}

export class AlertNotFound extends OperationError {
  readonly code = 'alert_not_found'
  constructor (id: string) {
    super(`You have no alert ${id}. GET /api/projects/{project_id}/alerts lists those of a project.`, { userMessage: 'This alert doesn’t exist or isn’t yours.' })
  }
}

export class AlertExists extends OperationError {
  readonly code = 'alert_exists'
  constructor (target: string) {
    super(`The project has an alert to ${target} already. Delete that one first.`)
  }
}

export class AccountNotFound extends OperationError {
  readonly code = 'account_not_found'
  /** @param name an address, as the operator's commands name accounts, or an id, as administrators' calls do */
  constructor (name: string) {
    super(name.includes('@')
      ? `No account has the address ${name}. Run "litfeed user list" for those there are.`
      : `There is no account ${name}. GET /api/administration/accounts lists those there are.`, { userMessage: 'This account doesn’t exist.' })
  }
}

export class AccountDisabled extends OperationError {
  readonly code = 'account_disabled'
  constructor () {
    super('This account is disabled. An administrator of the service can enable it.')
  }
}

export class LastAdministrator extends OperationError {
  readonly code = 'last_administrator'
  constructor () {
    super('This is the only account that can administer the service. Make another one an administrator first.')
  }
}

export class SessionNotFound extends OperationError {
  readonly code = 'session_not_found'
  constructor (id: string) {
    super(`You have no session ${id}. It may have ended already.`)
  }
}

export class MethodNotAllowed extends OperationError {
  readonly code = 'method_not_allowed'
}

export class AmbiguousShortId extends OperationError {
  readonly code = 'ambiguous_short_id'
  constructor (shortId: string, paperIds: string[]) {
    super(`${shortId} is the beginning of several ids. Use the full UUID of the paper you mean: ${paperIds.join(', ')}.`, { userMessage: 'This short id means several papers. Open the paper from your feed.' })
  }
}

/** A paper's reference, where a feed item's is needed and several of the caller's feeds have the paper. */
export class AmbiguousReference extends OperationError {
  readonly code = 'ambiguous_reference'
  constructor (reference: string, itemIds: string[]) {
    super(`Paper ${reference} is in several of your feeds. Use the id of the feed item you mean: ${itemIds.join(', ')}.`, { userMessage: 'This paper is in several of your feeds. Open it from one of them.' })
  }
}

export class EmailTaken extends OperationError {
  readonly code = 'email_taken'
  constructor (email: string) {
    super(`An account with the address ${email} exists already. Log in, or use another address.`)
  }
}

export class PayloadTooLarge extends OperationError {
  readonly code = 'payload_too_large'
}

export class UnsupportedMediaType extends OperationError {
  readonly code = 'unsupported_media_type'
}

export class RateLimited extends OperationError {
  readonly code = 'rate_limited'
  override readonly retryAfter: number
  /** @param seconds until the next call is let through */
  constructor (seconds: number, why = 'Too many calls.') {
    super(`${why} Retry after ${seconds} s.`)
    this.retryAfter = seconds
  }
}

export class InternalError extends OperationError {
  readonly code = 'internal_error'
  constructor (requestId: string, options?: ErrorOptions) {
    super(`The service failed at this. Try again; if it stays, its operator finds the cause in the log under request ${requestId}.`, options)
  }
}

/** @param why a sentence; what to do follows it */
export class Unavailable extends OperationError {
  readonly code = 'unavailable'
  override readonly retryAfter = 5
  constructor (why: string, options?: ErrorOptions) {
    super(`${why} Retry after 5 s.`, options)
  }
}

/** The database can be read and not written: it has no room, or is a replica. */
export class NotWritable extends OperationError {
  readonly code = 'not_writable'
  override readonly retryAfter = 60
  constructor (options?: ErrorOptions) {
    super('Nothing can be written at the moment: the disk of the database is full, or the database is read-only. Nothing was changed, and what is there can be read. Tell who runs this service; retry after 60 s.', options)
  }
}
