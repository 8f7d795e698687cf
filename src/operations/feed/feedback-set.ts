import { findItem, setFeedback } from '../../../db/queries/feed.js'
import { FeedItem, FeedbackSetInput } from '../../../schemas/feed.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { learningDueAt } from '../../relevance/learned-model.js'
import { operation } from '../operation.js'
import { feedItemOf } from '../../papers/records.js'
import { itemIdOf } from '../../papers/references.js'
import { requireStillExists } from '../../errors/still-exists.js'

/** @throws PaperNotFound, AmbiguousShortId, AmbiguousReference, and InvalidArguments for a reason without a downvote */
export const feedbackSet = operation({
  name: 'feedback_set',
  title: 'Vote on a feed item',
  description: 'Sets the vote on a feed item; an earlier one is replaced.',
  input: FeedbackSetInput,
  output: FeedItem,
  async handler (context, { ref, vote, downvote_reason = null }) {
    if (vote !== 'downvote' && downvote_reason !== null) throw new InvalidArguments(`downvote_reason goes with the vote "downvote" alone, not with "${vote}". Leave it out.`, { userMessage: 'Only a downvote can have a reason.' })
    const id = await itemIdOf(context, ref)
    await setFeedback(context.db, context.account.id, id, { vote, downvote_reason, updated_at: context.now().toISOString() }, learningDueAt(context.now()))
    return feedItemOf(requireStillExists(await findItem(context.db, context.account.id, id)))
  }
})
