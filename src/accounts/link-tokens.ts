import { createHash } from 'node:crypto'
import { randomText } from './random.js'

/** Tokens of links. Only their hash is stored. */
export interface LinkTokens {
  mint: () => { token: string, hash: Buffer }
  /** The hash of a token; undefined if it is malformed. */
  hashOf: (token: string) => Buffer | undefined
}

function linkTokens (kind: 'svcpr' | 'svcsh' | 'svcin'): LinkTokens {
  const form = new RegExp(`^${kind}_[0-9A-Za-z]{32}$`)
  // Tokens have 190 random bits, so an unsalted hash is safe.
  const hash = (token: string) => createHash('sha256').update(token).digest()
  return {
    mint () {
      const token = `${kind}_${randomText(32)}`
      return { token, hash: hash(token) }
    },
    hashOf: token => form.test(token) ? hash(token) : undefined
  }
}

/** Tokens of links that set a new password, once. */
export const resetTokens = linkTokens('svcpr')
/** Tokens of links that show a feed. */
export const shareTokens = linkTokens('svcsh')
/** Tokens of links that create accounts. */
export const invitationTokens = linkTokens('svcin')
