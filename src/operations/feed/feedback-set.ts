import { setFeedback } from '../../../db/queries/votes.js'
import { FeedbackResult, FeedbackSetInput } from '../../../schemas/feed.js'
import type { Feedback } from '../../../schemas/feedback.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { learningTimes } from '../../relevance/learned-model.js'
import { itemToChange } from '../../imports/item-to-change.js'
import { operation } from '../operation.js'
import { feedbackResult } from '../../relevance/feedback-result.js'

/** @throws PaperNotFound, AmbiguousShortId, AmbiguousReference, and InvalidArguments for a reason without a downvote */
export const feedbackSet = operation({
  name: 'feedback_set',
  title: 'Vote on a feed item',
  description: [
    "Sets the user's vote on a paper in a feed: upvote, star (one of the best) or downvote, with a reason if known. It replaces an " +
    'earlier vote.',
    'Returns the item, and in learning when the feed is rescored; projects_get then says what changed.',
    'Use it when the user says what they think of a paper; feedback_clear removes the vote. If several feeds have the paper, name the ' +
    'feed item.',
    'Example: {"paper_id": "3f9a1c20", "vote": "downvote", "downvote_reason": "not_relevant"}'
  ].join(' '),
  input: FeedbackSetInput,
  output: FeedbackResult,
  scope: 'act',
  async handler (context, { paper_id, vote, downvote_reason = null, detail }) {
    const { db, account, now } = context
    checkReason(vote, downvote_reason)
    const id = await itemToChange(context, paper_id)
    await setFeedback(db, account.id, id, { vote, downvote_reason, updated_at: now().toISOString() }, learningTimes(now()))
    return await feedbackResult(context, id, detail)
  }
})

/** @throws InvalidArguments for a reason without a downvote */
export function checkReason (vote: Feedback['vote'], reason: Feedback['downvote_reason']): void {
  if (vote !== 'downvote' && reason !== null) {
    throw new InvalidArguments(
      `downvote_reason is only allowed with the vote "downvote", not with "${vote}". Omit it.`,
      { userMessage: 'Only a downvote can have a reason.' }
    )
  }
}
