import { findItem } from '../../../db/queries/feed.js'
import { FeedItem, FeedItemInput } from '../../../schemas/feed.js'
import { operation } from '../operation.js'
import { feedItemOf } from '../../papers/records.js'
import { itemIdOf } from '../../papers/references.js'
import { requireStillExists } from '../../errors/still-exists.js'

/** @throws PaperNotFound, AmbiguousShortId, AmbiguousReference */
export const projectPaperGet = operation({
  name: 'project_paper_get',
  title: 'Get a feed item',
  description: 'Gives one item of a feed.',
  input: FeedItemInput,
  output: FeedItem,
  async handler (context, { ref }) {
    const id = await itemIdOf(context, ref)
    return feedItemOf(requireStillExists(await findItem(context.db, context.account.id, id)))
  }
})
