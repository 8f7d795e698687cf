import { createHmac } from 'node:crypto'
import { isSameSecret } from '../input/same-secret.js'

/** Tokens in the addresses of Atom feeds. A new `feed_token_version` invalidates earlier tokens. */
export interface FeedTokens {
  /** @param projectId limits the token to the feed of this project */
  mint: (account: { id: string, feed_token_version: number }, projectId?: string) => string
  /** Whether the token opens the feed of this project of the account. */
  matches: (account: { id: string, feed_token_version: number }, projectId: string, token: string) => boolean
}

/** Creates tokens that are derived from the account, so they can be shown again without storing them. */
export function feedTokens (secret: Uint8Array): FeedTokens {
  const mint: FeedTokens['mint'] = ({ id, feed_token_version }, projectId) =>
    `svcft_${createHmac('sha256', secret)
      .update([id, feed_token_version, ...(projectId === undefined ? [] : [projectId])].join(' '))
      .digest('base64url')
      .replace(/[-_]/g, '')
      .slice(0, 32)}`
  return {
    mint,
    matches: (account, projectId, token) =>
      [mint(account), mint(account, projectId)].some(expected => isSameSecret(token, expected))
  }
}

/** Returns the private address of a project's Atom feed. @param baseUrl without a trailing slash */
export const atomUrl = (baseUrl: string, projectId: string, token: string): string => `${baseUrl}/api/feed/atom/${projectId}?token=${token}`
