import {
  DatabaseNotWritable, DatabaseUnreachable, ForeignKeyViolation, NoConnectionFree, RowNotFound, SerializationConflict
} from '../../db/errors.js'
import { DeletedMeanwhile, NotWritable, type OperationError, Unavailable } from './operation-errors.js'

/** The database is unreachable: every call fails now, not the one that found out. */
export class DatabaseUnavailable extends Unavailable {
  constructor (options?: ErrorOptions) {
    super('The database is unreachable.', options)
  }
}

/**
 * Maps a database error to an operation error, for every adapter.
 * @returns undefined for other errors, including database errors that point to a bug
 */
export function fromDatabaseError (error: unknown): OperationError | undefined {
  const options = { cause: error }
  if (error instanceof DatabaseNotWritable) return new NotWritable(options)
  if (error instanceof NoConnectionFree) return new Unavailable('Too many requests are waiting for the database.', options)
  if (error instanceof DatabaseUnreachable) return new DatabaseUnavailable(options)
  if (error instanceof SerializationConflict) {
    return new Unavailable('Concurrent changes conflicted, and this one was rolled back.', options)
  }
  if (isRowMissing(error)) return new DeletedMeanwhile(options)
  return undefined
}

/** Whether a row that a statement needs was deleted after it was read. */
export const isRowMissing = (error: unknown): boolean => error instanceof ForeignKeyViolation || error instanceof RowNotFound
