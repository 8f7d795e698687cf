import { RateLimiterMemory } from 'rate-limiter-flexible'
import { countUse } from '../errors/rate-limited.js'

const windowSeconds = 15 * 60
const maxTests = 5

/** Limits the tests of an account's alerts. @returns a function that throws RateLimited */
export function testThrottle (): (accountId: string) => Promise<void> {
  const accounts = new RateLimiterMemory({ points: maxTests, duration: windowSeconds })
  return async accountId => { await countUse(accounts, accountId) }
}
