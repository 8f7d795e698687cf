import type { Db } from '../../../db/connection.js'
import { rateLimitOf } from './hosts.js'
import { type Limit, rateLimiter } from './rate-limiter.js'

interface DataLimit extends Omit<Limit, 'group' | 'intervalMs'> {
  cooldownMs: number
  /** Whether it is the address of a journal feed, whose host is left alone for as long as it asks. */
  isFeed?: boolean
}

/** The rate limiter of an address from data, with the longest pause that such an address can cause. */
export function dataLimiter (
  db: Db,
  url: string | URL,
  { cooldownMs, isFeed = false, ...requester }: DataLimit
): ReturnType<typeof rateLimiter> {
  const { maxPauseMs, ...limit } = rateLimitOf(url, { isFeed })
  const limiter = rateLimiter(db, { ...limit, ...requester, cooldownMs: Math.min(cooldownMs, maxPauseMs) })
  return async (request, pauseAfter = () => 0) => await limiter(request, result => Math.min(pauseAfter(result), maxPauseMs))
}
