import { hash, matches } from './argon2.js'
import { randomText } from './random.js'

export const hashPassword = hash

/** About 107 bits, in groups that a person can copy by hand. */
export const makePassword = (): string => Array.from({ length: 3 }, () => randomText(6)).join('-')

let nobodys: Promise<string> | undefined

/**
 * Whether the password fits. An unknown account costs the same time as a wrong password, so that the answer's delay does not tell
 * who has an account.
 */
export async function verifyPassword (encoded: string | undefined, password: string): Promise<boolean> {
  if (encoded !== undefined) return await matches(encoded, password)
  // One that could not be made now is made at the next login.
  nobodys ??= hash(randomText(32)).catch(cause => {
    nobodys = undefined
    throw cause
  })
  await matches(await nobodys, password)
  return false
}
