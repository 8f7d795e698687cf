import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { countAcknowledged, countOutstanding } from './brief-count.js'
import { insertBrief, repeatBrief } from './brief-items.js'
import {
  applyChanges, bestItems, type BriefReader, type BriefScan, type BriefStep, changedFeedBatch, isOutstanding, isUnfinished, readerId,
  scanFeeds
} from './brief-scan.js'
import { preferIndexOrder } from './index-order.js'
import { retryConflicts } from './retry.js'

/** Consumers that callers name. Those of keys begin with other letters. */
export const namedConsumer = (name: string): string => `name ${name}`

/** The consumer of a key that names none. */
export const keyConsumer = (keyId: string): string => `key ${keyId}`

/** Whether the key of a consumer is deleted, as a condition on a column `consumer`. */
export const isOfDeletedKey = sql<boolean>`(consumer like ${`${keyConsumer('')}%`} and not exists (
  select from mcp_key
  where mcp_key.id =
    case when consumer like ${`${keyConsumer('')}%`} then substr(consumer, ${keyConsumer('').length + 1}::integer)::uuid end))`

/** Request of a consumer. */
export interface BriefRequest {
  /** The id of a brief whose items need not come again. */
  acknowledge?: string | undefined
  limit: number
  now: Date
}

/** Reads items in their order, each with the id of its paper. */
type ReadItems<Item> = (itemIds: string[]) => Promise<Array<Item & { item_id: string, id: string }>>

/** A brief that was just saved. */
export interface SavedBrief<Item> {
  id: string
  items: Item[]
  /** Items that the consumer has not acknowledged and that are not in this brief. */
  remaining: number
}

/** Unacknowledged briefs that are kept for each consumer: items of a forgotten brief come again. */
const maxOpenBriefs = 20
/** The same of keys that see different projects. */
const maxBriefsOfKeys = 100
/** Others that one call deletes, with their items: more than it saves. */
const maxDeletedBriefs = 10
/** Consumers of an account, by how their names begin. Each stores what it has acknowledged, and a position in every feed. */
const maxConsumers = new Map([[namedConsumer(''), 20], [keyConsumer(''), 50]])
/** Reading takes about 20 ms, counting 70 (embedded). */
const defaultStep: BriefStep = { items: 2500, itemsOfFeed: 20 }
/** Steps of a call, after which they become larger: an item that leaves a feed begins its count again. */
const maxSteps = 50
/** Items of the largest steps. */
const maxStepItems = 5000
/** A feed with more recorded changes has them compacted. */
const maxFeedChanges = 500

/**
 * Acknowledges a brief if one is named, then saves the consumer's next one: the best items of its feeds that it has not acknowledged. A
 * call that gives the items of a recent brief again gives that brief, so that repeating one stores nothing. Calls of one account run one
 * after another, in all processes, so that none gives what another has just acknowledged.
 * @param read reads the items of the brief
 * @returns without saving: a reason if the brief to acknowledge is missing or another consumer's, all consumers if this is one too many
 */
export async function saveNextBrief<Item> (
  db: Db,
  accountId: string,
  reader: BriefReader,
  request: BriefRequest,
  read: ReadItems<Item>,
  step: BriefStep = defaultStep
): Promise<SavedBrief<Item> | 'unknown brief' | string[]> {
  let scan: BriefScan | undefined
  for (let [attempt, steps] = [1, 0]; ; steps++) {
    // A feed that keeps changing is read in fewer, larger steps.
    const items = Math.min(step.items * 2 ** Math.floor(steps / maxSteps), maxStepItems)
    const saved = await chooseNextBrief(db, accountId, reader, request, { scan, step: { ...step, items } })
    if (typeof saved === 'string' || Array.isArray(saved)) return saved
    if ('scan' in saved) {
      scan = saved.scan
      continue
    }
    const { papers, ...brief } = saved
    // After the transaction, for which everyone waits on the embedded database: large records take a while.
    const listed = await read([...papers.keys()])
    // An item that left its feed meanwhile would be acknowledged unread, and one that a merge made another paper may have been before.
    const areSame = listed.length === papers.size && listed.every(({ item_id, id }) => papers.get(item_id) === id)
    if (areSame || attempt++ === 3) return { ...brief, items: listed }
    scan = undefined
  }
}

