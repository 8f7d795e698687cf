import { deleteProject } from '../../../db/queries/deletions.js'
import { createProject, findProject, lockAndCountProjects } from '../../../db/queries/projects.js'
import { syncSources } from '../../../db/queries/sources.js'
import type { Project } from '../../../schemas/project.js'
import { ProjectCreateInput, ProjectCreateResult } from '../../sources/projects/project-schemas.js'
import { requireUnlimited } from '../key-access.js'
import { PaperListFile } from '../../imports/paper-list-file.js'
import { libraryImport } from '../papers/library-import.js'
import { operation } from '../operation.js'
import { visibleSettings } from '../../relevance/visible-settings.js'
import { checkSources, defaultSources } from '../../sources/projects/project-sources.js'
import { nothingToSearch } from '../../sources/fetching/query.js'
import { projectOf } from '../../sources/projects/project-record.js'
import { findProblem } from '../../sources/fetching/find-paper.js'
import { TooManyProjects } from '../../errors/operation-errors.js'
import { requireRecord } from '../../errors/deleted-records.js'

/**
 * Example papers are looked up in the background.
 * @throws TooManyProjects, QuotaExceeded, RateLimited, Forbidden for a key that is limited to projects, and InvalidArguments for an unknown
 * source or an invalid query
 */
export const projectCreate = operation({
  name: 'project_create',
  title: 'Create a project',
  description: [
    'Creates a project: a research interest with a feed of its own. Returns it.',
    'Examples are looked up in the background: those that are found appear in feed_get, the outcome on the project\'s import page in the ' +
    'dashboard; the result\'s examples has their count, and the problems of others.',
    'Its sources are searched within a minute, then every few hours.',
    'Use it for a new interest; to change one, use project_update.',
    'Example: {"name": "Sleep and memory", "interest_description": "How sleep spindles consolidate memory.", "positive_keywords": ' +
    '["sleep spindles"]}'
  ].join(' '),
  input: ProjectCreateInput,
  output: ProjectCreateResult,
  scope: 'act',
  async handler (context, { sources: written = defaultSources, examples = [], ...input }) {
    const { db, account, allowsAddress, accounts: { maxProjects }, now } = context
    requireUnlimited(context, 'create a project')
    const sources = checkSources(written, allowsAddress)
    const settings = visibleSettings(input)
    const time = now()
    const id = await db.transaction().execute(async transaction => {
      if (await lockAndCountProjects(transaction, account.id) >= maxProjects) throw new TooManyProjects(maxProjects)
      const { id } = await createProject(transaction, {
        ...settings,
        sources: JSON.stringify(sources),
        account_id: account.id,
        created_at: time,
        updated_at: time,
        scored_at: time
      })
      await syncSources(transaction, account.id, id, sources, time)
      return id
    })
    // A caller that tries again gets no second project.
    const file = new PaperListFile('Example papers', examples)
    const queued = examples.length === 0
      ? undefined
      : await libraryImport.run(context, { project_id: id, file, vote: 'upvote' }).catch(async cause => {
        await deleteProject(db, account.id, id)
        throw cause
      })
    return {
      ...withForeseenProblems(projectOf(requireRecord(await findProject(db, account.id, id)))),
      ...(queued === undefined ? {} : { examples: lookedUp(queued, examples) })
    }
  }
})

/** A new project, with the problem of each source that has nothing to search for: its creator may not look again after the first check. */
function withForeseenProblems (project: Project): Project {
  if (project.interest_description.trim() !== '' || project.positive_keywords.length > 0) return project
  const states = project.source_states.map(state => state.query.trim() === '' ? { ...state, last_error: nothingToSearch } : state)
  return { ...project, source_states: states }
}

/** The import that looks the examples up, and those that it will reject. */
function lookedUp ({ job_id, import_id }: { job_id: string, import_id: string }, examples: readonly string[]) {
  const problems = examples.flatMap(text => {
    const problem = findProblem(text)
    return problem === undefined ? [] : [{ text, problem }]
  })
  return { job_id, import_id, count: examples.length - problems.length, problems }
}
