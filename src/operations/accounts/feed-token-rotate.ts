import { rotateFeedToken } from '../../../db/queries/accounts.js'
import { FeedTokenRotated } from '../../../schemas/account.js'
import { NoInput } from '../../../schemas/empty.js'
import { operation } from '../operation.js'

export const feedTokenRotate = operation({
  name: 'feed_token_rotate',
  title: 'Replace the feed token',
  description: 'Replaces the token of the account\'s Atom feeds. The former Atom addresses stop working.',
  input: NoInput,
  output: FeedTokenRotated,
  async handler ({ db, account, accounts: { feedTokens } }) {
    const { feed_token_version } = await rotateFeedToken(db, account.id)
    return { feed_token: feedTokens.mint({ id: account.id, feed_token_version }) }
  }
})