/** @returns a scan: the others of the account and, on the embedded database, everyone else take their turns before the next step */
const chooseNextBrief = (
  db: Db,
  accountId: string,
  reader: BriefReader,
  { acknowledge, limit, now }: BriefRequest,
  { scan, step }: { scan: BriefScan | undefined, step: BriefStep }
) =>
  retryConflicts(() =>
    db.transaction().execute(async transaction => {
      await lockBriefs(transaction, accountId)
      // The planner expects few acknowledged and few outstanding items, and would read all of a feed.
      await preferIndexOrder(transaction)
      if (acknowledge !== undefined && !(await acknowledgeBrief(transaction, accountId, reader, acknowledge, now))) return 'unknown brief'
      const consumers = await listConsumersIfTooMany(transaction, accountId, reader)
      if (consumers.length > 0) return consumers

      if (await applyChanges(transaction, accountId, reader) === changedFeedBatch) return { scan }
      const read = await scanFeeds(transaction, accountId, reader, { limit, step, scan })
      if (isUnfinished(read, reader, limit)) return { scan: read }
      const itemIds = bestItems(read, limit).map(({ id }) => id)
      const items = await lockOutstanding(transaction, accountId, reader, itemIds)
      if (items.length < itemIds.length) return { scan: undefined }
      const outstanding = itemIds.length < limit ? items.length : await countOutstanding(transaction, accountId, reader)
      if (outstanding === undefined) {
        await countAcknowledged(transaction, accountId, reader, step)
        return { scan: read }
      }
      const next = { consumer: reader.consumer, items, now }
      const id = await repeatBrief(transaction, accountId, next) ?? await insertBrief(transaction, accountId, next)
      await deleteOldBriefs(transaction, accountId, reader)
      return { id, papers: new Map(items.map(item => [item.item_id, item.id])), remaining: Math.max(outstanding - items.length, 0) }
    })
  )

/**
 * Idempotent: the first acknowledgement counts, and each item is kept in the first brief that it was acknowledged in. A brief with items of
 * projects that the reader's key cannot see is unknown to it.
 */
async function acknowledgeBrief (
  db: Db,
  accountId: string,
  { consumer, visibleProjectIds }: BriefReader,
  briefId: string,
  now: Date
): Promise<boolean> {
  if (visibleProjectIds !== undefined) {
    const hidden = await db.selectFrom('brief_item').select('brief_id').where('brief_id', '=', briefId)
      .where('project_id', '<>', sql<string>`all(${[...visibleProjectIds]}::uuid[])`).limit(1).executeTakeFirst()
    if (hidden !== undefined) return false
  }
  const reader = readerId(accountId, consumer)
  const isAcknowledged = sql`(
    select true from brief_item earlier
    where earlier.reader = ${reader} and earlier.project_id = brief_item.project_id and earlier.paper_id = brief_item.paper_id limit 1
  ) is not null`
  const { rows } = await sql`
    with acknowledged as (
      update brief set acknowledged_at = coalesce(acknowledged_at, ${now})
      where account_id = ${accountId} and consumer = ${consumer} and id = ${briefId} returning id
    ), marked as (
      update brief_item set reader = ${reader}
      where brief_id = (select id from acknowledged) and reader is null and not ${isAcknowledged}
      returning project_id, paper_id
    ), repeated as (
      delete from brief_item where brief_id = (select id from acknowledged) and reader is null and ${isAcknowledged}
    ), counted as (
      select project_id, count(*)::integer as items from marked
      where exists (
        select from project_paper where project_paper.project_id = marked.project_id and project_paper.paper_id = marked.paper_id
      ) group by project_id
    ), moved as (
      update brief_position set counted_through = null,
        acknowledged = case when acknowledged >= 0 then acknowledged + counted.items end
      from counted
      where brief_position.reader = ${reader} and brief_position.project_id = counted.project_id
    )
    select id from acknowledged`.execute(db)
  return rows.length > 0
}

/**
 * Names the consumers that callers named, or those of keys that exist, if this one is too many of its kind. Looks names up one by one along
 * an index: a consumer may have many briefs.
 */
