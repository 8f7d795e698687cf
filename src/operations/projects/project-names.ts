import { Type } from 'typebox'
import { listProjectNames } from '../../../db/queries/projects.js'
import { Uuid } from '../../../schemas/ids.js'
import { NoInput } from '../../../schemas/empty.js'
import { operation } from '../operation.js'

/** All projects to choose from: `MAX_PROJECTS` bounds their number. */
export const projectNames = operation({
  name: 'project_names',
  title: 'List the names of projects',
  description: 'Returns the names of all projects, newest first.',
  input: NoInput,
  output: Type.Object({ items: Type.Array(Type.Object({ id: Uuid, name: Type.String() })) }),
  scope: 'read',
  async handler ({ db, account, key }) {
    return { items: await listProjectNames(db, account.id, key?.projectIds) }
  }
})
