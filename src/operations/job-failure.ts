import { messageOf } from '../../schemas/thrown.js'
import { MailRejected } from '../alerts/mail.js'
import { fromDatabaseError } from '../errors/database-errors.js'
import { OperationError } from '../errors/operation-errors.js'
import { ConverterStopped, NotConvertible } from '../fulltext/converter-result.js'
import { OriginUnavailable } from '../fulltext/origins/origin.js'
import { HttpError } from '../http/client.js'
import { JobFailure, PermanentFailure, unexpectedFailure } from '../jobs/failures.js'
import { SummaryFailed } from '../relevance/written-summary.js'
import { SourceError } from '../sources/source.js'
import { ZoteroError } from '../zotero/errors.js'

/** Errors whose messages quote nothing from outside. */
const publicErrors = [
  OperationError, HttpError, SourceError, NotConvertible, ConverterStopped, OriginUnavailable, SummaryFailed, MailRejected, ZoteroError
]

/** The failure that people read about an error: its own message only where that quotes nothing from outside. The cause is for the log. */
export function toJobFailure (error: unknown): JobFailure {
  if (error instanceof JobFailure) return error
  if (error instanceof MailRejected && error.isFinal) return new PermanentFailure(error.message, { cause: error })
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new JobFailure('Timed out.', { cause: error })
  }
  const known = fromDatabaseError(error) ?? error
  const isPublic = publicErrors.some(publicError => known instanceof publicError)
  return new JobFailure(isPublic ? messageOf(known) : unexpectedFailure, { cause: error })
}
