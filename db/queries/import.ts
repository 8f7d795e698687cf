import { randomUUID } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../connection.js'
import { SerializationConflict } from '../errors.js'
import type { ProjectPaperTable } from '../tables/feed.js'
import type { PaperTable } from '../tables/papers.js'
import { anyAlikePaper, type SourceId } from './alike-papers.js'
import { anyUuid } from './any-of.js'
import type { ProjectIds } from './ownership.js'
import { estimatedBytes } from './record-bytes.js'
import { retryConflicts } from './retry.js'
import { storedPaperColumns } from './stored-papers.js'

/** A paper to save. The caller creates its id, so that other rows of a batch can refer to it. */
export type PaperValues = Insertable<PaperTable> & { id: string, authors: string, metadata: string, bytes: number }
/** A feed item to add. */
export type ItemValues = Insertable<ProjectPaperTable>

/** Identifiers and title keys by which stored papers can match the records of a batch. */
export interface Identities {
  dois: string[]
  arxivIds: string[]
  pmids: string[]
  pmcids: string[]
  openalexIds: string[]
  sourceIds: SourceId[]
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
    await lockSharedPapers(transaction)
    await beginBatch(transaction, accountId)
    return await run(transaction)
  }))

/** Locks the account's set of papers until the transaction ends. */
export const lockPapers = (transaction: Db, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 0))`.execute(transaction)

/** Locks the set of papers that all accounts share until the transaction ends; before an account's own. */
export const lockSharedPapers = (transaction: Db) =>
  sql`select pg_advisory_xact_lock(hashtextextended('shared papers', 0))`.execute(transaction)

/** Keeps papers from being merged and deleted until the transaction ends. @returns the ids of those that exist */
export async function keepPapers (transaction: Db, ids: readonly string[]): Promise<Set<string>> {
  const kept = await transaction.selectFrom('paper').select('id').where('id', '=', anyUuid(ids)).orderBy('id').forKeyShare().execute()
  return new Set(kept.map(({ id }) => id))
}

/**
 * Keeps shared papers that a batch matched, and that the feed does not contain, until its transaction ends: nothing else may use them, and
 * maintenance deletes those.
 * @throws SerializationConflict if one was deleted, so that the batch starts again
 */
export async function keepSharedPapers (transaction: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  if ((await keepPapers(transaction, ids)).size < ids.length) throw new SerializationConflict()
}

/** The number of papers that the account owns, which no other sees, and their bytes. Reads an index entry for each. */
export async function countOwnPapers (db: Db, accountId: string): Promise<{ papers: number, bytes: number }> {
  const { papers, bytes } = await db.selectFrom('paper')
    .select(({ fn }) => [fn.countAll().as('papers'), fn.sum('bytes').as('bytes')])
    .where('account_id', '=', accountId).executeTakeFirstOrThrow()
  return { papers: Number(papers), bytes: Number(bytes ?? 0) }
}

/** Those of these papers that the account owns. */
export async function findOwnPaperIds (db: Db, accountId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const own = await db.selectFrom('paper').select('id').where('id', '=', anyUuid(ids)).where('account_id', '=', accountId).execute()
  return new Set(own.map(({ id }) => id))
}

/** Adds to the bytes of papers that the account owns, whose references became more and whose records stay as they are. */
export async function addPaperBytes (db: Db, accountId: string, papers: ReadonlyArray<{ id: string, bytes: number }>): Promise<void> {
  if (papers.length === 0) return
  await sql`
    update paper set bytes = paper.bytes + more.bytes
    from json_to_recordset(${JSON.stringify(papers)}::json) as more (id uuid, bytes integer)
    where paper.id = more.id and paper.account_id = ${accountId}`.execute(db)
}

async function beginBatch (transaction: Db, accountId: string): Promise<void> {
  await lockPapers(transaction, accountId)
  // Without statistics, as in a new table, the planner would scan the whole table for every look-up of a batch.
  await sql`select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'jit']) as name`.execute(transaction)
}

/**
 * Ids and bytes of papers, the account's own and shared ones, that have one of these identifiers or title keys, oldest first: `maxAlike` of
 * each owner for each value.
 * @param projectIds of its own papers, those that these projects have in their feeds or found
 */
export const findMatchingPapers = (
  db: Db,
  accountId: string,
  { dois, arxivIds, pmids, pmcids, openalexIds, sourceIds, titleKeys }: Identities,
  projectIds: ProjectIds = null
) =>
  db
    .selectFrom('paper')
    .select(['id', estimatedBytes.as('bytes')])
    .where('id', '=', anyAlikePaper(accountId, {
      doi: dois,
      arxiv_id: arxivIds,
      pmid: pmids,
      pmcid: pmcids,
      openalex_id: openalexIds,
      title_key: titleKeys,
      sourceIds
    }, projectIds))
    .orderBy('created_at').orderBy('id')
    .execute()

/** Inserts papers, or updates those that exist, by id. Never changes the owner. */
export async function savePapers (db: Db, papers: PaperValues[]): Promise<void> {
  if (papers.length === 0) return
  const updated = storedPaperColumns.filter(column => column !== 'id' && column !== 'account_id')
  await sql`
    insert into paper (${sql.join(savedPaperColumns.map(column => sql.ref(column)))}) ${rowsFrom(papers, savedPaperColumns, paperTypes)}
    on conflict (id) do update set
      bytes = greatest(paper.bytes, excluded.bytes),
      ${sql.join(updated.map(column => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))}, updated_at = now()`.execute(db)
}

/** Types of columns, where they are not text. */
type ColumnTypes<Column extends string> =
  Partial<Record<Column, 'uuid' | 'date' | 'timestamptz' | 'float8' | 'smallint' | 'integer' | 'boolean' | 'jsonb'>>

const savedPaperColumns = [...storedPaperColumns, 'bytes'] as const

const paperTypes: ColumnTypes<typeof savedPaperColumns[number]> = {
  id: 'uuid',
  bytes: 'integer',
  account_id: 'uuid',
  published_date: 'date',
  authors: 'jsonb',
  metadata: 'jsonb'
}

/**
 * Selects rows that are sent as one parameter: with a parameter for each value, building, sending and planning a batch takes longer than
 * storing it.
 */
function rowsFrom<Column extends string> (rows: readonly object[], columns: readonly Column[], types: ColumnTypes<Column>) {
  // Columns of JSON have their values as text.
  const selected = columns.map(column => types[column] === 'jsonb' ? sql`${sql.ref(column)}::jsonb` : sql.ref(column))
  const declared = columns.map(column => sql`${sql.ref(column)} ${sql.raw(types[column]?.replace('jsonb', 'text') ?? 'text')}`)
  return sql`select ${sql.join(selected)} from json_to_recordset(${JSON.stringify(rows)}::json) as sent (${sql.join(declared)})`
}

/** Ids of those papers that the project's feed contains. */
export async function findInFeed (db: Db, projectId: string, paperIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('project_paper')
    .select('paper_id')
    .where('project_id', '=', projectId)
    .where('paper_id', '=', anyUuid(paperIds))
    .execute()
  return new Set(rows.map(({ paper_id }) => paper_id))
}

const itemColumns = [
  'id',
  'project_id',
  'paper_id',
  'origin',
  'summary',
  'relevance_score',
  'relevance_class',
  'matching_details',
  'links',
  'personalized_note',
  'ready_at',
  'published_date',
  'import_id',
  'own_library',
  'vote_import_id',
  'vote',
  'voted_at',
  'seen_at'
] as const

const itemTypes: ColumnTypes<typeof itemColumns[number]> = {
  id: 'uuid',
  project_id: 'uuid',
  paper_id: 'uuid',
  relevance_score: 'float8',
  matching_details: 'jsonb',
  links: 'smallint',
  ready_at: 'timestamptz',
  published_date: 'date',
  import_id: 'uuid',
  own_library: 'boolean',
  vote_import_id: 'uuid',
  voted_at: 'timestamptz',
  seen_at: 'timestamptz'
}

/** Adds items to one project's feed, and deletes their candidates. */
export async function addItems (db: Db, items: ItemValues[]): Promise<void> {
  if (items.length === 0) return
  // Others have their defaults.
  const former = await takeCandidates(db, items[0]!.project_id, items)
  const rows = withFormerState(items, former)
  const columns = itemColumns.filter(column => rows.some(row => row[column] !== undefined))
  await sql`
    insert into project_paper (${sql.join(columns.map(column => sql.ref(column)))}) ${rowsFrom(rows, columns, itemTypes)}`.execute(db)
}

/** Deletes the candidates of papers that enter a feed, and returns what they keep from when they were in it before. */
export const takeCandidates = (db: Db, projectId: string, papers: ReadonlyArray<{ paper_id: string }>): Promise<FormerItem[]> =>
  db
    .deleteFrom('candidate')
    .where('project_id', '=', projectId)
    .where('paper_id', '=', anyUuid(papers.map(({ paper_id }) => paper_id)))
    .returning(['paper_id', 'item_id', 'seen_at'])
    .execute()

interface FormerItem { paper_id: string, item_id: string | null, seen_at: Date | null }

/** A paper that returns to a feed has the id that its item had, and is seen if it was. */
export function withFormerState (items: readonly ItemValues[], former: readonly FormerItem[]): ItemValues[] {
  const states = new Map(former.map(each => [each.paper_id, each]))
  const hasIds = former.some(({ item_id }) => item_id !== null)
  return items.map(item => {
    const { item_id = null, seen_at = null } = states.get(item.paper_id) ?? {}
    return {
      ...item,
      ...(hasIds ? { id: item_id ?? randomUUID() } : {}),
      ...(seen_at === null || (item.seen_at && item.seen_at < seen_at) ? {} : { seen_at })
    }
  })
}
