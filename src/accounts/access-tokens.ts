import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { isUuid } from '../../schemas/ids.js'

/** Lifetime of an access token. */
export const accessTokenLifetimeSeconds = 15 * 60
const issuer = 'litfeed'

/** Signs and verifies access tokens. */
export interface AccessTokens {
  sign: (claims: { accountId: string, sessionId: string }) => Promise<string>
  /** @returns undefined for a token that is malformed, expired or signed by another service */
  verify: (token: string) => Promise<{ accountId: string, sessionId: string } | undefined>
}

/** Creates JWTs (RFC 7519) with HS256 only. Callers must also check that the token's session still exists. */
export function accessTokens (secret: Uint8Array): AccessTokens {
  return {
    async sign ({ accountId, sessionId }) {
      return await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(issuer).setAudience(issuer).setSubject(accountId)
        .setIssuedAt().setExpirationTime(`${accessTokenLifetimeSeconds}s`)
        .sign(secret)
    },
    async verify (token) {
      try {
        const { payload } = await jwtVerify(token, secret, {
          algorithms: ['HS256'],
          issuer,
          audience: issuer,
          requiredClaims: ['sub', 'sid', 'exp']
        })
        const { sub: accountId, sid: sessionId } = payload as { sub: string, sid: unknown }
        return typeof sessionId === 'string' && isUuid(sessionId) ? { accountId, sessionId } : undefined
      } catch {
        return undefined
      }
    }
  }
}
