import { sql } from 'kysely'
import { singleAddition } from '../../schemas/snapshot.js'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { firstId } from './id-range.js'
import { isPaperAfter, readInIndexOrder } from './index-order.js'
import { isOwnProject } from './ownership.js'
import { retryConflicts } from './retry.js'

/** Papers with a source that found each. */
export interface FoundPaper { paper_id: string, source: string }

/**
 * Records which sources found the papers of a project. @param db the transaction that puts the papers into the project
 * @param importId the import whose file states them; null for a fetch
 */
export async function addFoundPapers (
  db: Db,
  projectId: string,
  found: readonly FoundPaper[],
  { now, importId }: { now: Date, importId: string | null }
): Promise<void> {
  const sources = new Map<string, Set<string>>()
  for (const { paper_id, source } of found) sources.set(paper_id, (sources.get(paper_id) ?? new Set()).add(source))
  if (sources.size === 0) return
  // In one order, so that concurrent batches do not wait for each other in a circle.
  const rows = [...sources].sort(([a], [b]) => (a < b ? -1 : 1)).map(([paper_id, names]) => ({ paper_id, sources: [...names].sort() }))
  const statedByImport = sql`${importId}::text is not null`
  await sql`
    insert into found_paper (project_id, paper_id, sources, found_at, fetched_sources, imports)
    select ${projectId}::uuid, paper_id, sources, ${now}::timestamptz, case when ${statedByImport} then '{}' else sources end,
      case when ${statedByImport} then jsonb_build_object(${importId}::text, sources) else '{}' end
    from json_to_recordset(${JSON.stringify(rows)}::json) as found (paper_id uuid, sources text[])
    on conflict (project_id, paper_id) do update
      set sources = ${mergeSources('sources')}, fetched_sources = ${mergeSources('fetched_sources')}, imports = ${unitedImports}
      where not (found_paper.fetched_sources @> excluded.fetched_sources and found_paper.imports @> excluded.imports)`.execute(db)
}

/**
 * Records the source of stored papers that something else than a source adds: for an import, such as of examples, that of their record, as
 * if it had been asked; else they count as single additions. Of those that a source found for the project, it is known already.
 * @param db the transaction that puts the papers into the project
 */
export async function addStoredSources (
  db: Db,
  projectId: string,
  paperIds: readonly string[],
  { now, importId }: { now: Date, importId: string | null }
): Promise<void> {
  const single = sql<string[]>`${importId === null ? [singleAddition] : []}::text[]`
  const stated = importId === null ? single : sql<string[]>`array[source_name]`
  await sql`
    insert into found_paper (project_id, paper_id, sources, found_at, fetched_sources, imports)
    select ${projectId}::uuid, id, ${stated}, ${now}::timestamptz, ${single},
      case when ${importId}::text is null then '{}' else jsonb_build_object(${importId}::text, ${stated}) end
    from paper where id = ${anyUuid(paperIds)} order by id
    on conflict (project_id, paper_id) do nothing`.execute(db)
}

const mergeSources = (column: 'sources' | 'fetched_sources') => {
  const [known, added] = [sql.ref(`found_paper.${column}`), sql.ref(`excluded.${column}`)]
  return sql<string[]>`array(select unnest(${known}) union select unnest(${added}) order by 1)`
}

/** Each import with the sources that it stated in either row. */
const unitedImports = sql`(
  select coalesce(jsonb_object_agg(id, names), '{}') from (
    select id, jsonb_agg(distinct name order by name) as names
    from (select * from jsonb_each(found_paper.imports) union all select * from jsonb_each(excluded.imports)) each_import (id, stated)
    cross join jsonb_array_elements_text(stated) name
    group by id) of_import)`

/** Moves what is known about a duplicate's sources to the kept paper. @param db the transaction that merges them */
export async function mergeFoundPapers (db: Db, keptId: string, duplicateId: string): Promise<void> {
  await sql`
    insert into found_paper (project_id, paper_id, sources, found_at, fetched_sources, imports)
    select project_id, ${keptId}::uuid, sources, found_at, fetched_sources, imports from found_paper where paper_id = ${duplicateId}::uuid
    on conflict (project_id, paper_id) do update
      set sources = ${mergeSources('sources')}, found_at = least(found_paper.found_at, excluded.found_at),
        fetched_sources = ${mergeSources('fetched_sources')}, imports = ${unitedImports}`.execute(db)
  await sql`delete from found_paper where paper_id = ${duplicateId}::uuid`.execute(db)
}

/** The papers of a batch of the account's project, after one of them. */
const papersAfter = (accountId: string, projectId: string, after: string, batchSize: number) => sql`
  select paper_id from found_paper where ${isPaperAfter('found_paper', sql`${projectId}::uuid`, after)}
    and ${isOwnProject(accountId, projectId)}
  order by project_id, paper_id limit ${batchSize}`

/**
 * Keeps what imports stated about the papers of the account's project as if fetches had stated it, a batch at a time: the imports cannot
 * be undone any more, and a file that is imported again and again would add an entry to each of its papers each time.
 */
export async function keepImportedSources (
  db: Db,
  accountId: string,
  { projectId, importIds, batchSize }: { projectId: string, importIds: readonly string[], batchSize: number }
): Promise<void> {
  const ids = sql`${[...importIds]}::text[]`
  for (let last: string | null = firstId; last !== null;) {
    const after: string = last
    const { rows: [batch] } = await retryConflicts(() => readInIndexOrder(db, transaction => sql<{ last: string | null }>`
      with batch as materialized (${papersAfter(accountId, projectId, after, batchSize)}), changed as (
        update found_paper set imports = imports - ${ids}, fetched_sources = array(
          select unnest(fetched_sources)
          union select jsonb_array_elements_text(names) from jsonb_each(imports) each_import (id, names) where id = any(${ids})
          order by 1)
        from batch
        where project_id = ${projectId}::uuid and found_paper.paper_id = batch.paper_id and imports ?| ${ids}
      )
      select (select paper_id from batch order by paper_id desc limit 1) as last`.execute(transaction)))
    last = batch!.last
  }
}

/**
 * Forgets what an import stated about the papers of the account's project, a batch at a time; papers keep what fetches and other imports
 * state.
 */
export async function forgetImportedSources (
  db: Db,
  accountId: string,
  { projectId, importId, batchSize }: { projectId: string, importId: string, batchSize: number }
): Promise<void> {
  const others = sql`imports - ${importId}::text`
  for (let last: string | null = firstId; last !== null;) {
    const after: string = last
    const { rows: [batch] } = await retryConflicts(() => readInIndexOrder(db, transaction => sql<{ last: string | null }>`
      with batch as materialized (${papersAfter(accountId, projectId, after, batchSize)}), stated as materialized (
        select found_paper.paper_id, fetched_sources = '{}' and ${others} = '{}' as by_nothing_else
        from found_paper join batch using (paper_id)
        where project_id = ${projectId}::uuid and imports ? ${importId}::text
      ), deleted as (
        delete from found_paper using stated
        where project_id = ${projectId}::uuid and found_paper.paper_id = stated.paper_id and stated.by_nothing_else
      ), changed as (
        update found_paper set imports = ${others}, sources = array(
          select unnest(fetched_sources)
          union select jsonb_array_elements_text(names) from jsonb_each(${others}) other (id, names)
          order by 1)
        from stated where project_id = ${projectId}::uuid and found_paper.paper_id = stated.paper_id and not stated.by_nothing_else
      )
      select (select paper_id from batch order by paper_id desc limit 1) as last`.execute(transaction)))
    last = batch!.last
  }
}
