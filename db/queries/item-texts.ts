import { sql } from 'kysely'
import { linksOf, type Relevance } from '../../schemas/relevance.js'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { isOwnProject } from './ownership.js'

/** Of some papers, those whose items in the account's feed have no summary: they had no abstract when they were added. */
export async function findWithoutSummary (db: Db, accountId: string, projectId: string, paperIds: string[]): Promise<Set<string>> {
  if (paperIds.length === 0) return new Set()
  const rows = await db.selectFrom('project_paper').select('paper_id')
    .where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    .where('paper_id', '=', anyUuid(paperIds)).where('summary', 'is', null).execute()
  return new Set(rows.map(({ paper_id }) => paper_id))
}

/** What an item of a feed states of the text of its paper. */
type ItemText = Relevance & { paper_id: string, summary: string | null }

/** Saves scores and summaries of papers in the account's feed whose texts have changed. Summaries that a model wrote stay. */
export async function saveItemTexts (db: Db, accountId: string, projectId: string, items: readonly ItemText[]): Promise<void> {
  if (items.length === 0) return
  const rows = items.map(item => ({ ...item, links: linksOf(item.matching_details) }))
  await sql`
    update project_paper set relevance_score = item.relevance_score, relevance_class = item.relevance_class,
      matching_details = item.matching_details, personalized_note = item.personalized_note, links = item.links,
      summary = case when summary_origin = 'model' then project_paper.summary else item.summary end
    from json_to_recordset(${JSON.stringify(rows)}::json) as item (paper_id uuid, relevance_score float8, relevance_class text,
      matching_details jsonb, personalized_note text, links smallint, summary text)
    where project_paper.project_id = ${projectId} and project_paper.paper_id = item.paper_id
      and ${isOwnProject(accountId, projectId)}`.execute(db)
}
