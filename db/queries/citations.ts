import { sql } from 'kysely'
import { limitReferences, maxReferencesOfKind } from '../../schemas/references.js'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { keepPapers } from './import.js'
import { type CheckedPaper } from './notice-checks.js'
import { isWatched } from './notices.js'
import { isSharedOrOwn } from './ownership.js'
import { retryConflicts } from './retry.js'
import { workIds } from './signals.js'

/** Citations of a stored paper, as a source states them. */
export interface StatedCitations { paper_id: string, cited: readonly string[], cited_by: number | null }

/** The citations of a shared paper, or of one of the account's own, with its identifiers. */
export const findCitations = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('paper_citation').innerJoin('paper', 'paper.id', 'paper_citation.paper_id').select(['cited', 'cited_by'])
    .select(workIds).where('paper.id', '=', paperId).where(isSharedOrOwn(accountId))
    .executeTakeFirst()

/** The kind of a reference's identifier, as schemas/references.ts tells them apart. */
const kindOf = (id: string) =>
  sql`case when ${sql.ref(id)} like 'W%' then 'openalex' when ${sql.ref(id)} like '10.%' then 'doi' else 'pmid' end`

/** Whether a list has all of another. Unlike `@>` it hashes: a thousand references in another order would take a million comparisons. */
const hasAll = (list: string, other: string) =>
  sql`not exists (select from unnest(${sql.ref(other)}) as wanted (id) where id not in (select unnest(${sql.ref(list)})))`

/**
 * Adds references to papers, each once, up to the maximum of each kind of identifier, and keeps the higher count. Each paper may occur
 * once. Neither writes nor locks a row to which nothing is new: a conflict would lock it.
 * @returns the papers that gained references, and the bytes of those
 */
export async function addCitations (db: Db, citations: readonly StatedCitations[]): Promise<Array<{ id: string, bytes: number }>> {
  if (citations.length === 0) return []
  // Identifiers contain no spaces.
  const rows = citations.map(({ cited, ...row }) => ({ ...row, cited: cited.join(' ') }))
  const { rows: gaining } = await sql<{ id: string, bytes: number }>`
    with stated as (
      select paper_id, coalesce(string_to_array(nullif(cited, ''), ' '), '{}') as cited, cited_by
      from json_to_recordset(${JSON.stringify(rows)}::json) as each (paper_id uuid, cited text, cited_by integer)
    ), news as (
      select paper_id, stated.cited, stated.cited_by,
        array(
          select id from unnest(stated.cited) as each (id)
          where id not in (select unnest(known.cited)) and ${kindOf('id')} = any(array(
            select kind from (values ('openalex'), ('doi'), ('pmid')) as kinds (kind) where ${maxReferencesOfKind} >
              (select count(*) from unnest(known.cited) as other (other_id) where ${kindOf('other_id')} = kind)
          ))
        ) as gained
      from stated left join paper_citation known using (paper_id)
      where known.paper_id is null or (known.cited <> stated.cited and not ${hasAll('known.cited', 'stated.cited')})
        or stated.cited_by > coalesce(known.cited_by, -1)
    ), saved as (
      insert into paper_citation (paper_id, cited, cited_by) select paper_id, cited, cited_by from news
      on conflict (paper_id) do update set
        cited = case when ${hasAll('paper_citation.cited', 'excluded.cited')} then paper_citation.cited else array(
          select id from (
            select id, place, row_number() over (partition by ${kindOf('id')} order by place) as of_kind from (
              select id, min(place) as place from unnest(paper_citation.cited || excluded.cited) with ordinality as each (id, place)
              group by id
            ) distinct_id
          ) ranked where of_kind <= ${maxReferencesOfKind} order by place
        ) end,
        cited_by = greatest(paper_citation.cited_by, excluded.cited_by)
      where not ${hasAll('paper_citation.cited', 'excluded.cited')} or excluded.cited_by > coalesce(paper_citation.cited_by, -1)
    )
    select paper_id as id, octet_length(array_to_string(gained, ' ')) + 1 as bytes from news where cardinality(gained) > 0`.execute(db)
  return gaining
}

/**
 * Service-wide, for the job that asks sources: stores what an index states of papers besides notices: its id of a paper without one, unless
 * another paper of the same owner has the id, and citations. Schedules the feeds whose owners watch a paper that gained something for
 * rescoring, since others in them may cite it or share its references.
 */
export async function saveLinks (db: Db, checked: readonly CheckedPaper[], now: Date): Promise<void> {
  const identified = checked.flatMap(({ id, openalex }) => openalex === undefined ? [] : [{ id, openalex }])
  const cited = checked.flatMap(({ id, citations }) => citations === undefined ? [] : [{ id, ...citations }])
  if (identified.length + cited.length === 0) return
  await retryConflicts(() => db.transaction().execute(async transaction => {
    // A paper may have been merged or deleted since it was listed.
    const stored = await keepPapers(transaction, checked.map(({ id }) => id))
    const { rows: named } = await sql<{ id: string }>`
      update paper set openalex_id = stated.openalex, updated_at = ${now} from (
        select distinct on (paper.account_id, each.openalex) paper.id, each.openalex
        from jsonb_to_recordset(${JSON.stringify(identified)}::jsonb) as each (id uuid, openalex text) join paper on paper.id = each.id
        where not exists (
          select from paper other where other.openalex_id = each.openalex and other.account_id is not distinct from paper.account_id)
        order by paper.account_id, each.openalex, paper.id
      ) stated
      where paper.id = stated.id and paper.openalex_id is null returning paper.id`.execute(transaction)
    const rows = cited.filter(({ id }) => stored.has(id))
      .map(({ id, references, cited_by }) => ({ paper_id: id, cited: limitReferences(references), cited_by }))
    const gaining = [...named.map(({ id }) => id), ...(await addCitations(transaction, rows)).map(({ id }) => id)]
    if (gaining.length === 0) return
    await sql`
      update project set scoring_due_at = ${now} where id in (
        select project_id from project_paper where paper_id = ${anyUuid(gaining)} and ${isWatched('project_paper')})`
      .execute(transaction)
  }))
}
