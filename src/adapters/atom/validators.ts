import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { version } from '../../settings/version.js'
import type { AtomFeed } from './atom.js'

const secondMs = 1000

/** Headers by which a reader asks whether its copy is current. */
export interface Validators { etag: string, 'last-modified'?: string }

/** The current version of each feed, and since when it is current. */
const versions = new LRUCache<string, { etag: string, since: number }>({ max: 1000 })

/**
 * Returns the validators of a feed, from what it is written of, so that an unchanged one is not written. Its age is the time since this
 * process first served it, because the dates of papers miss changed abstracts, changed scores and removed items. HTTP dates have seconds;
 * the ETag distinguishes two feeds within a second.
 */
export function validatorsOf (address: string, feed: AtomFeed, now: number): Validators {
  const etag = `"${createHash('sha256').update(JSON.stringify([version, feed])).digest('base64url')}"`
  const before = versions.get(address)
  const since = before?.etag === etag ? before.since : Math.max(now, before === undefined ? 0 : before.since + secondMs)
  versions.set(address, { etag, since })
  return { etag, ...(since <= now ? { 'last-modified': new Date(since).toUTCString() } : {}) }
}

/** Whether the reader's copy is current. If the reader sends an ETag, only that counts. @see RFC 9110, section 13.2.2 */
export function isCurrent (headers: IncomingHttpHeaders, { etag, 'last-modified': modified = '' }: Validators): boolean {
  const etags = headers['if-none-match']
  if (etags !== undefined) return etags.split(',').some(each => ['*', etag].includes(each.trim().replace(/^W\//, '')))
  return Date.parse(modified) <= Date.parse(headers['if-modified-since'] ?? '')
}
