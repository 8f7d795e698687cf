import { createHash, randomUUID } from 'node:crypto'
import { randomText } from './random.js'

/** How long a login lasts without being used. */
export const sessionLifetime = 30 * 24 * 60 * 60 * 1000
const form = /^svcrt_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_[0-9A-Za-z]{32}$/

/** A token good for one refresh; it names its session, and only its hash is stored. */
export function mintRefreshToken (sessionId: string = randomUUID()): { token: string, sessionId: string, hash: Buffer } {
  const token = `svcrt_${sessionId}_${randomText(32)}`
  return { token, sessionId, hash: hashOf(token) }
}

export function readRefreshToken (token: string): { sessionId: string, hash: Buffer } | undefined {
  const sessionId = form.exec(token)?.[1]
  return sessionId === undefined ? undefined : { sessionId, hash: hashOf(token) }
}

/** The token has 190 random bits: a plain hash cannot be searched. */
const hashOf = (token: string) => createHash('sha256').update(token).digest()
