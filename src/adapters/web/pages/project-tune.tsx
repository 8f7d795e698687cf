import { Type } from 'typebox'
import { InvalidArguments } from '../../../errors/operation-errors.js'
import type { Context } from '../../../operations/context.js'
import { paperTuning } from '../../../operations/feed/paper-tuning.js'
import { projectPaperGet } from '../../../operations/papers/project-paper-get.js'
import { newProjectPreview } from '../../../operations/projects/new-project-preview.js'
import { projectPreview } from '../../../operations/projects/project-preview.js'
import { projectUpdate } from '../../../operations/projects/project-update.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import { accountPage, action, type PageContent } from '../page.js'
import { type Previewed, Tune } from './project-tune/view.js'

const lists = { include: 'positive_keywords', exclude: 'negative_keywords' } as const
type Kind = keyof typeof lists
const isKind = (kind: string): kind is Kind => Object.hasOwn(lists, kind)

const fields = Type.Object({ item: Type.String(), kind: Type.String(), word: Type.String() })
const followFields = Type.Object({ item: Type.String(), follow: Type.String() })

/** Tunes a project from one of its papers: words, votes, authors and the journal. */
export const projectTunePage = accountPage({
  url: '/projects/:project_id/tune',
  operations: [projectsGet, projectPaperGet, paperTuning],
  query: Type.Object({
    ...projectsGet.input.properties,
    item: projectPaperGet.input.properties.ref,
    done: Type.String(),
    value: Type.String()
  }),
  async show (context, { project_id = '', item = '', done, value }) {
    return await tunePage(context, project_id, item, done === undefined || value === undefined ? {} : { done: { kind: done, value } })
  },
  actions: {
    preview: action({
      operations: [projectsGet, projectPreview],
      fields,
      async run (context, { project_id, item = '', kind = '', word }) {
        const { list, words } = await changedWords(context, project_id, kind, word)
        const preview = await projectPreview.run(context, { project_id, [list]: words })
        return { page: await tunePage(context, project_id, item, { previewed: { kind: kind as Kind, word: word!, preview } }) }
      }
    }),
    apply: action({
      operations: [projectsGet, projectPaperGet, projectUpdate],
      fields,
      async run (context, { project_id, item = '', kind = '', word }) {
        await projectPaperGet.run(context, { ref: item })
        const { list, words } = await changedWords(context, project_id, kind, word)
        await projectUpdate.run(context, { project_id, [list]: words })
        return { to: addressOf(project_id, item, { done: kind, value: word! }) }
      }
    }),
    preview_follow: action({
      operations: [projectsGet, newProjectPreview],
      fields: followFields,
      async run (context, { project_id, item = '', follow }) {
        const source = await offeredQuery(context, item, follow)
        const project = await projectsGet.run(context, { project_id })
        const { interest_description, positive_keywords, negative_keywords, must_read_threshold, feed_threshold } = project
        const found = await newProjectPreview.run(context, {
          interest_description, positive_keywords, negative_keywords, must_read_threshold, feed_threshold, sources: [source]
        })
        return { page: await tunePage(context, project_id, item, { previewed: { kind: 'follow', source, found } }) }
      }
    }),
    follow: action({
      operations: [projectsGet, projectUpdate],
      fields: followFields,
      async run (context, { project_id, item = '', follow }) {
        const { sources } = await projectsGet.run(context, { project_id })
        // No undo: it would remove what was there before.
        if (sources.some(({ name, query }) => `${name} ${query}` === follow)) {
          return { to: addressOf(project_id, item), notice: 'Already followed. The project has this query.' }
        }
        const source = await offeredQuery(context, item, follow)
        await projectUpdate.run(context, { project_id, sources: [...sources, source] })
        return { to: addressOf(project_id, item, { done: 'follow', value: `${source.name} ${source.query}` }) }
      }
    }),
    undo: action({
      operations: [projectsGet, projectPaperGet, projectUpdate],
      fields: Type.Object({ item: Type.String(), kind: Type.String(), value: Type.String() }),
      async run (context, { project_id, item = '', kind = '', value = '' }) {
        const project = await projectsGet.run(context, { project_id })
        await projectPaperGet.run(context, { ref: item })
        const change = isKind(kind)
          ? { [lists[kind]]: project[lists[kind]].filter(word => word !== value) }
          : { sources: project.sources.filter(({ name, query }) => `${name} ${query}` !== value) }
        await projectUpdate.run(context, { project_id, ...change })
        return { to: addressOf(project_id, item), notice: 'Taken back. The feed will be rescored within a minute.' }
      }
    })
  }
})

const addressOf = (projectId: string, item: string, more: Record<string, string> = {}) =>
  `/projects/${projectId}/tune?${String(new URLSearchParams({ item, ...more }))}`

/** A list of the project's keywords with one word more. */
async function changedWords (context: Context, projectId: string, kind: string, word: string | undefined) {
  if (!isKind(kind) || word === undefined) throw new InvalidArguments('Choose a word.')
  const list = lists[kind]
  const words = (await projectsGet.run(context, { project_id: projectId }))[list]
  return { list, words: words.includes(word) ? words : [...words, word] }
}

/** One of the queries that the page offers. */
async function offeredQuery (context: Context, item: string, follow: string | undefined) {
  const { authors, journal } = await paperTuning.run(context, { ref: item })
  const offered = [...authors, ...(journal === null ? [] : [journal])].flatMap(({ queries }) => queries)
  const found = offered.find(({ name, query }) => `${name} ${query}` === follow)
  if (found === undefined) throw new InvalidArguments('Choose an author or a journal that the project does not follow yet.')
  return { name: found.name, query: found.query }
}

interface State { previewed?: Previewed, done?: { kind: string, value: string } }

async function tunePage (context: Context, projectId: string, ref: string, state: State): Promise<PageContent> {
  const project = await projectsGet.run(context, { project_id: projectId })
  const [item, choices] = await Promise.all([
    projectPaperGet.run(context, { ref }),
    paperTuning.run(context, { ref })
  ])
  return { title: `Tune ${project.name}`, project, content: <Tune project={project} item={item} choices={choices} {...state} /> }
}
