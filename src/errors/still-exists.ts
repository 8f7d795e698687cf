import { isRowMissing } from './database-errors.js'
import { DeletedMeanwhile, OperationError } from './operation-errors.js'

/** What was there a moment ago. @throws DeletedMeanwhile */
export function requireStillExists<T> (found: T | undefined): T {
  if (found === undefined) throw new DeletedMeanwhile()
  return found
}

/** Whether an error says that what the work was for is not there any more, which is nobody's fault. */
export const wasDeleted = (error: unknown): boolean => isRowMissing(error) || (error instanceof OperationError && error.status === 404)
