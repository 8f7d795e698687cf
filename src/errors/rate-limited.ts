import { type RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimited } from './operation-errors.js'

/**
 * Counts a use of a key. A timer ends the limiter's window, but `msBeforeNext` follows the clock: after the clock was set back, it exceeds
 * the window.
 * @throws RateLimited above the limiter's points
 */
export async function countUse (limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    throw new RateLimited(Math.min(limiter.duration, Math.max(1, Math.ceil(refused.msBeforeNext / 1000))))
  }
}
