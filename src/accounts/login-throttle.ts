import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { dayMs } from '../../schemas/durations.js'
import { RateLimited } from '../errors/operation-errors.js'
import { countUse } from '../errors/rate-limited.js'
import type { Purpose } from './argon2.js'

const windowSeconds = 15 * 60
/** Attempts per window. */
const maxAttemptsPerAccount = 10
const maxAttemptsPerAddress = 30
const maxAttemptsPerKnownCaller = 10
/** Logins of an account per window, right ones included: each costs a run of argon2. */
const maxLoginsPerAccount = 200
/** How long an address counts as known after a login, and how many pairs of account and address are remembered. */
const knownAddressMs = 30 * dayMs
const maxKnownAddresses = 10_000

/** Origin of a login attempt. */
export interface LoginCaller {
  address: string
  /** Normalized email address, or another name of the account. */
  email: string
  /** Id of a device on which the account signed in, proven by its token. */
  deviceId?: string | undefined
}

/** A counted attempt. */
export interface LoginAttempt {
  /** The argon2 lane of this attempt. */
  readonly purpose: Purpose
  /** Records a wrong password. The attempt stays counted, but not as a right login. */
  failed: () => Promise<void>
  /** Resets the attempts of the account or of the known caller, and remembers the address. */
  succeeded: () => Promise<void>
  /** Takes back an attempt that could not be checked, for example while the database is unreachable. */
  undo: () => Promise<void>
}

/**
 * Limits login attempts per account and per IP address. Devices and addresses on which the account signed in have limits of their own, and
 * the account has a limit of right logins.
 */
export interface LoginThrottle {
  /** Counts an attempt before the password is checked, so concurrent attempts count too. @throws RateLimited */
  begin: (caller: LoginCaller) => Promise<LoginAttempt>
  /** Resets the attempts of an account and of a caller who has proved in another way to be its owner. */
  reset: (caller: LoginCaller) => Promise<void>
}

/** Checks a counted attempt. If the check fails, for example because too many passwords are queued, the attempt does not count. */
export async function checkAttempt<T> (attempt: LoginAttempt, check: (purpose: Purpose) => Promise<T>): Promise<T> {
  try {
    return await check(attempt.purpose)
  } catch (cause) {
    await attempt.undo()
    throw cause
  }
}

/** Creates a throttle for this process. @param observe receives each outcome; `limited` means rejected without a password check */
export function loginThrottle (observe: (outcome: 'ok' | 'wrong' | 'limited') => void): LoginThrottle {
  const limiter = (points: number) => new RateLimiterMemory({ points, duration: windowSeconds })
  const accounts = limiter(maxAttemptsPerAccount)
  const addresses = limiter(maxAttemptsPerAddress)
  const knownCallers = limiter(maxAttemptsPerKnownCaller)
  const logins = limiter(maxLoginsPerAccount)
  // Pairs are stored as keyed hashes: memory never holds a list of who signs in from where.
  const pairs = new LRUCache<string, true>({ max: maxKnownAddresses, ttl: knownAddressMs })
  const pairSecret = randomBytes(32)
  const pairOf = ({ address, email }: LoginCaller) => createHmac('sha256', pairSecret).update(`${address}\n${email}`).digest('base64')

  async function count (limits: ReadonlyArray<[RateLimiterMemory, string]>): Promise<void> {
    try {
      for (const [limiter, key] of limits) await countUse(limiter, key)
    } catch (error) {
      if (error instanceof RateLimited) observe('limited')
      throw error
    }
  }

  return {
    async begin (caller) {
      const { address, email, deviceId } = caller
      const pair = pairOf(caller)
      const knownCallerKey = deviceId ?? (pairs.has(pair) ? pair : undefined)
      const remember = () => {
        observe('ok')
        pairs.set(pair, true)
      }
      const failed = async () => observe('wrong')
      if (knownCallerKey !== undefined) {
        // Counts until the password proves wrong: concurrent logins of many devices count too.
        await count([[knownCallers, knownCallerKey], [logins, email]])
        return {
          purpose: { lane: 'known', origin: knownCallerKey },
          async failed () {
            observe('wrong')
            await logins.reward(email)
          },
          async succeeded () {
            remember()
            await knownCallers.delete(knownCallerKey)
          },
          async undo () {
            await Promise.all([knownCallers.reward(knownCallerKey), logins.reward(email)])
          }
        }
      }
      // The address comes first: a limited address must not lock accounts.
      await count([[addresses, address], [accounts, email]])
      // Wrong attempts of strangers do not count: they would lock out the owner.
      const { consumedPoints = 0 } = await logins.get(email) ?? {}
      if (consumedPoints >= maxLoginsPerAccount) await count([[logins, email]])
      return {
        purpose: { lane: 'stranger', origin: address },
        failed,
        async succeeded () {
          remember()
          await accounts.delete(email)
          await addresses.reward(address)
          await logins.penalty(email)
        },
        undo: async () => { await Promise.all([accounts.reward(email), addresses.reward(address)]) }
      }
    },
    async reset (caller) {
      const knownCaller = caller.deviceId ?? pairOf(caller)
      await Promise.all([accounts.delete(caller.email), logins.delete(caller.email), knownCallers.delete(knownCaller)])
    }
  }
}
