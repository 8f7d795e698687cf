import { listProjectNames } from '../../db/queries/projects.js'
import { normalForm } from '../../schemas/normal-form.js'
import { ProjectNotFound } from '../errors/operation-errors.js'
import type { Context } from './context.js'

/** Projects that an error names, and those whose names are compared with what was written. */
const [maxNamed, maxCompared] = [20, 500]

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
  const nearest = nearestFirst(reference, projects.slice(0, maxCompared), ({ name }) => name)
  const canCreate = key === undefined || (key.scope === 'act' && key.projectIds === null)
  const howToCreate = canCreate ? 'with project_create (POST /api/projects)' : undefined
  return new ProjectNotFound(reference, nearest.slice(0, maxNamed), projects.length, howToCreate)
}

/** Sorts by the number of words that a name shares with what a caller wrote. */
export function nearestFirst<T> (written: string, named: readonly T[], nameOf: (each: T) => string): T[] {
  const words = new Set(wordsOf(written))
  const nearness = new Map(named.map(each => [each, wordsOf(nameOf(each)).filter(word => words.has(word)).length]))
  return [...named].sort((a, b) => nearness.get(b)! - nearness.get(a)!)
}

const wordsOf = (text: string): string[] => normalForm(text.slice(0, 200), 'NFKC').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
