import type { Db } from '../../../db/connection.js'
import { rateLimitOf } from './hosts.js'
import { type Limit, rateLimiter } from './rate-limiter.js'

/** The rate limiter of an address from data, with the longest pause that such an address can cause. */
export function dataLimiter (
  db: Db,
  url: string | URL,
  { cooldownMs, ...requester }: Omit<Limit, 'group' | 'intervalMs'> & { cooldownMs: number }
): ReturnType<typeof rateLimiter> {
  const { maxPauseMs, ...limit } = rateLimitOf(url)
  const limiter = rateLimiter(db, { ...limit, ...requester, cooldownMs: Math.min(cooldownMs, maxPauseMs) })
  return async (request, pauseAfter = () => 0) => await limiter(request, result => Math.min(pauseAfter(result), maxPauseMs))
}
