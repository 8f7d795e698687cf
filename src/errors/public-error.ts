import type { Log } from '../observability/log.js'
import { fromDatabaseError } from './database-errors.js'
import { DeletedMeanwhile, NotWritable, OperationError } from './operation-errors.js'

/** How an adapter treats errors whose details are not for callers. */
export interface Disclosure {
  /** Default: the adapter has no log. */
  log?: Log
  /** Returns the error that callers see in place of an unexpected one. */
  unexpected: (cause: unknown) => OperationError
}

/** Converts anything that was thrown to the error that callers see, for every adapter. Logs database errors and unexpected ones. */
export function toPublicError (thrown: unknown, { log, unexpected }: Disclosure): OperationError {
  if (thrown instanceof OperationError) return thrown
  const known = fromDatabaseError(thrown)
  if (known === undefined) {
    log?.error({ err: thrown }, 'A request failed.')
    return unexpected(thrown)
  }
  const level = known instanceof NotWritable ? 'error' : known instanceof DeletedMeanwhile ? 'info' : 'warn'
  log?.[level]({ err: thrown }, known.message)
  return known
}
