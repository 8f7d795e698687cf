import { SerializationConflict } from '../errors.js'

/** Attempts at a transaction that conflicts with others. */
const maxAttempts = 5

/**
 * Runs a transaction, and again where it was rolled back because of concurrent ones. @throws SerializationConflict after the last attempt
 */
export async function retryConflicts<T> (run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof SerializationConflict) || attempt === maxAttempts) throw error
    }
  }
}
