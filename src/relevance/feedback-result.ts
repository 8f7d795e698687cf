import type { Static } from 'typebox'
import type { KeyedCaller } from '../../db/caller.js'
import { findItem } from '../../db/queries/feed.js'
import { findLearning } from '../../db/queries/projects.js'
import type { FeedbackResult, itemDetails } from '../../schemas/feed.js'
import { requireRecord } from '../errors/deleted-records.js'
import { itemReader } from '../papers/brief.js'
import { learningOf } from './learned-model.js'

/** Returns a feed item after a change of its vote, and when the vote takes effect. @throws DeletedMeanwhile */
export async function feedbackResult (
  { db, account, key }: KeyedCaller,
  itemId: string,
  detail?: typeof itemDetails[number]
): Promise<Static<typeof FeedbackResult>> {
  const row = requireRecord(await findItem(db, account.id, itemId, key?.projectIds))
  const item = itemReader(detail).itemOf(row)
  return { item: item!, learning: learningOf(requireRecord(await findLearning(db, account.id, row.project_id))) }
}
