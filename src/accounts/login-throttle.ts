import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimited } from '../errors/operation-errors.js'

const quarterOfAnHour = 15 * 60
/** Tries within a quarter of an hour. */
const triesPerAccount = 10
const triesPerAddress = 30

/** Counts logins by account and by address, and refuses the next one for a while. */
export interface LoginThrottle {
  /** Counts a try before its password is looked at, so that many at once are not more tries than one after another. @throws RateLimited */
  begin: (address: string, email: string) => Promise<void>
  /** Tells that the password was wrong; the try stays counted. */
  failed: () => void
  /** Forgives the account its tries, and the address this one. */
  succeeded: (address: string, email: string) => Promise<void>
  /** Takes a try back that could not be looked at, as while the database is away. */
  undone: (address: string, email: string) => Promise<void>
}

/** @param tell told of each: ok, wrong, or limited where it was refused untried */
export function loginThrottle (tell: (outcome: 'ok' | 'wrong' | 'limited') => void): LoginThrottle {
  const accounts = new RateLimiterMemory({ points: triesPerAccount, duration: quarterOfAnHour })
  const addresses = new RateLimiterMemory({ points: triesPerAddress, duration: quarterOfAnHour })
  return {
    async begin (address, email) {
      try {
        // The address first: one that is refused must not go on locking accounts.
        await addresses.consume(address)
        await accounts.consume(email)
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        tell('limited')
        throw new RateLimited(Math.max(1, Math.ceil(refused.msBeforeNext / 1000)))
      }
    },
    failed: () => tell('wrong'),
    async succeeded (address, email) {
      tell('ok')
      await accounts.delete(email)
      await addresses.reward(address)
    },
    async undone (address, email) {
      await Promise.all([accounts.reward(email), addresses.reward(address)])
    }
  }
}
