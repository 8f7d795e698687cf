import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'

/** Whether the account owns the project, as an SQL condition that refers to no row: the planner evaluates it once a query. */
export const isOwnProject = (accountId: string, projectId: string) =>
  sql<boolean>`exists (select from project as own_project where own_project.id = ${projectId}::uuid
    and own_project.account_id = ${accountId}::uuid)`

/** Whether the account owns the project of a row of `alert`, as an SQL condition. */
export const isOwnAlert = (accountId: string) =>
  sql<boolean>`exists (select from project as own_project where own_project.id = alert.project_id
    and own_project.account_id = ${accountId}::uuid)`

/** Whether a row is shared or the account's own, as an SQL condition. @param column its owner, null if it is shared */
export const isSharedOrOwn = (accountId: string, column = 'account_id') =>
  sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} = ${accountId}::uuid)`

/** Locks the account's project until the transaction ends. @returns whether the account has it */
export const lockProject = async (transaction: Db, accountId: string, id: string): Promise<boolean> =>
  await transaction.selectFrom('project').select('id').where('account_id', '=', accountId).where('id', '=', id)
    .forUpdate().executeTakeFirst() !== undefined

/** Whether a project's id is among those that a key can see, as an SQL condition. @param projectIds null: all */
export const isVisibleToKey = (projectIds: ProjectIds, column = 'project.id') =>
  projectIds === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${anyUuid(projectIds)}`

/** The projects to which a key limits its holder; null: none. */
export type ProjectIds = readonly string[] | null
