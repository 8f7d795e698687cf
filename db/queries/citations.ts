import { sql } from 'kysely'
import { maxReferences } from '../../schemas/paper.js'
import type { Db } from '../connection.js'

/** What a source states about the citations of a stored paper. */
export interface StatedCitations { paper_id: string, cited: readonly string[], cited_by: number | null }

/** What is known about the citations of a shared paper, or of one of the account's own. */
export const findCitations = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('paper_citation').innerJoin('paper', 'paper.id', 'paper_citation.paper_id').select(['cited', 'cited_by'])
    .where('paper.id', '=', paperId).where(({ eb, or }) => or([eb('account_id', 'is', null), eb('account_id', '=', accountId)]))
    .executeTakeFirst()

/**
 * Adds references to papers, each once, up to the maximum, and keeps the higher count. Each paper may occur once. Neither writes nor locks
 * a row to which nothing is new: a conflict would lock it.
 */
export async function addCitations (db: Db, citations: readonly StatedCitations[]): Promise<void> {
  if (citations.length === 0) return
  // Identifiers contain no spaces.
  const rows = citations.map(({ cited, ...row }) => ({ ...row, cited: cited.join(' ') }))
  await sql`
    insert into paper_citation (paper_id, cited, cited_by)
    select paper_id, stated.cited, stated.cited_by
    from (
      select paper_id, coalesce(string_to_array(nullif(cited, ''), ' '), '{}') as cited, cited_by
      from json_to_recordset(${JSON.stringify(rows)}::json) as each (paper_id uuid, cited text, cited_by integer)
    ) as stated left join paper_citation known using (paper_id)
    where known.paper_id is null or (known.cited <> stated.cited and not known.cited @> stated.cited)
      or stated.cited_by > coalesce(known.cited_by, -1)
    on conflict (paper_id) do update set
      cited = case when paper_citation.cited @> excluded.cited then paper_citation.cited else array(
        select id from unnest(paper_citation.cited || excluded.cited) with ordinality as each (id, place)
        group by id order by min(place) limit ${maxReferences}
      ) end,
      cited_by = greatest(paper_citation.cited_by, excluded.cited_by)
    where not paper_citation.cited @> excluded.cited or excluded.cited_by > coalesce(paper_citation.cited_by, -1)`.execute(db)
}
