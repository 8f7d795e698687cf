import { shortText } from '../../schemas/short-text.js'
import { redactSecrets } from '../observability/redaction.js'
import { type ArgumentProblem, describeProblem } from './argument-problem.js'
import { type ErrorDetails, OperationError } from './operation-error.js'

export { OperationError }
export { ProjectNotFound } from './project-not-found.js'
export { RequestAbandoned } from './request-abandoned.js'

/** Input violates the operation's schema or rules. */
export class InvalidArguments extends OperationError {
  readonly code = 'invalid_arguments'

  /** The invalid argument, if there is exactly one. A form names it by the label of its field. */
  readonly invalid: ArgumentProblem | undefined
  /** The path of the argument with which the message begins; undefined if it begins otherwise. */
  readonly argument: string | undefined

  /** @param details.argument only without `invalid`, whose path it is otherwise */
  constructor (message?: string, { invalid, argument, ...details }: ErrorDetails & { invalid?: ArgumentProblem, argument?: string } = {}) {
    super(message, invalid === undefined ? details : { userMessage: describeProblem(invalid), ...details })
    this.argument = argument ?? invalid?.path
    this.invalid = invalid && { ...invalid, problem: redactSecrets(invalid.problem) }
  }
}

/** The result would exceed the largest response. */
export class ResultTooLarge extends OperationError {
  readonly code = 'result_too_large'
  /** @param argumentNames arguments of the operation; those that make its result smaller are named */
  constructor (argumentNames: readonly string[] = []) {
    const smaller = argumentNames.includes('limit') ? 'Reduce limit' : 'Request fewer or smaller items'
    const advice = argumentNames.includes('max_chars') ? 'Read it in parts: pass max_chars, or outline and section' : smaller
    const next = argumentNames.includes('offset') ? ', and continue with offset.' : '.'
    super(`The result is too large for one response. ${advice}${next}`, { userMessage: 'This page is too large. Show fewer items.' })
  }
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
    super('Web pages of this origin may not call this service. The operator can set BASE_URL to the address under which people reach the ' +
      'service, or add the origin of another page to ALLOWED_ORIGINS.')
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
    super('The record, or one it belongs to, was deleted during this call. List the records again, and call again for one of them.', {
      userMessage: 'This was deleted in the meantime. Open the page again.', ...options
    })
  }
}

/** No paper in the caller's feeds matches the reference. */
export class PaperNotFound extends OperationError {
  readonly code = 'paper_not_found'
  /** @param details.why the reason and what to do; default: the paper is not in the caller's feeds @param details.userMessage for pages */
  constructor (reference: string, { why, userMessage = why }: { why?: string, userMessage?: string | undefined } = {}) {
    super(why ?? `Paper ${shortText(reference, 80)} doesn't exist or isn't in your feeds. ` +
      'Use the id of an item from feed_get, or its DOI, PMID or arXiv id. To find a paper by its title, call feed_search with q.', {
      userMessage: userMessage ?? 'This paper doesn’t exist or isn’t in your feeds.'
    })
  }
}

/** The job does not exist, belongs to another account, or is not in the required state. */
export class JobNotFound extends OperationError {
  readonly code = 'job_not_found'
  constructor (id: string, state?: 'failed') {
    const problem = state === undefined ? 'doesn\'t exist or isn\'t yours' : 'has not failed, or doesn\'t exist'
    super(`Job ${id} ${problem}. Use the job_id of the call that queued the job.`, {
      userMessage: state === undefined ? 'This job doesn’t exist or isn’t yours.' : 'This job has not failed, or no longer exists.'
    })
  }
}

/** The alert does not exist, or belongs to another account. */
export class AlertNotFound extends OperationError {
  readonly code = 'alert_not_found'
  constructor (id: string) {
    super(`Alert ${id} doesn't exist or isn't yours. GET /api/projects/{project_id}/alerts lists the alerts of a project.`, {
      userMessage: 'This alert doesn’t exist or isn’t yours.'
    })
  }
}

/** The project already has an alert to this target. */
export class AlertExists extends OperationError {
  readonly code = 'alert_exists'
  constructor (target: string) {
    super(`The project already has an alert to ${target}. Delete that alert first.`)
  }
}

/** The key does not exist, or belongs to another account. */
export class KeyNotFound extends OperationError {
  readonly code = 'key_not_found'
  constructor (id: string) {
    super(`Key ${id} doesn't exist or isn't yours. GET /api/keys or "litfeed key list" lists your keys.`, {
      userMessage: 'This key doesn’t exist. It may have been revoked already.'
    })
  }
}

/** The account has a key of this name. */
export class KeyExists extends OperationError {
  readonly code = 'key_exists'
  constructor (name: string) {
    super(`You already have a key named "${name}". Use another name, or revoke that key first.`)
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
    super(`Session ${id} doesn't exist or isn't yours. It may have ended already. GET /api/auth/sessions lists your sessions.`, {
      userMessage: 'This session doesn’t exist. It may have ended already.'
    })
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
    super(`${shortId} matches several papers. Use the full UUID: ${paperIds.join(', ')}.`, {
      userMessage: 'This short id matches several papers. Open the paper from your feed.'
    })
  }
}

/** A paper reference was given instead of a feed item, and several of the caller's feeds contain the paper. */
export class AmbiguousReference extends OperationError {
  readonly code = 'ambiguous_reference'
  constructor (reference: string, items: ReadonlyArray<{ id: string, project: string }>) {
    const listed = items.map(({ id, project }) => `${id} in ${JSON.stringify(project)}`).join(', ')
    super(`Paper ${reference} is in several of your feeds. Use the id of a feed item: ${listed}.`, {
      userMessage: 'This paper is in several of your feeds. Open it from one of them.'
    })
  }
}

/** The account has as many projects as it may have. */
export class TooManyProjects extends OperationError {
  readonly code = 'too_many_projects'
  constructor (maxProjects: number) {
    super(`Your account has ${maxProjects} projects, the maximum. Delete one, or ask the operator to raise MAX_PROJECTS.`, {
      userMessage: `Your account has ${maxProjects} projects, the maximum. Delete one first.`
    })
  }
}

/** An account with this email address exists. */
export class EmailTaken extends OperationError {
  readonly code = 'email_taken'
  constructor (email: string) {
    super(`An account with the email address ${email} already exists. Sign in, or use another address.`)
  }
}

/** The request body or file exceeds its limit. */
export class PayloadTooLarge extends OperationError {
  readonly code = 'payload_too_large'
}

/** The account has used its space. */
export class QuotaExceeded extends OperationError {
  readonly code = 'quota_exceeded'
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
  override readonly retryAfter: number
  /** @param why a sentence with the reason @param options.seconds until the next call can succeed */
  constructor (why: string, { seconds = 5, ...options }: ErrorOptions & { seconds?: number } = {}) {
    super(`${why} Retry after ${seconds} s.`, options)
    this.retryAfter = seconds
  }
}

/** Work in a thread exceeded its limit of time or memory. It states no delay, since an immediate retry usually fails again. */
export class WorkStopped extends OperationError {
  readonly code = 'work_stopped'
}

/** The database can be read but not written: its disk is full, or it is a replica. */
export class NotWritable extends OperationError {
  readonly code = 'not_writable'
  override readonly retryAfter = 60
  constructor (options?: ErrorOptions) {
    super('Cannot write: the disk of the database is full, or the database is read-only. Nothing was changed, and reading still works. ' +
      'Tell the operator; retry after 60 s.', options)
  }
}
