import { createHmac, timingSafeEqual } from 'node:crypto'

/** Tokens in the addresses of Atom feeds. A new `feed_token_version` invalidates earlier tokens. */
export interface FeedTokens {
  mint: (account: { id: string, feed_token_version: number }) => string
  matches: (account: { id: string, feed_token_version: number }, token: string) => boolean
}

/** Creates tokens that are derived from the account, so they can be shown again without storing them. */
export function feedTokens (secret: Uint8Array): FeedTokens {
  const mint: FeedTokens['mint'] = ({ id, feed_token_version }) =>
    `svcft_${createHmac('sha256', secret).update(`${id} ${feed_token_version}`).digest('base64url').replace(/[-_]/g, '').slice(0, 32)}`
  return {
    mint,
    matches (account, token) {
      const expected = Buffer.from(mint(account))
      const given = Buffer.from(token)
      return expected.length === given.length && timingSafeEqual(expected, given)
    }
  }
}

/** Returns the private address of a project's Atom feed. @param baseUrl without a trailing slash */
export const atomUrl = (baseUrl: string, projectId: string, token: string): string => `${baseUrl}/api/feed/atom/${projectId}?token=${token}`
