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
  /** Records a wrong password. The attempt stays counted. */
  failed: () => void
  /** Resets the attempts of the account or of the known caller, and remembers the address. */
  succeeded: () => Promise<void>
  /** Takes back an attempt that could not be checked, for example while the database is unreachable. */
  undo: () => Promise<void>
}

/** Limits login attempts per account and per IP address. Devices and addresses on which the account signed in have limits of their own. */
export interface LoginThrottle {
  /** Counts an attempt before the password is checked, so concurrent attempts count too. @throws RateLimited */
  begin: (caller: LoginCaller) => Promise<LoginAttempt>
  /** Resets the attempts of an account and of a caller who has proved in another way to be its owner. */
  reset: (caller: LoginCaller) => Promise<void>
}

/** Creates a throttle for this process. @param observe receives each outcome; `limited` means rejected without a password check */
export function loginThrottle (observe: (outcome: 'ok' | 'wrong' | 'limited') => void): LoginThrottle {
  const limiter = (points: number) => new RateLimiterMemory({ points, duration: windowSeconds })
  const accounts = limiter(maxAttemptsPerAccount)
  const addresses = limiter(maxAttemptsPerAddress)
  const knownCallers = limiter(maxAttemptsPerKnownCaller)
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
      const failed = () => observe('wrong')
      if (knownCallerKey !== undefined) {
        await count([[knownCallers, knownCallerKey]])
        return {
          purpose: { lane: 'known', origin: knownCallerKey },
          failed,
          async succeeded () {
            remember()
            await knownCallers.delete(knownCallerKey)
          },
          undo: async () => { await knownCallers.reward(knownCallerKey) }
        }
      }
      // The address comes first: a limited address must not lock accounts.
      await count([[addresses, address], [accounts, email]])
      return {
        purpose: { lane: 'stranger', origin: address },
        failed,
        async succeeded () {
          remember()
          await accounts.delete(email)
          await addresses.reward(address)
        },
        undo: async () => { await Promise.all([accounts.reward(email), addresses.reward(address)]) }
      }
    },
    async reset (caller) {
      await Promise.all([accounts.delete(caller.email), knownCallers.delete(caller.deviceId ?? pairOf(caller))])
    }
  }
}
