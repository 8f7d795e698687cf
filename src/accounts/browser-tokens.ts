import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { randomText } from './random.js'

const form = /^svcbs_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_[0-9A-Za-z]{32}$/

/** What a browser's cookie holds: it names its session, and only its hash is stored. It stays the same while the session lasts. */
export function mintBrowserToken (): { token: string, sessionId: string, hash: Buffer } {
  const sessionId = randomUUID()
  const token = `svcbs_${sessionId}_${randomText(32)}`
  return { token, sessionId, hash: hashOf(token) }
}

export function readBrowserToken (token: string): { sessionId: string, hash: Buffer } | undefined {
  const sessionId = form.exec(token)?.[1]
  return sessionId === undefined ? undefined : { sessionId, hash: hashOf(token) }
}

/** The token has 190 random bits: a plain hash cannot be searched. */
const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Proofs that a form was made by this service for one session, against requests that other sites forge. */
export interface FormProofs {
  of: (sessionId: string) => string
  matches: (sessionId: string, proof: string) => boolean
}

/** Derived, so that nothing is stored: OWASP's HMAC-based token pattern, bound to the session. */
export function formProofs (secret: Uint8Array): FormProofs {
  const proofOf = (sessionId: string) => createHmac('sha256', secret).update(sessionId).digest()
  return {
    of: sessionId => proofOf(sessionId).toString('base64url'),
    matches (sessionId, proof) {
      const [expected, given] = [proofOf(sessionId), Buffer.from(proof, 'base64url')]
      return given.length === expected.length && timingSafeEqual(given, expected)
    }
  }
}
