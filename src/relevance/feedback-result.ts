import type { Static } from 'typebox'
import type { Caller } from '../../db/caller.js'
import { findItem } from '../../db/queries/feed.js'
import { findLearning } from '../../db/queries/projects.js'
import type { FeedbackResult } from '../../schemas/feed.js'
import { requireRecord } from '../errors/deleted-records.js'
import { feedItemOf } from '../papers/records.js'
import { learningOf } from './learned-model.js'

/** Returns a feed item after a change of its vote, and when the vote takes effect. @throws DeletedMeanwhile */
export async function feedbackResult (
  { db, account }: Caller,
  itemId: string
): Promise<Static<typeof FeedbackResult>> {
  const item = feedItemOf(requireRecord(await findItem(db, account.id, itemId)))
  return { item, learning: learningOf(requireRecord(await findLearning(db, account.id, item.project_id))) }
}
