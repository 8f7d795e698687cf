import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { isSharedOrOwn } from './ownership.js'

/** Columns of a paper's record and its owner. */
export const storedPaperColumns = [
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

/** The papers with these ids that are shared or the account's own, oldest first. */
export const readStoredPapers = (db: Db, accountId: string, ids: Iterable<string>) =>
  db.selectFrom('paper').select([...storedPaperColumns, 'bytes']).where('id', '=', anyUuid(ids)).where(isSharedOrOwn(accountId))
    .orderBy('created_at').orderBy('id').execute()

/** A row of readStoredPapers. */
export type StoredPaper = Awaited<ReturnType<typeof readStoredPapers>>[number]

/** The number of items that these papers have in all feeds, counted up to a maximum. */
export async function countItemsOf (db: Db, paperIds: Iterable<string>, max: number): Promise<number> {
  const items = db.selectFrom('project_paper').select('id').where('paper_id', '=', anyUuid(paperIds)).limit(max)
  const { count } = await db.selectFrom(items.as('item')).select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}
