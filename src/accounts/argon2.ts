import argon2 from 'argon2'
import pLimit from 'p-limit'
import { Unavailable } from '../errors/operation-errors.js'

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. A run takes about 25 ms. */
const parameters = { type: argon2.argon2id, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

/** argon2 shares libuv's four threads with DNS and file access, so at most two runs are concurrent. */
const limit = pLimit(2)
const maxQueueLength = 100

/** Hashes a secret. @returns the encoded hash with parameters and salt. @throws Unavailable if the queue is full */
export const hashSecret = (secret: string): Promise<string> => enqueue(() => argon2.hash(secret, parameters))

/** Compares a secret with an encoded hash. @throws Unavailable if the queue is full */
export const verifySecret = (encoded: string, secret: string): Promise<boolean> => enqueue(() => argon2.verify(encoded, secret))

/** Limits concurrency. @throws Unavailable if the wait would take seconds */
async function enqueue<T> (run: () => Promise<T>): Promise<T> {
  if (limit.pendingCount >= maxQueueLength) throw new Unavailable('Too many passwords and keys are waiting for verification.')
  return await limit(run)
}
