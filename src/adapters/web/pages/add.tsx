import { Type } from 'typebox'
import type { Job } from '../../../../schemas/job.js'
import { PaperAddInput } from '../../../../schemas/feed.js'
import { jobGet } from '../../../operations/jobs/job-get.js'
import { paperAdd } from '../../../operations/papers/paper-add.js'
import { projectNames } from '../../../operations/projects/project-names.js'
import type { Context } from '../../../operations/context.js'
import { identifierInTexts, pageInTexts, typedIdentifier } from '../../../papers/identifier-in-text.js'
import { formatIdentifier } from '../../../papers/pasted-identifier.js'
import { accountPage, action } from '../page.js'
import { AddPaper, LookingUp } from './add/view.js'

/** A page shared by a browser or phone. Each part is optional, and the text may contain the address. */
const Shared = {
  identifier: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  title: Type.Optional(Type.String())
}

/** Adds a paper that a browser or a phone shares to a project. Opening it adds nothing; its form does. */
export const addPage = accountPage({
  url: '/add',
  operations: [projectNames, jobGet],
  query: Type.Object({ ...Shared, project: Type.Optional(Type.String()), job: Type.Optional(Type.String()) }),
  async show (context, { identifier, url, text, title, project, job }) {
    if (job !== undefined) return await showJob(context, job, identifier)
    const { items: projects } = await projectNames.run(context, {})
    const found = identifierInTexts([identifier, url, text, title]) ?? typedIdentifier(identifier ?? '')
    const shared = [identifier, url, text, title].some(each => each !== undefined)
    const page = found === undefined && !identifier ? pageInTexts([url, text, title]) : undefined
    return {
      title: 'Add a paper',
      content: (
        <AddPaper
          address={context.baseUrl()} projects={projects} project={project} isShared={shared} title={title}
          identifier={found === undefined ? page ?? identifier ?? '' : formatIdentifier(found)}
          found={found !== undefined ? 'identifier' : page !== undefined ? 'page' : 'nothing'}
        />
      )
    }
  },
  actions: {
    add: action({
      operations: [paperAdd],
      fields: Type.Object({ project_id: PaperAddInput.properties.project_id, identifier: PaperAddInput.properties.identifier }),
      async run (context, { project_id, identifier = '' }) {
        const found = typedIdentifier(identifier)
        const written = found === undefined ? pageInTexts([identifier]) ?? identifier : formatIdentifier(found)
        const added = await paperAdd.run(context, { project_id, identifier: written })
        if (added.job_id === undefined) {
          return { to: itemAddress(added as { id: string, project_id: string }), notice: 'The paper is in this feed.' }
        }
        return { to: `/add?${new URLSearchParams({ job: added.job_id, identifier: written })}` }
      }
    })
  }
})

/** The page of a job that asks the sources. */
async function showJob (context: Context, job_id: string, identifier = 'the paper') {
  const job: Job = await jobGet.run(context, { job_id })
  const id = job.task === 'add-paper' && job.state === 'done' ? job.result?.item_id : undefined
  const item = typeof id === 'string' && job.project_id !== null ? itemAddress({ id, project_id: job.project_id }) : undefined
  return { title: 'Add a paper', content: <LookingUp job={job} identifier={identifier} item={item} /> }
}

const itemAddress = ({ id, project_id }: { id: string, project_id: string }) => `/projects/${project_id}?item=${id}`
