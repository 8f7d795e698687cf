import { RateLimiterMemory } from 'rate-limiter-flexible'
import { countUse } from '../errors/rate-limited.js'

/** An access token is valid for many minutes, so a program needs fewer. */
const maxRefreshesPerMinute = 30

/** Limits how often a session refreshes its tokens, in this process. @throws RateLimited */
export type RefreshThrottle = (sessionId: string) => Promise<void>

/** Creates the throttle of this process. */
export function refreshThrottle (): RefreshThrottle {
  const sessions = new RateLimiterMemory({ points: maxRefreshesPerMinute, duration: 60 })
  return async sessionId => await countUse(sessions, sessionId)
}
