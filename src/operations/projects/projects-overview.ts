import { type Static, Type } from 'typebox'
import { listAllProjects } from '../../../db/queries/projects.js'
import { Uuid } from '../../../schemas/ids.js'
import { NoInput } from '../../../schemas/empty.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

const ProjectsOverview = Type.Object({
  items: Type.Array(Type.Object({
    id: Uuid,
    name: Type.String(),
    email: Type.String(),
    papers: Type.Integer(),
    created_at: Type.String()
  })),
  total: Type.Integer()
})
export type ProjectsOverview = Static<typeof ProjectsOverview>

/** For the operator: every project with its owner. */
export const projectsOverview = operation({
  name: 'projects_overview',
  title: 'List every project',
  description: 'Returns the projects of all accounts, newest first.',
  input: NoInput,
  output: ProjectsOverview,
  async handler ({ db }: ServiceContext) {
    const items = (await listAllProjects(db)).map(({ id, name, email, papers, created_at }) => ({
      id,
      name,
      email,
      papers,
      created_at: created_at.toISOString()
    }))
    return { items, total: items.length }
  }
})
