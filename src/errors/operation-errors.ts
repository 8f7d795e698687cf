import { type ErrorCode, errorStatus } from '../../schemas/errors.js'
import { redactSecrets } from '../observability/redaction.js'

interface ErrorDetails extends ErrorOptions {
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
    super(redactSecrets(message), options)
    this.userMessage = redactSecrets(userMessage ?? message)
  }

  /** HTTP status for this code. */
  get status (): number {
    return errorStatus[this.code]
  }
}

/** Input violates the operation's schema or rules. */
export class InvalidArguments extends OperationError {
  readonly code = 'invalid_arguments'
}

/** Credentials are missing or invalid. */
export class Unauthorized extends OperationError {
  readonly code = 'unauthorized'
}

/** The caller lacks permission. */
export class Forbidden extends OperationError {
  readonly code = 'forbidden'
}

/** The Origin header names a web page that is not allowed. */
export class OriginNotAllowed extends OperationError {
  readonly code = 'origin_not_allowed'
  constructor () {
    super('Web pages of this origin may not call this service. The operator can add the origin to ALLOWED_ORIGINS.')
  }
}

/** Registration over HTTP is not allowed, or not any more. */
export class RegistrationClosed extends OperationError {
  readonly code = 'registration_closed'
}

/** Unknown route or resource without a code of its own. */
export class NotFound extends OperationError {
  readonly code = 'not_found'
}

/** A record was deleted while the operation was running. */
export class DeletedMeanwhile extends OperationError {
  readonly code = 'deleted_meanwhile'
  constructor (options?: ErrorOptions) {
    super('The record, or one it belongs to, was deleted during this call.', options)
  }
}

/** The project does not exist, or belongs to another account. */
export class ProjectNotFound extends OperationError {
  readonly code = 'project_not_found'
  constructor (id: string) {
    super(`You have no project ${id}. Call projects_list (GET /api/projects) for the ids of your projects.`, { userMessage: 'This project doesn’t exist or isn’t yours.' })
  }
}

/** No paper in the caller's feeds matches the reference. */
export class PaperNotFound extends OperationError {
  readonly code = 'paper_not_found'
  constructor (reference: string) {
    super(`You have no paper ${reference}. Use the id or short_id of an item from feed_get or feed_search, or of its paper.`, { userMessage: 'This paper doesn’t exist or isn’t in your feeds.' })
  }
}

/** The job does not exist, belongs to another account, or is not in the required state. */
export class JobNotFound extends OperationError {
  readonly code = 'job_not_found'
  constructor (id: string, state?: 'failed') {
    super(`You have no ${state === undefined ? '' : `${state} `}job ${id}. Use the job_id of the call that queued the job.`, { userMessage: state === undefined ? 'This job doesn’t exist or isn’t yours.' : 'This job has not failed, or no longer exists.' })
  }
}

/** The alert does not exist, or belongs to another account. */
export class AlertNotFound extends OperationError {
  readonly code = 'alert_not_found'
  constructor (id: string) {
    super(`You have no alert ${id}. GET /api/projects/{project_id}/alerts lists the alerts of a project.`, { userMessage: 'This alert doesn’t exist or isn’t yours.' })
  }
}

/** The project already has an alert to this target. */
export class AlertExists extends OperationError {
  readonly code = 'alert_exists'
  constructor (target: string) {
    super(`The project already has an alert to ${target}. Delete that alert first.`)
  }
}

/** No account has this email address or id. */
export class AccountNotFound extends OperationError {
  readonly code = 'account_not_found'
  /** @param name email address (command line) or id (administration) */
  constructor (name: string) {
    super(name.includes('@')
      ? `No account has the address ${name}. Run "litfeed user list" to list all accounts.`
      : `There is no account ${name}. GET /api/administration/accounts lists all accounts.`, { userMessage: 'This account doesn’t exist.' })
  }
}

/** An administrator disabled the account. */
export class AccountDisabled extends OperationError {
  readonly code = 'account_disabled'
  constructor () {
    super('This account is disabled. An administrator can enable it.')
  }
}

/** The change would leave no enabled administrator. */
export class LastAdministrator extends OperationError {
  readonly code = 'last_administrator'
  constructor () {
    super('This is the only administrator. Make another account an administrator first.')
  }
}

/** The session does not exist, has ended, or belongs to another account. */
export class SessionNotFound extends OperationError {
  readonly code = 'session_not_found'
  constructor (id: string) {
    super(`You have no session ${id}. It may have ended already.`)
  }
}

/** The route does not support this HTTP method. */
export class MethodNotAllowed extends OperationError {
  readonly code = 'method_not_allowed'
}

/** A short id matches several papers. */
export class AmbiguousShortId extends OperationError {
  readonly code = 'ambiguous_short_id'
  constructor (shortId: string, paperIds: string[]) {
    super(`${shortId} matches several papers. Use the full UUID: ${paperIds.join(', ')}.`, { userMessage: 'This short id matches several papers. Open the paper from your feed.' })
  }
}

/** A paper reference was given instead of a feed item, and several of the caller's feeds contain the paper. */
export class AmbiguousReference extends OperationError {
  readonly code = 'ambiguous_reference'
  constructor (reference: string, itemIds: string[]) {
    super(`Paper ${reference} is in several of your feeds. Use the id of a feed item: ${itemIds.join(', ')}.`, { userMessage: 'This paper is in several of your feeds. Open it from one of them.' })
  }
}

/** An account with this email address exists. */
export class EmailTaken extends OperationError {
  readonly code = 'email_taken'
  constructor (email: string) {
    super(`An account with the address ${email} already exists. Log in, or use another address.`)
  }
}

/** The request body or file exceeds its limit. */
export class PayloadTooLarge extends OperationError {
  readonly code = 'payload_too_large'
}

/** The route does not accept this Content-Type. */
export class UnsupportedMediaType extends OperationError {
  readonly code = 'unsupported_media_type'
}

/** Too many calls, logins or uploads. */
export class RateLimited extends OperationError {
  readonly code = 'rate_limited'
  override readonly retryAfter: number
  /** @param seconds until the next call is allowed @param why a sentence with the reason */
  constructor (seconds: number, why = 'Too many calls.') {
    super(`${why} Retry after ${seconds} s.`)
    this.retryAfter = seconds
  }
}

/** An unexpected failure. The message refers to the log and hides the cause. */
export class InternalError extends OperationError {
  readonly code = 'internal_error'
  constructor (requestId: string, options?: ErrorOptions) {
    super(`Internal error. Try again; if it persists, the operator can find the cause in the log under request ${requestId}.`, options)
  }
}

/** A temporary failure. */
export class Unavailable extends OperationError {
  readonly code = 'unavailable'
  override readonly retryAfter = 5
  /** @param why a sentence with the reason */
  constructor (why: string, options?: ErrorOptions) {
    super(`${why} Retry after 5 s.`, options)
  }
}

/** The database can be read but not written: its disk is full, or it is a replica. */
export class NotWritable extends OperationError {
  readonly code = 'not_writable'
  override readonly retryAfter = 60
  constructor (options?: ErrorOptions) {
    super('Cannot write: the disk of the database is full, or the database is read-only. Nothing was changed, and reading still works. Tell the operator; retry after 60 s.', options)
  }
}
