import { findItem } from '../../../db/queries/feed.js'
import { FeedItem, FeedItemInput } from '../../../schemas/feed.js'
import { operation } from '../operation.js'
import { feedItemOf } from '../../papers/records.js'
import { resolveItemId } from '../../papers/references.js'
import { requireRecord } from '../../errors/deleted-records.js'

/** @throws PaperNotFound, AmbiguousShortId, AmbiguousReference */
export const projectPaperGet = operation({
  name: 'project_paper_get',
  title: 'Get a feed item',
  description: 'Returns a feed item.',
  input: FeedItemInput,
  output: FeedItem,
  scope: 'read',
  async handler (context, { ref }) {
    const id = await resolveItemId(context, ref)
    return feedItemOf(requireRecord(await findItem(context.db, context.account.id, id, context.key?.projectIds)))
  }
})
