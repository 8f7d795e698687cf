import { type Purpose, hashSecret, verifySecret } from './argon2.js'
import { randomText } from './random.js'

/** Operators and people who are signed in. */
const trusted: Purpose = { lane: 'known' }

/** Hashes a password with argon2id. @throws Unavailable if too many are queued */
export const hashPassword = async (password: string, purpose = trusted): Promise<string> => await hashSecret(password, purpose)

/** Generates a password of about 107 bits, in groups that are easy to copy by hand. */
export const generatePassword = (): string => Array.from({ length: 3 }, () => randomText(6)).join('-')

/** Hash for unknown accounts. */
let dummyHash: Promise<string> | undefined

/**
 * Verifies a password. Unknown accounts (`encoded` undefined) take as long as a wrong password, so timing reveals no accounts.
 * @throws Unavailable if too many passwords are queued
 */
export async function verifyPassword (encoded: string | undefined, password: string, purpose = trusted): Promise<boolean> {
  if (encoded !== undefined) return await verifySecret(encoded, password, purpose)
  dummyHash ??= hashSecret(randomText(32), trusted).catch(cause => {
    dummyHash = undefined
    throw cause
  })
  await verifySecret(await dummyHash, password, purpose)
  return false
}
