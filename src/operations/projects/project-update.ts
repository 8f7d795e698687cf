import { isDeepStrictEqual } from 'node:util'
import { findProject, updateProject } from '../../../db/queries/projects.js'
import { restartKeywordQueries, syncSources } from '../../../db/queries/sources.js'
import { Project, ProjectUpdateInput } from '../../sources/project-schemas.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'
import { checkSources } from '../../sources/project-sources.js'
import { projectOf } from '../../sources/project-record.js'
import { requireStillExists } from '../../errors/still-exists.js'

/** Settings that scores are made of: a change of one has the feed scored anew. */
const scored = ['interest_description', 'positive_keywords', 'negative_keywords', 'must_read_threshold', 'feed_threshold'] as const

/** Settings that are what a source without a query of its own is asked for. */
const asked = ['interest_description', 'positive_keywords'] as const

/** Changes what is sent and leaves the rest. @throws ProjectNotFound, InvalidArguments */
export const projectUpdate = operation({
  name: 'project_update',
  title: 'Change a project',
  description: 'Changes the given settings and leaves the others. The feed is rescored within a minute; POST …/preview shows beforehand which papers that would add and remove. Set matching_state to "paused" to pause the project.',
  input: ProjectUpdateInput,
  output: Project,
  async handler ({ db, account, now }, { project_id, sources, ...change }) {
    if (sources !== undefined) checkSources(sources)
    const time = now()
    const before = await findProject(db, account.id, project_id)
    if (before === undefined) throw new ProjectNotFound(project_id)
    const isChanged = (setting: typeof scored[number]) => setting in change && !isDeepStrictEqual(change[setting], before[setting])
    const asksAnew = asked.some(isChanged)
    await db.transaction().execute(async transaction => {
      const changed = {
        ...change,
        ...(sources === undefined ? {} : { sources: JSON.stringify(sources) }),
        ...(scored.some(isChanged) ? { scoring_due_at: time, settings_changed_at: time } : {}),
        updated_at: time
      }
      if (await updateProject(transaction, account.id, project_id, changed) === undefined) throw new ProjectNotFound(project_id)
      if (sources !== undefined) await syncSources(transaction, account.id, project_id, sources, time)
      if (asksAnew) await restartKeywordQueries(transaction, account.id, project_id, time)
    })
    return projectOf(requireStillExists(await findProject(db, account.id, project_id)))
  }
})
