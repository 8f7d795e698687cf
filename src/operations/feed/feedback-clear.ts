import { setFeedback } from '../../../db/queries/feed.js'
import { Nothing } from '../../../schemas/account.js'
import { FeedItemInput } from '../../../schemas/feed.js'
import { operation } from '../operation.js'
import { learningDueAt } from '../../relevance/learned-model.js'
import { itemIdOf } from '../../papers/references.js'

/** @throws PaperNotFound, AmbiguousShortId, AmbiguousReference */
export const feedbackClear = operation({
  name: 'feedback_clear',
  title: 'Clear feedback',
  description: 'Removes the vote on a feed item. Without a vote, nothing changes.',
  input: FeedItemInput,
  output: Nothing,
  async handler (context, { ref }) {
    await setFeedback(context.db, context.account.id, await itemIdOf(context, ref), null, learningDueAt(context.now()))
    return {}
  }
})
