import { createHmac } from 'node:crypto'
import { isSameSecret } from '../input/same-secret.js'

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
  const mint = (sessionId: string) => createHmac('sha256', secret).update(sessionId).digest('base64url')
  return { mint, matches: (sessionId, token) => isSameSecret(token, mint(sessionId)) }
}
