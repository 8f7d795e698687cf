import { type Static, Type } from 'typebox'
import { keysOf } from './closed-lists.js'
import { Words } from './nullable.js'

/** All error codes with their HTTP status. */
export const errorStatus = {
  invalid_arguments: 400,
  result_too_large: 400,
  unauthorized: 401,
  forbidden: 403,
  origin_not_allowed: 403,
  registration_closed: 403,
  account_disabled: 403,
  not_found: 404,
  project_not_found: 404,
  paper_not_found: 404,
  job_not_found: 404,
  alert_not_found: 404,
  key_not_found: 404,
  account_not_found: 404,
  session_not_found: 404,
  deleted_meanwhile: 404,
  method_not_allowed: 405,
  ambiguous_short_id: 409,
  ambiguous_reference: 409,
  alert_exists: 409,
  key_exists: 409,
  email_taken: 409,
  last_administrator: 409,
  too_many_projects: 409,
  payload_too_large: 413,
  quota_exceeded: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  request_abandoned: 499,
  internal_error: 500,
  unavailable: 503,
  work_stopped: 503,
  not_writable: 503
} as const

/** A stable error code, for programs. */
export type ErrorCode = keyof typeof errorStatus
/** All error codes. */
export const errorCodes: readonly ErrorCode[] = keysOf(errorStatus)

/** The body of every REST error. */
export const ErrorBody = Type.Object({
  detail: Type.String({ description: 'What failed, why, and what to do.' }),
  code: Words(errorCodes, { description: 'Stable error code.' })
}, { description: 'An error.' })
export type ErrorBody = Static<typeof ErrorBody>
