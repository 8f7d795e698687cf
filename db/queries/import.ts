import { type Insertable, sql } from 'kysely'
import type { Db } from '../connection.js'
import { SerializationConflict } from '../errors.js'
import type { ProjectPaperTable } from '../tables/feed.js'
import type { PaperTable } from '../tables/papers.js'

/** A paper's row with everything that describes it; ids are made by the caller, so that a batch can refer to its own papers. */
export type PaperValues = Insertable<PaperTable> & { id: string, authors: string, metadata: string }
export type ItemValues = Insertable<ProjectPaperTable>

/** What may tell that a record is there already. */
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
 * Runs one batch of an import. Imports of one account wait for each other, so that none adds what another is adding;
 * the batch is applied as a whole or not at all.
 */
export const importBatch = <T>(db: Db, accountId: string, run: (transaction: Db) => Promise<T>): Promise<T> =>
  again(() => db.transaction().execute(async transaction => {
    await beginBatch(transaction, accountId)
    return await run(transaction)
  }))

/** The same for papers from a source, which are everybody's: batches of all accounts wait for each other. */
export const sharedBatch = <T>(db: Db, accountId: string, run: (transaction: Db) => Promise<T>): Promise<T> =>
  again(() => db.transaction().execute(async transaction => {
    await sql`select pg_advisory_xact_lock(hashtextextended('shared papers', 0))`.execute(transaction)
    await beginBatch(transaction, accountId)
    return await run(transaction)
  }))

/** How often a batch is applied that the database took back, since it and another waited for each other. */
const tries = 5

async function again<T> (apply: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply()
    } catch (error) {
      if (!(error instanceof SerializationConflict) || attempt === tries) throw error
    }
  }
}

/** Lets nobody else add to, or remove from, what papers the account has until the transaction ends. */
export const lockPapers = (transaction: Db, accountId: string) => sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 0))`.execute(transaction)

async function beginBatch (transaction: Db, accountId: string): Promise<void> {
  await lockPapers(transaction, accountId)
  // A new table has no statistics yet, and the look-ups of a batch would read all of it again and again.
  await sql`set local enable_seqscan = off`.execute(transaction)
}

const described = [
  'id', 'account_id', 'slug', 'title', 'abstract', 'authors', 'published_date', 'url', 'pdf_url', 'doi', 'venue_name', 'reference_label', 'source_name',
  'source_paper_id', 'arxiv_id', 'pmid', 'pmcid', 'openalex_id', 'index_url', 'metadata', 'title_key'
] as const

/** The account's own papers, and shared ones, that could be one of these, oldest first. */
export const findSame = (db: Db, accountId: string, { dois, arxivIds, pmids, pmcids, openalexIds, sourcePaperIds, titleKeys }: Identities) => {
  const within = (column: 'doi' | 'arxiv_id' | 'pmid' | 'pmcid' | 'openalex_id' | 'source_paper_id' | 'title_key', values: string[]) =>
    db.selectFrom('paper').select('id').where(column, '=', sql<string>`any(${values}::text[])`)
  return db.selectFrom('paper').select(described)
    .where('id', 'in', within('doi', dois).union(within('arxiv_id', arxivIds)).union(within('pmid', pmids)).union(within('pmcid', pmcids)).union(within('openalex_id', openalexIds)).union(within('source_paper_id', sourcePaperIds)).union(within('title_key', titleKeys)))
    .where(({ eb, or }) => or([eb('account_id', '=', accountId), eb('account_id', 'is', null)]))
    .orderBy('created_at').orderBy('id')
    .execute()
}

export type SamePaper = Awaited<ReturnType<typeof findSame>>[number]

/** Adds papers, and replaces those that are there, by id. */
export async function savePapers (db: Db, papers: PaperValues[]): Promise<void> {
  if (papers.length === 0) return
  const changing = described.filter(column => column !== 'id' && column !== 'account_id')
  await db.insertInto('paper').values(papers)
    .onConflict(conflict => conflict.column('id').doUpdateSet(({ ref }) => ({
      ...Object.fromEntries(changing.map(column => [column, ref(`excluded.${column}`)])),
      updated_at: sql<Date>`now()`
    })))
    .execute()
}

/** Which of these papers the project's feed has. */
export async function findInFeed (db: Db, projectId: string, paperIds: string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('project_paper').select('paper_id').where('project_id', '=', projectId).where('paper_id', '=', sql<string>`any(${paperIds}::uuid[])`).execute()
  return new Set(rows.map(({ paper_id }) => paper_id))
}

/** Adds items to one project's feed. */
export async function addItems (db: Db, items: ItemValues[]): Promise<void> {
  if (items.length === 0) return
  await db.insertInto('project_paper').values(items).execute()
  await removeCandidates(db, items[0]!.project_id, items)
}

/** What is in the feed is no candidate any more. */
export const removeCandidates = (db: Db, projectId: string, papers: ReadonlyArray<{ paper_id: string }>) =>
  db.deleteFrom('candidate').where('project_id', '=', projectId).where('paper_id', '=', sql<string>`any(${papers.map(({ paper_id }) => paper_id)}::uuid[])`).execute()

/** Tells the planner what has come in; the embedded database has no process that does so by itself. */
export const refreshStatistics = (db: Db) => sql`analyze paper, project_paper`.execute(db)
