import { walkItems } from '../../../db/queries/feed.js'
import { AllFeedsInput, type AllFeedsItem, AllFeedsResult } from '../../../schemas/all-feeds.js'
import { listFeedsPage } from '../../papers/all-feeds/page.js'
import { feedItemOf } from '../../papers/records.js'
import { collectItems } from '../collect-items.js'
import { operation } from '../operation.js'

/** @throws ProjectNotFound, InvalidArguments */
export const feedsGet = operation({
  name: 'feeds_get',
  title: 'Read all feeds',
  description:
    'Returns a page of the items of all projects, each with the name of its project: in an order, ' +
    'or the matches of a search, filtered by values of the papers’ records.',
  input: AllFeedsInput,
  output: AllFeedsResult,
  scope: 'read',
  async handler (context, input) {
    const { db, account, key } = context
    const { ids, names, page } = await listFeedsPage(context, input)
    const options = { visibleProjectIds: key?.projectIds }
    const items = await collectItems(context, walkItems(db, account.id, ids, options), (item): AllFeedsItem =>
      ({ ...feedItemOf(item), project_name: names.get(item.project_id) ?? '' }))
    return { items, ...page }
  }
})
