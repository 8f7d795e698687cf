import { markSeen, unmarkSeen } from '../../../db/queries/item-state.js'
import { ownsProject } from '../../../db/queries/projects.js'
import { FeedSeenInput, FeedSeenResult } from '../../../schemas/feed.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { readTime } from '../../errors/read-time.js'
import { markFilterOf } from '../../papers/item-state.js'
import { operation } from '../operation.js'

const dayMs = 86_400_000

/** Repeating it changes nothing: items that were seen before keep their time. @throws ProjectNotFound, InvalidArguments */
export const feedSeen = operation({
  name: 'feed_seen',
  title: 'Mark a day of a feed as seen',
  description:
    'Marks the papers that entered a feed on a day (UTC), or those of them that a filter admits, as seen. Returns how many were not.',
  input: FeedSeenInput,
  output: FeedSeenResult,
  scope: 'act',
  async handler ({ db, account, now }, { project_id, day, at, seen = true, feedback_filter, must_read, saved, tag, link }) {
    if (!await ownsProject(db, account.id, project_id)) throw new ProjectNotFound(project_id)
    const since = new Date(`${day}T00:00:00Z`)
    // Items of the future have not been seen.
    const time = at === undefined ? now() : new Date(Math.min(readTime('at', at).getTime(), now().getTime()))
    const filter = {
      projectId: project_id,
      feedback: feedback_filter,
      must_read,
      ...markFilterOf({ saved, tag, link }),
      since,
      until: new Date(since.getTime() + dayMs)
    }
    return { changed: await (seen ? markSeen : unmarkSeen)(db, account.id, filter, time) }
  }
})
