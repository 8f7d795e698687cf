import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimited } from '../errors.js'

const quarterOfAnHour = 15 * 60
/** Wrong logins within a quarter of an hour. */
const wrongPerAccount = 10
const wrongPerAddress = 30

/** Counts wrong logins by account and by address, and refuses the next one for a while. */
export interface Attempts {
  /** @throws RateLimited */
  allow: (address: string, email: string) => Promise<void>
  failed: (address: string, email: string) => Promise<void>
  succeeded: (email: string) => Promise<void>
}

/** @param tell told of each: ok, wrong, or limited where it was refused untried */
export function attempts (tell: (outcome: 'ok' | 'wrong' | 'limited') => void): Attempts {
  const accounts = new RateLimiterMemory({ points: wrongPerAccount, duration: quarterOfAnHour })
  const addresses = new RateLimiterMemory({ points: wrongPerAddress, duration: quarterOfAnHour })
  const refuseFrom = (points: number, counted: RateLimiterRes | null) => {
    if (counted === null || counted.consumedPoints < points) return
    tell('limited')
    throw new RateLimited(Math.ceil(counted.msBeforeNext / 1000))
  }
  return {
    async allow (address, email) {
      refuseFrom(wrongPerAddress, await addresses.get(address))
      refuseFrom(wrongPerAccount, await accounts.get(email))
    },
    async failed (address, email) {
      tell('wrong')
      await Promise.all([addresses.penalty(address), accounts.penalty(email)])
    },
    async succeeded (email) {
      tell('ok')
      await accounts.delete(email)
    }
  }
}
