import { DatabaseNotWritable, DatabaseUnreachable, ForeignKeyViolation, RowNotFound, SerializationConflict } from '../../db/errors.js'
import { DeletedMeanwhile, NotWritable, type OperationError, Unavailable } from './operation-errors.js'

/**
 * Maps a failure of the database to an operation error; every adapter uses this mapping.
 * @returns undefined for other errors, including failures of the database that only a change of the program can fix
 */
export function fromDatabaseError (error: unknown): OperationError | undefined {
  const options = { cause: error }
  if (error instanceof DatabaseNotWritable) return new NotWritable(options)
  if (error instanceof DatabaseUnreachable) return new Unavailable('The database cannot be reached at the moment.', options)
  if (error instanceof SerializationConflict) return new Unavailable('Other changes came at the same time, and this one was taken back.', options)
  if (isRowMissing(error)) return new DeletedMeanwhile(options)
  return undefined
}

/** Whether a row that a statement needs was deleted since it was read. */
export const isRowMissing = (error: unknown): boolean => error instanceof ForeignKeyViolation || error instanceof RowNotFound
