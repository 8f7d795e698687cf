import { type Static, Type } from 'typebox'
import { ProjectId, Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'

const Keyword = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'A word or phrase.' })
const Keywords = (description: string) => Type.Array(Keyword, { maxItems: 100, description })

export const ProjectSource = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64, description: 'Name of the source.' }),
  query: Type.String({ maxLength: 2000, description: 'What is asked of the source, in its own query language.' })
}, { additionalProperties: false, description: 'Where papers are fetched from.' })
export type ProjectSource = Static<typeof ProjectSource>

const editable = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Name of the project.' }),
  interest_description: Type.String({ maxLength: 10_000, description: 'What the project is about, in plain words.' }),
  positive_keywords: Keywords('Words that speak for a paper.'),
  negative_keywords: Keywords('Words that exclude a paper.'),
  sources: Type.Array(ProjectSource, { maxItems: 50, description: 'Sources that fill the feed.' }),
  matching_state: Words(['active', 'paused'], { description: 'Whether new papers are looked for.' })
}

export const Project = Type.Object({
  id: Uuid,
  ...editable,
  mode: Words(['auto'], { description: 'How the feed is filled.' }),
  visibility: Words(['private'], { description: 'Who can see the project.' }),
  created_at: Type.String({ format: 'date-time', description: 'When the project was made.' }),
  updated_at: Type.String({ format: 'date-time', description: 'When its settings last changed.' }),
  last_fetched_at: Nullable(Type.String({ format: 'date-time' }), 'When papers were last fetched.'),
  counts: Type.Object({
    papers: Type.Integer({ description: 'Items in the feed.' }),
    must_read: Type.Integer({ description: 'Items classed must_read.' }),
    unrated: Type.Integer({ description: 'Items without feedback.' })
  }, { description: 'Size of the feed.' })
}, { description: 'A standing research interest with its feed.' })
export type Project = Static<typeof Project>

export const NoInput = Type.Object({}, { additionalProperties: false })
export const ProjectInput = Type.Object({ project_id: ProjectId }, { additionalProperties: false })

export const ProjectsListResult = Type.Object({
  items: Type.Array(Project, { description: 'Newest first.' }),
  total: Type.Integer({ minimum: 0, description: 'How many projects you have.' })
})

const { name, ...others } = editable

export const ProjectCreateInput = Type.Object({ name, ...Type.Partial(Type.Object(others)).properties }, { additionalProperties: false })
export type ProjectCreateInput = Static<typeof ProjectCreateInput>

export const ProjectUpdateInput = Type.Object({
  ...ProjectInput.properties,
  ...Type.Partial(Type.Object(editable)).properties
}, { additionalProperties: false })
export type ProjectUpdateInput = Static<typeof ProjectUpdateInput>
