import { createHash, createHmac, randomUUID } from 'node:crypto'
import { dayMs } from '../../schemas/durations.js'
import { uuidForm } from '../../schemas/ids.js'
import { isSameSecret } from '../input/same-secret.js'
import { randomText } from './random.js'

/** Lifetime of an unused session. */
export const sessionLifetimeMs = 30 * dayMs

/** Tokens that contain their session id. Only their hash is stored. */
export interface SessionTokens {
  /** @param sessionId default: a new id */
  mint: (sessionId?: string) => { token: string, sessionId: string, hash: Buffer }
  /** Parses a token. @returns undefined if it is malformed or forged */
  read: (token: string) => { sessionId: string, hash: Buffer } | undefined
}

/** @param signatureOf computes a signature that follows the rest of the token */
function sessionTokens (kind: 'svcrt' | 'svcbs', signatureOf: (body: string) => string = () => ''): SessionTokens {
  const form = new RegExp(`^(${kind}_(${uuidForm})_[0-9A-Za-z]{32})(.*)$`)
  return {
    mint (sessionId = randomUUID()) {
      const body = `${kind}_${sessionId}_${randomText(32)}`
      const token = `${body}${signatureOf(body)}`
      return { token, sessionId, hash: hashOf(token) }
    },
    read (token) {
      const [, body, sessionId, signature] = form.exec(token) ?? []
      if (body === undefined || !isSameSecret(signature!, signatureOf(body))) return undefined
      return { sessionId: sessionId!, hash: hashOf(token) }
    }
  }
}

/**
 * Creates single-use refresh tokens. The signature tells a replayed token (which ends the session) from a forged one (which must not),
 * without storing used tokens.
 */
export const refreshTokens = (secret: Uint8Array): SessionTokens =>
  sessionTokens('svcrt', body => createHmac('sha256', secret).update(body).digest('hex').slice(0, 32))

/** Tokens in browser cookies, constant for the life of a session. */
export const browserTokens = sessionTokens('svcbs')

/** Tokens have 190 random bits, so an unsalted hash is safe. */
const hashOf = (token: string) => createHash('sha256').update(token).digest()
