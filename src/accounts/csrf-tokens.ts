import { createHmac, timingSafeEqual } from 'node:crypto'

/** Tokens in forms that protect a session against cross-site request forgery. */
export interface CsrfTokens {
  mint: (sessionId: string) => string
  matches: (sessionId: string, token: string) => boolean
}

/**
 * Creates CSRF tokens: an HMAC of the session id, without storage.
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function csrfTokens (secret: Uint8Array): CsrfTokens {
  const tokenOf = (sessionId: string) => createHmac('sha256', secret).update(sessionId).digest()
  return {
    mint: sessionId => tokenOf(sessionId).toString('base64url'),
    matches (sessionId, token) {
      const [expected, actual] = [tokenOf(sessionId), Buffer.from(token, 'base64url')]
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    }
  }
}
