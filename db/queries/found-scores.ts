import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { isOwnProject } from './ownership.js'

/** Numbers of fetched papers found since a time, in and outside the account's feed, by the hundredth of their score; 100 counts as 99. */
export async function countFoundScores (
  db: Db,
  accountId: string,
  projectId: string,
  since: Date
): Promise<Array<{ hundredth: number, papers: number }>> {
  const { rows } = await sql<{ hundredth: number, papers: number }>`
    select least(floor(relevance_score * 100 + 0.000001), 99)::int as hundredth, count(*)::int as papers
    from (
      select relevance_score from project_paper
      where project_id = ${projectId} and origin = 'fetch' and ready_at >= ${since} and ${isOwnProject(accountId, projectId)}
      union all
      select relevance_score from candidate
      where project_id = ${projectId} and found_at >= ${since} and relevance_score > 0 and ${isOwnProject(accountId, projectId)}
    ) as found
    group by hundredth`.execute(db)
  return rows
}
