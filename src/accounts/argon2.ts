import argon2 from 'argon2'
import pLimit from 'p-limit'
import { Unavailable } from '../errors/operation-errors.js'

/** OWASP's recommended floor for argon2id: 19 MiB, two passes, one lane. A run takes about 25 ms. */
const parameters = { type: argon2.argon2id, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

/** argon2 runs on the four threads that DNS and files share; two at a time leave them room. */
const limit = pLimit(2)
const longestQueue = 100

/** @returns the encoded form, with parameters and salt */
export const hash = (secret: string): Promise<string> => queued(() => argon2.hash(secret, parameters))

export const matches = (encoded: string, secret: string): Promise<boolean> => queued(() => argon2.verify(encoded, secret))

/** @throws Unavailable when so many are waiting that this one would take seconds */
async function queued<T> (run: () => Promise<T>): Promise<T> {
  if (limit.pendingCount >= longestQueue) throw new Unavailable('Too many passwords and keys wait to be looked at.')
  return await limit(run)
}
