import { type Insertable, sql } from 'kysely'
import type { Db } from '../connection.js'
import type { ProjectPaperTable } from '../tables/feed.js'
import type { PaperTable } from '../tables/papers.js'
import { retryConflicts } from './retry.js'

/** A paper to save. The caller creates its id, so that other rows of a batch can refer to it. */
export type PaperValues = Insertable<PaperTable> & { id: string, authors: string, metadata: string }
/** A feed item to add. */
export type ItemValues = Insertable<ProjectPaperTable>

/** Identifiers and title keys by which stored papers can match the records of a batch. */
export interface Identities {
  dois: string[]
  arxivIds: string[]
  pmids: string[]
  pmcids: string[]
  openalexIds: string[]
  sourcePaperIds: string[]
  titleKeys: string[]
}

/**
 * Runs a batch of an import in a transaction. Batches of one account run one after another, so that none adds a paper twice. A conflict
 * with another transaction restarts the batch.
 */
export const runImportBatch = <T>(db: Db, accountId: string, run: (transaction: Db) => Promise<T>): Promise<T> =>
  retryConflicts(() => db.transaction().execute(async transaction => {
    await beginBatch(transaction, accountId)
    return await run(transaction)
  }))

/** The same for papers from a source, which all accounts share: batches of all accounts run one after another. */
export const runSharedBatch = <T>(db: Db, accountId: string, run: (transaction: Db) => Promise<T>): Promise<T> =>
  retryConflicts(() => db.transaction().execute(async transaction => {
    await sql`select pg_advisory_xact_lock(hashtextextended('shared papers', 0))`.execute(transaction)
    await beginBatch(transaction, accountId)
    return await run(transaction)
  }))

/** Locks the account's set of papers until the transaction ends. */
export const lockPapers = (transaction: Db, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 0))`.execute(transaction)

async function beginBatch (transaction: Db, accountId: string): Promise<void> {
  await lockPapers(transaction, accountId)
  // Without statistics, as in a new table, the planner would scan the whole table for every look-up of a batch.
  await sql`set local enable_seqscan = off`.execute(transaction)
}

const paperColumns = [
  'id',
  'account_id',
  'slug',
  'title',
  'abstract',
  'authors',
  'published_date',
  'url',
  'pdf_url',
  'doi',
  'venue_name',
  'reference_label',
  'source_name',
  'source_paper_id',
  'arxiv_id',
  'pmid',
  'pmcid',
  'openalex_id',
  'index_url',
  'metadata',
  'title_key'
] as const

/** Papers, the account's own and shared ones, that have one of these identifiers or title keys, oldest first. */
export const findMatchingPapers = (
  db: Db,
  accountId: string,
  { dois, arxivIds, pmids, pmcids, openalexIds, sourcePaperIds, titleKeys }: Identities
) => {
  const within = (column: 'doi' | 'arxiv_id' | 'pmid' | 'pmcid' | 'openalex_id' | 'source_paper_id' | 'title_key', values: string[]) =>
    db
      .selectFrom('paper')
      .select('id')
      .where(column, '=', sql<string>`any(${values}::text[])`)
  return db
    .selectFrom('paper')
    .select(paperColumns)
    .where(
      'id',
      'in',
      within('doi', dois)
        .union(within('arxiv_id', arxivIds))
        .union(within('pmid', pmids))
        .union(within('pmcid', pmcids))
        .union(within('openalex_id', openalexIds))
        .union(within('source_paper_id', sourcePaperIds))
        .union(within('title_key', titleKeys))
    )
    .where(({ eb, or }) => or([eb('account_id', '=', accountId), eb('account_id', 'is', null)]))
    .orderBy('created_at').orderBy('id')
    .execute()
}

/** A row of findMatchingPapers. */
export type MatchingPaper = Awaited<ReturnType<typeof findMatchingPapers>>[number]

/** Inserts papers, or updates those that exist, by id. Never changes the owner. */
export async function savePapers (db: Db, papers: PaperValues[]): Promise<void> {
  if (papers.length === 0) return
  const updated = paperColumns.filter(column => column !== 'id' && column !== 'account_id')
  await db.insertInto('paper').values(papers)
    .onConflict(conflict => conflict.column('id').doUpdateSet(({ ref }) => ({
      ...Object.fromEntries(updated.map(column => [column, ref(`excluded.${column}`)])),
      updated_at: sql<Date>`now()`
    })))
    .execute()
}

/** Ids of those papers that the project's feed contains. */
export async function findInFeed (db: Db, projectId: string, paperIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('project_paper')
    .select('paper_id')
    .where('project_id', '=', projectId)
    .where('paper_id', '=', sql<string>`any(${paperIds}::uuid[])`)
    .execute()
  return new Set(rows.map(({ paper_id }) => paper_id))
}

/** Adds items to one project's feed, and deletes their candidates. */
export async function addItems (db: Db, items: ItemValues[]): Promise<void> {
  if (items.length === 0) return
  await db.insertInto('project_paper').values(items).execute()
  await deleteCandidates(db, items[0]!.project_id, items)
}

/** Deletes the candidates of papers that the feed contains. A paper that was seen in the feed before is seen again. */
export async function deleteCandidates (db: Db, projectId: string, papers: ReadonlyArray<{ paper_id: string }>): Promise<void> {
  const deleted = await db
    .deleteFrom('candidate')
    .where('project_id', '=', projectId)
    .where('paper_id', '=', sql<string>`any(${papers.map(({ paper_id }) => paper_id)}::uuid[])`)
    .returning(['paper_id', 'seen_at'])
    .execute()
  for (const { paper_id, seen_at } of deleted) {
    if (seen_at === null) continue
    await db
      .updateTable('project_paper')
      .set({ seen_at: sql<Date>`least(seen_at, ${seen_at})` })
      .where('project_id', '=', projectId)
      .where('paper_id', '=', paper_id)
      .execute()
  }
}

/** Updates the planner's statistics after a large import, since the embedded database has no autovacuum. */
export const refreshStatistics = (db: Db) => sql`analyze paper, project_paper`.execute(db)
