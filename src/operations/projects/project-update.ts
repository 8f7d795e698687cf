import { isDeepStrictEqual } from 'node:util'
import { keysOf } from '../../../schemas/closed-lists.js'
import { findProject, updateProject } from '../../../db/queries/projects.js'
import { keepFormerInterest, listFormerInterests } from '../../../db/queries/former-interests.js'
import { restartKeywordQueries, syncSources } from '../../../db/queries/sources.js'
import { Project, ProjectUpdateInput } from '../../sources/projects/project-schemas.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { requireUnlimited } from '../key-access.js'
import { operation } from '../operation.js'
import { leastDistinct } from '../../relevance/interest-change.js'
import { visibleSettings } from '../../relevance/visible-settings.js'
import { journalFeed } from '../../sources/journal-feed.js'
import { checkSources } from '../../sources/projects/project-sources.js'
import { projectOf } from '../../sources/projects/project-record.js'
import { requireRecord } from '../../errors/deleted-records.js'

/** A change of these settings rescores the feed. */
export const scoringSettings = [
  'interest_description',
  'positive_keywords',
  'negative_keywords',
  'must_read_threshold',
  'feed_threshold',
  'weekly_limit'
] as const

/** Sources without a custom query search for these settings, and votes are given under them. */
const querySettings = ['interest_description', 'positive_keywords'] as const

/** @throws ProjectNotFound, InvalidArguments, Forbidden if a key limited to some projects adds journal feeds */
export const projectUpdate = operation({
  name: 'project_update',
  title: 'Change a project',
  description: [
    'Changes the given settings of a project and leaves the others. Returns the project.',
    'Lists replace the former ones, so send all entries. Over MCP, "" means unchanged.',
    'The feed is rescored within a minute. matching_state "paused" stops fetching.',
    'Use project_preview first to see which papers a change adds and removes.',
    'Example: {"project_id": "0b54c2ab-…", "negative_keywords": ["mice"]}'
  ].join(' '),
  input: ProjectUpdateInput,
  output: Project,
  scope: 'act',
  async handler (context, { project_id, sources: written, ...input }) {
    const { db, account, allowsAddress, now } = context
    const change = visibleSettings(input)
    const sources = written === undefined ? undefined : checkSources(written, allowsAddress)
    const time = now()
    const before = await findProject(db, account.id, project_id)
    if (before === undefined) throw new ProjectNotFound(project_id)
    const isNewFeed = ({ name, query }: NonNullable<typeof sources>[number]) =>
      name === journalFeed.name && !before.sources.some(known => known.name === name && known.query === query)
    // Its records may name any work, and so match and change papers that only other projects have.
    if (sources?.some(isNewFeed) === true) requireUnlimited(context, 'add journal feeds')
    const isChanged = (setting: keyof typeof change) => setting in change && !isDeepStrictEqual(change[setting], before[setting])
    const changesSources = sources !== undefined && !isDeepStrictEqual(sources, before.sources)
    if (!changesSources && !keysOf(change).some(isChanged)) return projectOf(before)
    const changesQueries = querySettings.some(isChanged)
    // Their words are known afterwards: reading them within the transaction would hold up other writes.
    if (changesQueries) await leastDistinct([...await listFormerInterests(db, account.id, project_id), before])
    await db.transaction().execute(async transaction => {
      if (changesQueries) await keepFormerInterest(transaction, account.id, project_id, { until: time, leastDistinct })
      const changed = {
        ...change,
        ...(sources === undefined ? {} : { sources: JSON.stringify(sources) }),
        // Papers that a fetch changes meanwhile do not delay it.
        ...(scoringSettings.some(isChanged) ? { scoring_due_at: time, scoring_latest_at: time, settings_changed_at: time } : {}),
        updated_at: time
      }
      if (await updateProject(transaction, account.id, project_id, changed) === undefined) throw new ProjectNotFound(project_id)
      if (sources !== undefined) await syncSources(transaction, account.id, project_id, sources, time)
      if (changesQueries) await restartKeywordQueries(transaction, account.id, project_id, time)
    })
    return projectOf(requireRecord(await findProject(db, account.id, project_id)))
  }
})
