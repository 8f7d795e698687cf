import { formats } from '../../schemas/formats.js'
import type { KeyScope } from '../../schemas/key.js'
import { Forbidden, ProjectNotFound } from '../errors/operation-errors.js'
import type { Context } from './context.js'

/** The part of a call's context that says what its key grants. */
export type KeyContext = Partial<Pick<Context, 'key' | 'baseUrl'>>

/**
 * Checks that the key of a call has a scope. Calls without a key always pass.
 * @param scope undefined: no key can
 * @throws Forbidden
 */
export function requireScope ({ key, baseUrl }: KeyContext, scope: KeyScope | undefined): void {
  if (key === undefined || key.scope === scope || scope === 'read') return
  const address = `${baseUrl?.() ?? ''}/connect`
  throw new Forbidden(scope === undefined
    ? `A key cannot do this. Sign in on the dashboard; the Connect page (${address}) says what keys can do.`
    : `This key is read-only. Create a key with the scope "act" on the Connect page (${address}) and use it instead.`)
}

/**
 * Checks that a call's project has a UUID, and is one that its key can see. A project outside the key's grant is reported
 * like a missing one, before any query, so callers cannot distinguish them.
 * @returns the input with the UUID as it is stored
 * @throws ProjectNotFound
 */
export function requireVisible<I extends object> ({ key }: KeyContext, input: I): I {
  const { project_id: projectId } = input as { project_id?: unknown }
  if (typeof projectId !== 'string') return input
  const id = projectId.trim().toLowerCase()
  if (!formats.uuid!(id) || key?.projectIds?.includes(id) === false) throw new ProjectNotFound(projectId)
  return { ...input, project_id: id }
}

/** Whether the key of a call is limited to projects. */
export const isLimited = ({ key }: KeyContext): boolean => key?.projectIds != null

/** Checks that the key of a call is not limited to projects. @param what what it cannot do, such as "create a project" @throws Forbidden */
export function requireUnlimited (context: KeyContext, what: string): void {
  if (!isLimited(context)) return
  throw new Forbidden(
    `This key is limited to some projects and cannot ${what}. Create a key for all projects on the Connect page ` +
      `(${context.baseUrl?.() ?? ''}/connect).`
  )
}
