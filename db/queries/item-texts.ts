import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { isOwnProject } from './ownership.js'

/** Finds the papers whose items in the account's feed have no summary, because they had no abstract when they were added. */
export async function findWithoutSummary (db: Db, accountId: string, projectId: string, paperIds: string[]): Promise<Set<string>> {
  if (paperIds.length === 0) return new Set()
  const rows = await db.selectFrom('project_paper').select('paper_id')
    .where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    .where('paper_id', '=', anyUuid(paperIds)).where('summary', 'is', null).execute()
  return new Set(rows.map(({ paper_id }) => paper_id))
}

/** Replaces the summaries of papers in the account's feed, except those that a model wrote. */
export async function replaceSummaries (
  db: Db,
  accountId: string,
  projectId: string,
  papers: ReadonlyArray<{ paper_id: string, summary: string | null }>
): Promise<void> {
  await sql`
    update project_paper set summary = paper.summary
    from json_to_recordset(${JSON.stringify(papers)}::json) as paper (paper_id uuid, summary text)
    where project_paper.project_id = ${projectId} and project_paper.paper_id = paper.paper_id and summary_origin <> 'model'
      and project_paper.summary is distinct from paper.summary and ${isOwnProject(accountId, projectId)}`.execute(db)
}
