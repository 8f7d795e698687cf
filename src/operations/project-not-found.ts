import { listProjectNames } from '../../db/queries/projects.js'
import { normalForm } from '../../schemas/normal-form.js'
import { ProjectNotFound } from '../errors/operation-errors.js'
import type { Context } from './context.js'

/** Projects that an error names. */
const maxNamed = 20

/**
 * The error for a missing or foreign project. It lists the caller's projects, nearest name first, which saves a call if a model sent a
 * name instead of an id.
 */
export async function projectNotFound (
  context: Partial<Pick<Context, 'db' | 'account' | 'key'>>,
  reference: string
): Promise<ProjectNotFound> {
  const { db, account, key } = context
  if (db === undefined || account === undefined) return new ProjectNotFound(reference)
  const projects = await listProjectNames(db, account.id, key?.projectIds)
  const words = wordsOf(reference)
  const nearness = new Map(projects.map(({ id, name }) => [id, wordsOf(name).filter(word => words.includes(word)).length]))
  const nearest = projects.sort((a, b) => nearness.get(b.id)! - nearness.get(a.id)!)
  const canCreate = key === undefined || (key.scope === 'act' && key.projectIds === null)
  const howToCreate = canCreate ? 'with project_create (POST /api/projects)' : undefined
  return new ProjectNotFound(reference, nearest.slice(0, maxNamed), projects.length, howToCreate)
}

const wordsOf = (text: string): string[] => normalForm(text.slice(0, 200), 'NFKC').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
