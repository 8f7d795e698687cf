import pg from 'pg'
import { errorCodeOf } from '../schemas/thrown.js'

export { NoResultError as RowNotFound } from 'kysely'

/**
 * A failure of the database. Every query, transaction and connection attempt throws this class or one below it; db/driver.ts converts them.
 * The message is Litfeed's own, since the driver's may quote data; the driver's error is the `cause`.
 */
export class DatabaseError extends Error {
  /** SQLSTATE, or the code of a network error such as ECONNREFUSED. For logs: callers use `instanceof`. */
  readonly code: string | undefined

  constructor (message = 'The database reported an error.', options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = errorCodeOf(options?.cause)
  }
}

/**
 * The database cannot be reached now: network errors, SQLSTATE classes 08 (connection), 57P (shutting down or starting), 53 (out of
 * resources).
 */
export class DatabaseUnreachable extends DatabaseError {
  constructor (options?: ErrorOptions) {
    super('The database cannot be reached.', options)
  }
}

/** The certificate of the server is not trusted, has expired or is for another name. */
export class CertificateRejected extends DatabaseUnreachable {}

/** A query waited too long for a connection, since others use those that there are. */
export class NoConnectionFree extends DatabaseUnreachable {
  constructor () {
    super()
    this.message = 'No connection to the database became free in time.'
  }
}

/**
 * The database can be read but not written: SQLSTATE 53100 (disk full) or 25006 (a replica, or the embedded database with little disk space
 * left).
 */
export class DatabaseNotWritable extends DatabaseError {
  constructor (options?: ErrorOptions) {
    super('The database does not accept writes.', options)
  }
}

/**
 * The transaction was rolled back because of concurrent ones, and may succeed when repeated: SQLSTATE 40001 (serialization), 40P01
 * (deadlock).
 */
export class SerializationConflict extends DatabaseError {
  constructor (options?: ErrorOptions) {
    super('The transaction conflicted with another one.', options)
  }
}

/** A statement took longer than it may: SQLSTATE 57014. */
export class StatementTimeout extends DatabaseError {
  constructor (options?: ErrorOptions) {
    super('The statement took too long and was stopped.', options)
  }
}

/** Another transaction holds a lock that was requested with NOWAIT: SQLSTATE 55P03. */
export class LockNotAvailable extends DatabaseError {
  constructor (options?: ErrorOptions) {
    super('Another transaction holds the lock.', options)
  }
}

/** The database refused the values of a statement: SQLSTATE classes 22 (data), 23 (constraint), 54 (limit). */
export class DataRefused extends DatabaseError {
  constructor (message = 'The database refused the data.', options?: ErrorOptions) {
    super(message, options)
  }
}

/** A row that the statement refers to does not exist (any more): SQLSTATE 23503. */
export class ForeignKeyViolation extends DataRefused {
  constructor (options?: ErrorOptions) {
    super('A row that the statement refers to does not exist.', options)
  }
}

/** A row with the same key exists: SQLSTATE 23505. */
export class UniqueViolation extends DataRefused {
  constructor (options?: ErrorOptions) {
    super('A row with the same key exists.', options)
  }
}

/** Network errors below the driver. A missing file is ENOENT too, so ENOENT counts only where a socket was being connected. */
const networkCodes = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL',
  'EAI_AGAIN'
])
/** Codes of certificates that Node.js rejects (its documentation of TLS lists them). */
const certificateCodes = /^CERT_|^UNABLE_TO_|SELF_SIGNED_CERT|^ERR_TLS_CERT|^INVALID_(?:CA|PURPOSE)$/
/** The driver and its pool report lost connections and timeouts without a code. */
const connectionMessages = new RegExp(
  'connection terminated|connection timeout|timeout exceeded when trying to connect' +
  '|does not support SSL|not queryable|client has encountered a connection error',
  'i'
)

/**
 * Converts an error of the driver. This is the only place that reads SQLSTATEs.
 * @returns a DatabaseError with `cause`; any other error unchanged
 */
export function toDatabaseError (cause: unknown): unknown {
  if (cause instanceof pg.DatabaseError) return fromSqlState(cause.code ?? '', { cause })
  if (cause instanceof DatabaseError || !(cause instanceof Error)) return cause
  const { code, syscall } = cause as NodeJS.ErrnoException
  if (code !== undefined && certificateCodes.test(code)) return new CertificateRejected({ cause })
  const lost =
    code === undefined ? connectionMessages.test(cause.message) : networkCodes.has(code) || (code === 'ENOENT' && syscall === 'connect')
  return lost ? new DatabaseUnreachable({ cause }) : cause
}

function fromSqlState (state: string, options: ErrorOptions): DatabaseError {
  if (state === '53100' || state === '25006') return new DatabaseNotWritable(options)
  if (/^(08|53|57P)/.test(state)) return new DatabaseUnreachable(options)
  if (state === '40001' || state === '40P01') return new SerializationConflict(options)
  if (state === '57014') return new StatementTimeout(options)
  if (state === '55P03') return new LockNotAvailable(options)
  if (state === '23503') return new ForeignKeyViolation(options)
  if (state === '23505') return new UniqueViolation(options)
  if (/^(22|23|54)/.test(state)) return new DataRefused(undefined, options)
  return new DatabaseError(undefined, options)
}
