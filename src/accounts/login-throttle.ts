import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimited } from '../errors/operation-errors.js'

const windowSeconds = 15 * 60
/** Attempts per window. */
const maxAttemptsPerAccount = 10
const maxAttemptsPerAddress = 30

/** Limits login attempts per account and per IP address. */
export interface LoginThrottle {
  /** Counts an attempt before the password is checked, so concurrent attempts count too. @throws RateLimited */
  begin: (address: string, email: string) => Promise<void>
  /** Records a wrong password. The attempt stays counted. */
  failed: () => void
  /** Resets the account's attempts and takes this one off the address. */
  succeeded: (address: string, email: string) => Promise<void>
  /** Takes back an attempt that could not be checked, for example while the database is unreachable. */
  undo: (address: string, email: string) => Promise<void>
}

/** Creates a throttle for this process. @param observe receives each outcome; `limited` means rejected without a password check */
export function loginThrottle (observe: (outcome: 'ok' | 'wrong' | 'limited') => void): LoginThrottle {
  const accounts = new RateLimiterMemory({ points: maxAttemptsPerAccount, duration: windowSeconds })
  const addresses = new RateLimiterMemory({ points: maxAttemptsPerAddress, duration: windowSeconds })
  return {
    async begin (address, email) {
      try {
        // The address comes first: a limited address must not lock accounts.
        await addresses.consume(address)
        await accounts.consume(email)
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        observe('limited')
        throw new RateLimited(Math.max(1, Math.ceil(refused.msBeforeNext / 1000)))
      }
    },
    failed: () => observe('wrong'),
    async succeeded (address, email) {
      observe('ok')
      await accounts.delete(email)
      await addresses.reward(address)
    },
    async undo (address, email) {
      await Promise.all([accounts.reward(email), addresses.reward(address)])
    }
  }
}
