import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { rateLimited } from '../errors/rate-limited.js'

const windowSeconds = 15 * 60
const maxTests = 5

/** Limits the test mails of an account. @returns a function that throws RateLimited */
export function testThrottle (): (accountId: string) => Promise<void> {
  const accounts = new RateLimiterMemory({ points: maxTests, duration: windowSeconds })
  return async accountId => {
    try {
      await accounts.consume(accountId)
    } catch (refused) {
      throw refused instanceof RateLimiterRes ? rateLimited(refused, windowSeconds) : refused
    }
  }
}
