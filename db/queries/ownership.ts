import { sql } from 'kysely'

/** Whether the account owns the project, as an SQL condition that refers to no row: the planner evaluates it once a query. */
export const isOwnProject = (accountId: string, projectId: string) =>
  sql<boolean>`exists (select from project as own_project where own_project.id = ${projectId}::uuid and own_project.account_id = ${accountId}::uuid)`

/** Whether the account owns the project of a row of `alert`, as an SQL condition. */
export const isOwnAlert = (accountId: string) =>
  sql<boolean>`exists (select from project as own_project where own_project.id = alert.project_id and own_project.account_id = ${accountId}::uuid)`
