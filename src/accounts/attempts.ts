import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimited } from '../errors.js'

const quarterOfAnHour = 15 * 60
/** Tries within a quarter of an hour. */
const triesPerAccount = 10
const triesPerAddress = 30

/** Counts logins by account and by address, and refuses the next one for a while. */
export interface Attempts {
  /** Counts a try before its password is looked at, so that many at once are not more tries than one after another. @throws RateLimited */
  begin: (address: string, email: string) => Promise<void>
  /** Forgives the account its tries, and the address this one. */
  succeeded: (address: string, email: string) => Promise<void>
  /** Takes a try back that could not be looked at, as while the database is away. */
  undone: (address: string, email: string) => Promise<void>
}

export function attempts (): Attempts {
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
        throw new RateLimited(Math.max(1, Math.ceil(refused.msBeforeNext / 1000)))
      }
    },
    async succeeded (address, email) {
      await accounts.delete(email)
      await addresses.reward(address)
    },
    async undone (address, email) {
      await Promise.all([accounts.reward(email), addresses.reward(address)])
    }
  }
}
