import { createHmac, timingSafeEqual } from 'node:crypto'

/** Proofs that a form was made by this service for one session, against requests that other sites forge. */
export interface CsrfTokens {
  mint: (sessionId: string) => string
  matches: (sessionId: string, proof: string) => boolean
}

/** Derived, so that nothing is stored: OWASP's HMAC-based token pattern, bound to the session. */
export function csrfTokens (secret: Uint8Array): CsrfTokens {
  const proofOf = (sessionId: string) => createHmac('sha256', secret).update(sessionId).digest()
  return {
    mint: sessionId => proofOf(sessionId).toString('base64url'),
    matches (sessionId, proof) {
      const [expected, given] = [proofOf(sessionId), Buffer.from(proof, 'base64url')]
      return given.length === expected.length && timingSafeEqual(given, expected)
    }
  }
}
