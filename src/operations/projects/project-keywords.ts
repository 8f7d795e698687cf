import { Type } from 'typebox'
import { listKeywords, listProjectNames } from '../../../db/queries/projects.js'
import { Uuid } from '../../../schemas/ids.js'
import { operation } from '../operation.js'

/** Projects whose keywords are read at a time: each can have 20,000 characters. */
const batchSize = 20

/** The keywords to choose from. An unknown project has none. */
export const projectKeywords = operation({
  name: 'project_keywords',
  title: 'List keywords',
  description: 'Returns the keywords to include of one project, or of all projects, newest project first.',
  input: Type.Object({ project_id: Type.Optional(Uuid) }, { additionalProperties: false }),
  output: Type.Object({ items: Type.Array(Type.String()) }),
  scope: 'read',
  async handler ({ db, account, key }, { project_id }) {
    const ids = project_id !== undefined ? [project_id] : (await listProjectNames(db, account.id, key?.projectIds)).map(({ id }) => id)
    const keywords = new Set<string>()
    for (let at = 0; at < ids.length; at += batchSize) {
      for (const keyword of await listKeywords(db, account.id, ids.slice(at, at + batchSize))) keywords.add(keyword)
    }
    return { items: [...keywords] }
  }
})
