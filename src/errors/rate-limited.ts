import type { RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimited } from './operation-errors.js'

/**
 * Returns the error of a limiter that rejected a call. A timer ends the window, but `msBeforeNext` follows the clock: after the clock was
 * set back, it exceeds the window.
 */
export const rateLimited = ({ msBeforeNext }: RateLimiterRes, windowSeconds: number): RateLimited =>
  new RateLimited(Math.min(windowSeconds, Math.max(1, Math.ceil(msBeforeNext / 1000))))
