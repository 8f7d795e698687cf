import { sql, type SqlBool } from 'kysely'
import type { Db } from '../connection.js'
import type { ZoteroItemTable } from '../tables/zotero.js'
import { anyText, anyUuid } from './any-of.js'
import { selectItems } from './feed.js'
import { readInIndexOrder, walkInIndexOrder } from './index-order.js'
import { isOwnProject } from './ownership.js'

/** A library as a project of an account knows it. */
export interface KnownLibrary { projectId: string, library: string }

/** An item that a project knows. */
export interface KnownItem {
  item_key: string
  paper_id: string | null
  state: ZoteroItemTable['state']
  target: string | null
  identities?: string[]
}

const columns = ['item_key', 'paper_id', 'state', 'target', 'identities'] as const

const selectKnown = (db: Db, accountId: string, { projectId, library }: KnownLibrary) =>
  db.selectFrom('zotero_item').select(columns).where('project_id', '=', projectId).where('library', '=', library)
    .where(isOwnProject(accountId, projectId))

/** Those of these items that the account's project knows. */
export const findZoteroItems = (db: Db, accountId: string, known: KnownLibrary, keys: readonly string[]) =>
  selectKnown(db, accountId, known).where('item_key', '=', anyText(keys)).execute()

/** Number of items that the account's project knows. */
export const countZoteroItems = async (db: Db, accountId: string, { projectId, library }: KnownLibrary): Promise<number> =>
  Object.values(await countZoteroStates(db, accountId, projectId, library)).reduce((sum, items) => sum + items, 0)

/** Items that one statement counts, so that others run in between: a library can have hundreds of thousands. */
const countedPerStatement = 5000

type StateCounts = Partial<Record<ZoteroItemTable['state'], number>>

/**
 * Numbers of items that the account's project knows, by state. Counts them in the order in which they were added, which is about that of
 * the table: in the order of their keys, each would be on another page.
 * @param library undefined: all that the project ever synced
 */
export async function countZoteroStates (db: Db, accountId: string, projectId: string, library?: string): Promise<StateCounts> {
  const counts: StateCounts = {}
  for (let last: ItemPosition | null | undefined; last !== null;) {
    const { rows: [slice] } = await readInIndexOrder(db, transaction => sql<{ counts: StateCounts, last: ItemPosition | null }>`
      with slice as materialized (
        select created_at, library, item_key, state, row_number() over (order by created_at, library, item_key) as place
        from zotero_item where project_id = ${projectId} and ${isOwnProject(accountId, projectId)} and ${isAfter(last)}
        order by created_at, library, item_key limit ${sql.lit(countedPerStatement)}
      )
      select
        (select coalesce(jsonb_object_agg(state, items), '{}') from (
          select state, count(*) as items from slice where ${library === undefined ? sql`true` : sql`library = ${library}`} group by state
        ) counted) as counts,
        (select jsonb_build_object('created_at', created_at, 'library', library, 'item_key', item_key) from slice
          where place = ${sql.lit(countedPerStatement)}) as last`.execute(transaction))
    for (const [state, items] of Object.entries(slice!.counts) as Array<[ZoteroItemTable['state'], number]>) {
      counts[state] = (counts[state] ?? 0) + items
    }
    last = slice!.last
  }
  return counts
}

/** Where an item is in the order in which they were added. The time is as JSON has it. */
interface ItemPosition { created_at: string, library: string, item_key: string }

const isAfter = (last: ItemPosition | undefined | null) => last === undefined || last === null
  ? sql`true`
  : sql`(created_at, library, item_key) > (${last.created_at}::timestamptz, ${last.library}::text, ${last.item_key}::text)`

/** Items to create, interrupted ones first. */
export const listZoteroItemsToSend = (db: Db, accountId: string, known: KnownLibrary, limit: number) =>
  // A literal, as in the partial index.
  selectKnown(db, accountId, known).where(sql<boolean>`state = 'sending'`).orderBy('created_at').orderBy('item_key').limit(limit).execute()

/** Items without a paper that have one of these identities, which papers that are no one work can share. */
const maxUnlinkedItems = 1000

/** Items of the target collection without a paper, with what identifies them. */
export const listUnlinkedZoteroItems = (db: Db, accountId: string, known: KnownLibrary, identities: readonly string[]) =>
  // Literals, as in the partial index.
  selectKnown(db, accountId, known).where('paper_id', 'is', null).where(sql<boolean>`state = 'known'`)
    .where(sql<boolean>`identities && ${[...identities]}::text[]`).limit(maxUnlinkedItems).execute()

