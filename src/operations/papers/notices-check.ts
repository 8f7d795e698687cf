import { Type } from 'typebox'
import { notifyAccounts } from '../../../db/queries/notices.js'
import { NoInput } from '../../../schemas/empty.js'
import { hasNews } from '../../papers/notices.js'
import { checkNotices } from '../../sources/fetching/check-notices.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/**
 * Asks sources what became of the papers that accounts starred, upvoted, saved or cited, and tells each account of its own. Its result
 * counts papers and names none.
 */
export const noticesCheck = operation({
  name: 'notices_check',
  title: 'Check for notices',
  description: 'Asks the sources for retractions, corrections and published forms of watched papers.',
  input: NoInput,
  output: Type.Object({
    checked: Type.Integer({ description: 'Papers that a source answered about, counted once for each source.' }),
    reported: Type.Integer({ description: 'Notices newly reported to accounts.' }),
    failing: Type.Array(Type.String(), { description: 'Sources that could not be asked.' })
  }),
  async handler (context: ServiceContext) {
    const { checked, failing } = await checkNotices(context)
    return { checked, reported: await notifyAccounts(context.db, { isNews: hasNews, now: context.now() }), failing }
  }
})
