import { createProject, findProject } from '../../../db/queries/projects.js'
import { syncSources } from '../../../db/queries/sources.js'
import { Project, ProjectCreateInput } from '../../sources/project-schemas.js'
import { operation } from '../operation.js'
import { checkSources, defaultSources } from '../../sources/project-sources.js'
import { projectOf } from '../../sources/project-record.js'
import { requireStillExists } from '../../errors/still-exists.js'

/** @throws InvalidArguments for a source that there is not, or a query that it cannot be asked */
export const projectCreate = operation({
  name: 'project_create',
  title: 'Create a project',
  description: 'Creates a project. Its sources are searched within a minute, then every few hours. Without `sources`, the default sources are searched for its keywords.',
  input: ProjectCreateInput,
  output: Project,
  async handler ({ db, account, now }, { sources = [...defaultSources], ...input }) {
    checkSources(sources)
    const time = now()
    const id = await db.transaction().execute(async transaction => {
      const { id } = await createProject(transaction, { ...input, sources: JSON.stringify(sources), account_id: account.id, created_at: time, updated_at: time, scored_at: time })
      await syncSources(transaction, account.id, id, sources, time)
      return id
    })
    return projectOf(requireStillExists(await findProject(db, account.id, id)))
  }
})
