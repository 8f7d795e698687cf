import { listRowsById } from '../../../db/queries/feed-page.js'
import { AllFeedsInput, AllFeedsPage } from '../../../schemas/all-feeds.js'
import { listFeedsPage } from '../../papers/all-feeds/page.js'
import { feedRowOf } from '../../papers/records.js'
import { operation } from '../operation.js'

/**
 * Returns the items of feeds_get as rows of a list, for which it reads little of each record.
 * @throws ProjectNotFound, InvalidArguments
 */
export const feedsPage = operation({
  name: 'feeds_page',
  title: 'A page of all feeds',
  description: 'Returns a page of the items of all projects as list rows.',
  input: AllFeedsInput,
  output: AllFeedsPage,
  async handler (context, input) {
    const { db, account } = context
    const { ids, names, page } = await listFeedsPage(context, input)
    const rows = await listRowsById(db, account.id, ids)
    const items = rows.map(row =>
      ({ ...feedRowOf(row), project_id: row.project_id, project_name: names.get(row.project_id) ?? '' }))
    return { items, ...page }
  }
})
