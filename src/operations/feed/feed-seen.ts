import { findTimeZone } from '../../../db/queries/accounts.js'
import { markSeen, unmarkSeen } from '../../../db/queries/item-state.js'
import { FeedSeenInput, FeedSeenResult } from '../../../schemas/feed.js'
import { startOfDay } from '../../papers/time-zones.js'
import { readTime } from '../../input/read-time.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { readItemFilter } from '../../papers/feed-filter.js'

/** Repeating it changes nothing: items that were seen before keep their time. @throws ProjectNotFound, InvalidArguments */
export const feedSeen = operation({
  name: 'feed_seen',
  title: 'Mark a day of a feed as seen',
  description:
    'Marks the papers that entered a feed on a day, or those of them that a filter admits, as seen. Returns how many changed.',
  input: FeedSeenInput,
  output: FeedSeenResult,
  scope: 'act',
  async handler ({ db, account, now }, { project_id, day, at, seen = true, ...selection }) {
    await requireProject({ db, account }, project_id)
    const timeZone = await findTimeZone(db, account.id)
    // Items of the future have not been seen.
    const time = at === undefined ? now() : new Date(Math.min(readTime('at', at).getTime(), now().getTime()))
    const period = { since: startOfDay(day, timeZone), until: startOfDay(day, timeZone, 1) }
    const filter = { projectId: project_id, ...readItemFilter(selection), ...period }
    return { changed: await (seen ? markSeen : unmarkSeen)(db, account.id, filter, time) }
  }
})
