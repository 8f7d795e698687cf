import { Type } from 'typebox'
import { listProjectNames } from '../../../db/queries/projects.js'
import { FeedSeenInput, FeedSeenResult } from '../../../schemas/feed.js'
import { operation } from '../operation.js'
import { feedSeen } from './feed-seen.js'

/** Repeating it changes nothing. @throws InvalidArguments */
export const feedsSeen = operation({
  name: 'feeds_seen',
  title: 'Mark a day of all feeds as seen',
  description: 'Does for each project what feed_seen does for one.',
  input: Type.Omit(FeedSeenInput, ['project_id'], { additionalProperties: false }),
  output: FeedSeenResult,
  async handler (context, { at = context.now().toISOString(), ...fields }) {
    let changed = 0
    for (const { id } of await listProjectNames(context.db, context.account.id, context.key?.projectIds)) {
      changed += (await feedSeen.run(context, { project_id: id, at, ...fields })).changed
    }
    return { changed }
  }
})
