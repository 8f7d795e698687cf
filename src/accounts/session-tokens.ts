import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { randomText } from './random.js'

/** How long a login lasts without being used. */
export const sessionLifetimeMs = 30 * 24 * 60 * 60 * 1000

/** Tokens that name their session, and of which only a hash is stored. */
export interface SessionTokens {
  /** @param sessionId a new one where it is left out */
  mint: (sessionId?: string) => { token: string, sessionId: string, hash: Buffer }
  /** @returns undefined for what is no such token */
  read: (token: string) => { sessionId: string, hash: Buffer } | undefined
}

/** @param proofOf what stands behind the rest of a token, made of it */
function sessionTokens (kind: 'svcrt' | 'svcbs', proofOf: (rest: string) => string = () => ''): SessionTokens {
  const form = new RegExp(`^(${kind}_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_[0-9A-Za-z]{32})(.*)$`)
  return {
    mint (sessionId = randomUUID()) {
      const rest = `${kind}_${sessionId}_${randomText(32)}`
      const token = `${rest}${proofOf(rest)}`
      return { token, sessionId, hash: hashOf(token) }
    },
    read (token) {
      const [, rest, sessionId, given] = form.exec(token) ?? []
      if (rest === undefined || !isSame(given!, proofOf(rest))) return undefined
      return { sessionId: sessionId!, hash: hashOf(token) }
    }
  }
}

/**
 * Good for one refresh. Each proves that the service made it, so that one that was used is told from one that was made up, and no used one
 * has to be kept: whoever knows a session's id alone must not be able to end it.
 */
export const refreshTokens = (secret: Uint8Array): SessionTokens =>
  sessionTokens('svcrt', rest => createHmac('sha256', secret).update(rest).digest('hex').slice(0, 32))

/** What a browser's cookie holds; it stays the same while the session lasts. */
export const browserTokens = sessionTokens('svcbs')

function isSame (given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A token has 190 random bits: a plain hash cannot be searched. */
const hashOf = (token: string) => createHash('sha256').update(token).digest()
