import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { isOwnProject } from './ownership.js'

/** Former interests of a project that are kept. */
export const maxFormerInterests = 10

type FormerInterest = Awaited<ReturnType<typeof listFormerInterests>>[number]

/**
 * Keeps the interest that a project had until now, if votes were given under it. Call it before the interest changes.
 * @param leastDistinct chooses the one that is left out of more than are kept, oldest first: its votes count as given under the next one
 */
export async function keepFormerInterest (
  transaction: Db,
  accountId: string,
  projectId: string,
  { until, leastDistinct }: { until: Date, leastDistinct: (former: readonly FormerInterest[]) => Promise<FormerInterest> }
): Promise<void> {
  await sql`
    insert into former_interest (project_id, until, interest_description, positive_keywords)
    select id, ${until}, interest_description, positive_keywords from project
    where id = ${projectId}::uuid and account_id = ${accountId}::uuid and exists (
      select from project_paper where project_id = project.id and voted_at is not null and voted_at > coalesce(
        (select max(former_interest.until) from former_interest where former_interest.project_id = project.id), '-infinity'))
    on conflict do nothing`.execute(transaction)
  let former = await listFormerInterests(transaction, accountId, projectId)
  while (former.length > maxFormerInterests) {
    const omitted = await leastDistinct(former)
    await transaction.deleteFrom('former_interest').where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
      .where('until', '=', omitted.until).execute()
    former = former.filter(each => each !== omitted)
  }
}

/** Former interests of a project, oldest first. */
export const listFormerInterests = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('former_interest').select(['until', 'interest_description', 'positive_keywords'])
    .where('project_id', '=', projectId).where(isOwnProject(accountId, projectId)).orderBy('until').execute()
