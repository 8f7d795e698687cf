import { SerializationConflict, UniqueViolation } from '../errors.js'

/** Attempts at a transaction that conflicts with others. */
const maxAttempts = 5

/** Runs a change, and again where it failed because of concurrent ones. @throws the error of the last attempt */
export async function retryOn<T> (Conflict: new (...args: any[]) => Error, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof Conflict) || attempt === maxAttempts) throw error
    }
  }
}

/** Runs a transaction, and again where concurrent ones made it roll back. @throws SerializationConflict after the last attempt */
export const retryConflicts = <T>(run: () => Promise<T>): Promise<T> => retryOn(SerializationConflict, run)

/** Awaits work that maintenance continues: what conflicts with other transactions to the last attempt is left to it. */
export async function leaveConflicts (work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof SerializationConflict)) throw error
  }
}

/** Awaits a change that may conflict with a concurrent one. @returns undefined if that has taken the key of the row */
export async function undefinedIfTaken<T> (change: Promise<T>): Promise<T | undefined> {
  try {
    return await change
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    return undefined
  }
}
