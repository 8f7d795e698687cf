import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { isOwnProject } from './ownership.js'

/** Former interests of a project that are kept. */
export const maxFormerInterests = 10

/** Keeps the interest that a project had until now, if votes were given under it. Call it before the interest changes. */
export async function keepFormerInterest (transaction: Db, accountId: string, projectId: string, until: Date): Promise<void> {
  await sql`
    insert into former_interest (project_id, until, interest_description, positive_keywords)
    select id, ${until}, interest_description, positive_keywords from project
    where id = ${projectId}::uuid and account_id = ${accountId}::uuid and exists (
      select from project_paper where project_id = project.id and voted_at is not null and voted_at > coalesce(
        (select max(former_interest.until) from former_interest where former_interest.project_id = project.id), '-infinity'))
    on conflict do nothing`.execute(transaction)
  await sql`
    delete from former_interest where project_id = ${projectId}::uuid and ${isOwnProject(accountId, projectId)} and until <= (
      select until from former_interest where project_id = ${projectId}::uuid order by until desc offset ${maxFormerInterests} limit 1)`
    .execute(transaction)
}

/** Former interests of a project, oldest first. */
export const listFormerInterests = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('former_interest').select(['until', 'interest_description', 'positive_keywords'])
    .where('project_id', '=', projectId).where(isOwnProject(accountId, projectId)).orderBy('until').execute()
