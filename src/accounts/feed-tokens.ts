import { createHmac, timingSafeEqual } from 'node:crypto'

export interface FeedTokens {
  mint: (account: { id: string, feed_token_version: number }) => string
  matches: (account: { id: string, feed_token_version: number }, token: string) => boolean
}

/** Tokens of the Atom addresses: derived from the account, so that they can be shown again without being stored. */
export function feedTokens (secret: Uint8Array): FeedTokens {
  const mint: FeedTokens['mint'] = ({ id, feed_token_version }) =>
    `svcft_${createHmac('sha256', secret).update(`${id} ${feed_token_version}`).digest('base64url').replace(/[-_]/g, '').slice(0, 32)}`
  return {
    mint,
    matches (account, token) {
      const right = Buffer.from(mint(account))
      const given = Buffer.from(token)
      return right.length === given.length && timingSafeEqual(right, given)
    }
  }
}
