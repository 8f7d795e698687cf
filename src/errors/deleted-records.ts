import { isRowMissing } from './database-errors.js'
import { DeletedMeanwhile, OperationError } from './operation-errors.js'

/** Returns a record that existed when the operation started. @throws DeletedMeanwhile if it is undefined now */
export function requireRecord<T> (found: T | undefined): T {
  if (found === undefined) throw new DeletedMeanwhile()
  return found
}

/** Whether an error means that the subject of the work was deleted, which is not a failure. */
export const wasDeleted = (error: unknown): boolean => isRowMissing(error) || (error instanceof OperationError && error.status === 404)
