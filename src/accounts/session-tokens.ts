import { createHash, randomUUID } from 'node:crypto'
import { randomText } from './random.js'

/** How long a login lasts without being used. */
export const sessionLifetime = 30 * 24 * 60 * 60 * 1000

/** Tokens that name their session, and of which only a hash is stored. */
export function sessionTokens (kind: 'svcrt' | 'svcbs') {
  const form = new RegExp(`^${kind}_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_[0-9A-Za-z]{32}$`)
  return {
    mint (sessionId: string = randomUUID()): { token: string, sessionId: string, hash: Buffer } {
      const token = `${kind}_${sessionId}_${randomText(32)}`
      return { token, sessionId, hash: hashOf(token) }
    },
    read (token: string): { sessionId: string, hash: Buffer } | undefined {
      const sessionId = form.exec(token)?.[1]
      return sessionId === undefined ? undefined : { sessionId, hash: hashOf(token) }
    }
  }
}

/** Good for one refresh. */
export const refreshTokens = sessionTokens('svcrt')

/** What a browser's cookie holds; it stays the same while the session lasts. */
export const browserTokens = sessionTokens('svcbs')

/** A token has 190 random bits: a plain hash cannot be searched. */
const hashOf = (token: string) => createHash('sha256').update(token).digest()