async function listConsumersIfTooMany (db: Db, accountId: string, { consumer }: BriefReader): Promise<string[]> {
  const limited = [...maxConsumers].find(([prefix]) => consumer.startsWith(prefix))
  if (limited === undefined) return []
  const [prefix, max] = limited
  const first = (after: RawBuilder<unknown>) => sql`(
    select brief.consumer from brief where brief.account_id = ${accountId} and ${after} order by brief.consumer limit 1)`
  const { rows } = await sql<{ consumer: string }>`
    with recursive known (consumer) as (
      select ${first(sql`true`)}
      union all
      select ${first(sql`brief.consumer > known.consumer`)} from known where known.consumer is not null
    )
    select consumer from known where consumer like ${`${prefix}%`} and not ${isOfDeletedKey}`.execute(db)
  return rows.length < max || rows.some(row => row.consumer === consumer) ? [] : rows.map(row => row.consumer.slice(prefix.length))
}

/** These items, best first, without those that a merge has meanwhile made a paper that the consumer has acknowledged. */
async function lockOutstanding (db: Db, accountId: string, reader: BriefReader, itemIds: readonly string[]) {
  if (itemIds.length === 0) return []
  const rows = await db.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id as item_id', 'project_paper.project_id', 'paper.id'])
    .where('project_paper.id', '=', anyUuid(itemIds))
    .where(isOutstanding(accountId, reader))
    // A merge of one of these papers waits, or is complete.
    .forKeyShare('paper').execute()
  const locked = new Map(rows.map(row => [row.item_id, row]))
  return itemIds.flatMap(id => locked.get(id) ?? [])
}

/**
 * Limits what a consumer that never acknowledges can store. A reader that cannot see all projects counts and deletes only briefs without
 * items of others, until keys for different projects together reach a limit for all. The arrays make the database find the ids once, and
 * only those briefs: without statistics, it would do so for each brief of the consumer.
 */
async function deleteOldBriefs (db: Db, accountId: string, { consumer, visibleProjectIds }: BriefReader): Promise<void> {
  const newest = db.selectFrom('brief').select(['brief.id', 'brief.created_at'])
    .where('account_id', '=', accountId).where('consumer', '=', consumer).where('acknowledged_at', 'is', null)
    .orderBy('created_at', 'desc').orderBy('id')
  const deleteIn = async (briefs: typeof newest) =>
    await db.deleteFrom('brief').where('id', '=', sql<string>`any(array(select id from (${briefs}) old))`).execute()
  if (visibleProjectIds === undefined) {
    await deleteIn(newest.offset(maxOpenBriefs).limit(maxDeletedBriefs))
    return
  }
  await deleteIn(newest.offset(maxBriefsOfKeys).limit(maxDeletedBriefs))
  await deleteIn(db.selectFrom(newest.limit(maxBriefsOfKeys).as('brief')).select(['brief.id', 'brief.created_at'])
    .where(({ not }) => not(hasHiddenItems(visibleProjectIds)))
    .orderBy('created_at', 'desc').orderBy('id').offset(maxOpenBriefs).limit(maxDeletedBriefs))
}

/** Whether a row of `brief` has items of other projects than these, as an SQL condition. */
const hasHiddenItems = (visibleProjectIds: readonly string[]) => sql<SqlBool>`exists (
  select from brief_item where brief_item.brief_id = brief.id and brief_item.project_id <> all(${[...visibleProjectIds]}::uuid[]) offset 0)`

/** Service-wide upkeep: the projects for whose feed triggers recorded many changes. */
export const listLongFeedChanges = (db: Db) =>
  db.selectFrom('feed_change').innerJoin('project', 'project.id', 'feed_change.project_id')
    .select(['project_id', 'account_id']).groupBy(['project_id', 'account_id'])
    .having(({ fn }) => fn.countAll(), '>', maxFeedChanges).execute()

/** Keeps the highest of the changes that triggers recorded for the account's feed. */
export const compactFeedChanges = (db: Db, accountId: string, projectId: string): Promise<void> =>
  db.transaction().execute(async transaction => {
    await lockBriefs(transaction, accountId)
    // A deletion of the project waits, or is complete: it would miss the row that is inserted here.
    const project = await transaction.selectFrom('project').select('id').where('id', '=', projectId).where('account_id', '=', accountId)
      .forKeyShare().executeTakeFirst()
    if (project === undefined) return
    await sql`
      with noted as (delete from feed_change where project_id = ${projectId} returning project_id, relevance_score, ready_at)
      insert into feed_change (project_id, relevance_score, ready_at)
        select project_id, relevance_score, ready_at from noted order by relevance_score desc, ready_at desc limit 1`.execute(transaction)
  })

/** Waits until no other transaction saves a brief of the account, or changes what the next one begins with. */
const lockBriefs = (db: Db, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`brief ${accountId}`}, 0))`.execute(db)
