import { findItem } from '../../../db/queries/feed.js'
import { setFeedback } from '../../../db/queries/votes.js'
import { FeedbackClearInput, FeedbackResult } from '../../../schemas/feed.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { resolveItemId } from '../../papers/references.js'
import { learningTimes } from '../../relevance/learned-model.js'
import { operation } from '../operation.js'
import { feedbackResult } from '../../relevance/feedback-result.js'

/** @throws PaperNotFound, AmbiguousShortId, AmbiguousReference */
export const feedbackClear = operation({
  name: 'feedback_clear',
  title: 'Clear feedback',
  description: [
    'Removes the user\'s vote on a paper in a feed. Without a vote, nothing changes. Returns what feedback_set returns.',
    'To change a vote, call feedback_set.',
    'Example: {"paper_id": "3f9a1c20"}'
  ].join(' '),
  input: FeedbackClearInput,
  output: FeedbackResult,
  scope: 'act',
  async handler (context, { paper_id, detail }) {
    const { db, account, now } = context
    const id = await resolveItemId(context, paper_id)
    const { vote } = requireRecord(await findItem(db, account.id, id))
    if (vote !== null) await setFeedback(db, account.id, id, null, learningTimes(now()))
    return await feedbackResult(context, id, detail)
  }
})