/** Adds items that a project of the account learned of, or replaces what it knew. @returns their number */
export async function saveZoteroItems (
  db: Db,
  accountId: string,
  { projectId, library }: KnownLibrary,
  items: readonly KnownItem[]
): Promise<number> {
  if (items.length === 0) return 0
  const rows = items.map(({ item_key, paper_id, state, target, identities = [] }) => ({ item_key, paper_id, state, target, identities }))
  // A project that stopped syncing meanwhile gets none.
  const { numAffectedRows = 0n } = await sql`
    insert into zotero_item (project_id, library, item_key, paper_id, state, target, identities)
    select ${projectId}::uuid, ${library}, item.item_key, item.paper_id, item.state, item.target, item.identities
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as item (item_key text, paper_id uuid, state text, target text, identities text[])
    where ${isOwnProject(accountId, projectId)}
      and exists (select from zotero_sync where zotero_sync.project_id = ${projectId}::uuid and zotero_sync.library = ${library})
    on conflict (project_id, library, item_key) do update
    set paper_id = excluded.paper_id, state = excluded.state, target = excluded.target, identities = excluded.identities`.execute(db)
  return Number(numAffectedRows)
}

/** Forgets items that were to be created. */
export const deleteZoteroItems = (db: Db, accountId: string, { projectId, library }: KnownLibrary, keys: readonly string[]) =>
  db.deleteFrom('zotero_item').where('project_id', '=', projectId).where('library', '=', library).where(isOwnProject(accountId, projectId))
    .where('item_key', '=', anyText(keys)).execute()

/** Keys of deleted items in one statement: a library may have hundreds of thousands. */
const maxDeletedKeys = 1000

/** Marks items as deleted in Zotero: their papers are not sent again. Forgets those without a paper. */
export async function markZoteroItemsDeleted (
  db: Db,
  accountId: string,
  { projectId, library }: KnownLibrary,
  keys: readonly string[]
): Promise<void> {
  for (let from = 0; from < keys.length; from += maxDeletedKeys) {
    const anyKey = anyText(keys.slice(from, from + maxDeletedKeys))
    await db.deleteFrom('zotero_item').where('project_id', '=', projectId).where('library', '=', library)
      .where(isOwnProject(accountId, projectId)).where('item_key', '=', anyKey).where('paper_id', 'is', null).execute()
    await db.updateTable('zotero_item').set({ state: 'deleted' }).where('project_id', '=', projectId).where('library', '=', library)
      .where(isOwnProject(accountId, projectId)).where('item_key', '=', anyKey).execute()
  }
}

/** The account's items of starred papers in a project, last starred first, `batchSize` at a time. */
export const walkStarred = (db: Db, accountId: string, projectId: string, batchSize: number) =>
  walkInIndexOrder(db, (transaction, last: { voted_at: Date, paper_id: string } | undefined) => transaction
    .selectFrom('project_paper').select(['id', 'paper_id', sql<Date>`voted_at`.as('voted_at')])
    .where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    // Literals, as in the index of liked papers.
    .where(sql<SqlBool>`vote in ('star', 'upvote') and vote = 'star'`)
    .$if(last !== undefined, query => query.where(sql<SqlBool>`(voted_at <= ${last!.voted_at}
      and (voted_at < ${last!.voted_at} or paper_id > ${last!.paper_id}))`))
    .orderBy('voted_at', 'desc').orderBy('paper_id').limit(batchSize).execute())

/**
 * `limit` of these items of the account's project that its target collection does not contain: without those that Zotero rejected, or
 * that were deleted there. `existing` is an item of the paper in the library that this or another project of the account knows.
 */
export const listPapersToPlace = (
  db: Db,
  accountId: string,
  { projectId, library }: KnownLibrary,
  target: string,
  { itemIds, limit }: { itemIds: readonly string[], limit: number }
) =>
  selectItems(db, accountId)
    .select(
      sql<{ item_key: string, state: 'imported' | 'known' | 'sent' } | null>`(
        select jsonb_build_object('item_key', known.item_key,
          'state', case when known.project_id = ${projectId}::uuid then known.state else 'known' end)
        from zotero_item known join project other on other.id = known.project_id
        where other.account_id = ${accountId}::uuid and known.library = ${library} and known.paper_id = project_paper.paper_id
          and known.state in ('imported', 'known', 'sent')
        order by known.project_id = ${projectId}::uuid desc, known.item_key limit 1)`.as('existing')
    )
    .where('project_paper.project_id', '=', projectId)
    .where('project_paper.id', '=', anyUuid(itemIds))
    .where('project_paper.vote', '=', 'star')
    // With a limit, the planner looks each paper up by the index, also when its statistics are old.
    .where(
      sql<boolean>`(
        select true from zotero_item known
        where known.project_id = ${projectId}::uuid and known.library = ${library} and known.paper_id = project_paper.paper_id
          and (known.target = ${target} or known.state in ('sending', 'refused', 'deleted')) limit 1) is null`
    )
    .limit(limit)
    .execute()

/** The papers of these ids in the account's project. */
export const listPapersToSend = (db: Db, accountId: string, projectId: string, paperIds: readonly string[]) =>
  selectItems(db, accountId).where('project_paper.project_id', '=', projectId)
    .where('project_paper.paper_id', '=', anyUuid(paperIds)).execute()
