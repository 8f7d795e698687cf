import { ownsProject } from '../../db/queries/projects.js'
import type { Caller } from '../../db/caller.js'
import { ProjectNotFound } from '../errors/operation-errors.js'

/** Checks that the caller has a project. @param id undefined: nothing to check @throws ProjectNotFound */
export async function requireProject ({ db, account }: Caller, id: string | undefined): Promise<void> {
  if (id !== undefined && !await ownsProject(db, account.id, id)) throw new ProjectNotFound(id)
}
