import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { insertBrief, repeatBrief } from './brief-items.js'
import { type ItemDetails, listItems } from './feed.js'
import { preferIndexOrder } from './index-order.js'
import { retryConflicts } from './retry.js'

/** Reader of briefs, with its projects. */
export interface BriefReader {
  /** Each consumer of an account has its own acknowledgements. */
  consumer: string
  /** Only these projects' feeds; undefined: all of the account. */
  projectIds?: readonly string[] | undefined
  /** The projects of the reader's key; undefined: all of the account. */
  visibleProjectIds?: readonly string[] | undefined
}

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

/** A brief that was just saved. */
export interface SavedBrief {
  id: string
  items: ItemDetails[]
  /** Items that the consumer has not acknowledged and that are not in this brief. */
  remaining: number
}

/** Unacknowledged briefs that are kept for each consumer: items of a forgotten brief come again. */
const maxOpenBriefs = 20
/** Consumers of an account, by how their names begin. Each stores what it has acknowledged, and a position in every feed. */
const maxConsumers = new Map([[namedConsumer(''), 20], [keyConsumer(''), 50]])
/** Feeds whose changes one transaction applies to the positions of all consumers: about a thousand rows. */
const changedFeedBatch = 15
/** A feed with more recorded changes has them compacted. */
const maxFeedChanges = 500

/**
 * Acknowledges a brief if one is named, then saves the consumer's next one: the best items of its feeds that it has not acknowledged. A
 * call that gives the items of a recent brief again gives that brief, so that repeating one stores nothing. Calls of one account run one
 * after another, in all processes, so that none gives what another has just acknowledged.
 * @returns without saving: a reason if the brief to acknowledge is missing or another consumer's, all consumers if this is one too many
 */
export async function saveNextBrief (
  db: Db,
  accountId: string,
  reader: BriefReader,
  request: BriefRequest
): Promise<SavedBrief | 'unknown brief' | string[]> {
  for (let attempt = 1; ;) {
    const saved = await chooseNextBrief(db, accountId, reader, request)
    if (saved === 'changes left') continue
    if (typeof saved === 'string' || Array.isArray(saved)) return saved
    const { itemIds, ...brief } = saved
    // After the transaction, for which everyone waits on the embedded database: large records take a while.
    const items = await listItems(db, accountId, itemIds)
    // An item that was merged or left its feed meanwhile would be acknowledged unread.
    if (items.length === itemIds.length || attempt++ === 3) return { ...brief, items }
  }
}

const chooseNextBrief = (db: Db, accountId: string, reader: BriefReader, { acknowledge, limit, now }: BriefRequest) =>
  retryConflicts(() =>
    db.transaction().execute(async transaction => {
      await lockBriefs(transaction, accountId)
      // The planner expects few acknowledged and few outstanding items, and would read all of a feed.
      await preferIndexOrder(transaction)
      if (acknowledge !== undefined && !(await acknowledgeBrief(transaction, accountId, reader, acknowledge, now))) return 'unknown brief'
      const consumers = await listConsumersIfTooMany(transaction, accountId, reader)
      if (consumers.length > 0) return consumers

      // The others of the account and, on the embedded database, everyone else take their turns in between.
      if (await applyChanges(transaction, accountId, reader) === changedFeedBatch) return 'changes left'
      const itemIds = await listOutstanding(transaction, accountId, reader, limit)
      const items = await lockOutstanding(transaction, accountId, reader, itemIds)
      const outstanding = itemIds.length < limit ? items.length : await countOutstanding(transaction, accountId, reader)
      const next = { consumer: reader.consumer, items, now }
      const id = await repeatBrief(transaction, accountId, next) ?? await insertBrief(transaction, accountId, next)
      await deleteOldBriefs(transaction, accountId, reader)
      return { id, itemIds: items.map(({ item_id }) => item_id), remaining: Math.max(outstanding - items.length, 0) }
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
      update brief_position set acknowledged = acknowledged + counted.items from counted
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

/** Identifies a consumer in the items that it has acknowledged. The migration that added them computes the same. */
const readerId = (accountId: string, consumer: string) => sql<string>`md5(${accountId}::uuid::text || ' ' || ${consumer}::text)::uuid`

const ownProjects = (accountId: string, { projectIds }: BriefReader) => sql`
  select project.id from project
  where project.account_id = ${accountId} ${projectIds === undefined ? sql`` : sql`and project.id = ${anyUuid(projectIds)}`}`

/** With a limit here and above, the planner looks each item up by the index, also when its statistics are old. */
const isOutstanding = (accountId: string, { consumer }: BriefReader) => sql<SqlBool>`(
  select true from brief_item
  where brief_item.reader = ${readerId(accountId, consumer)}
    and brief_item.project_id = project_paper.project_id and brief_item.paper_id = project_paper.paper_id limit 1
) is null`

/**
 * Moves the positions of all readers back to what has changed in some of the feeds since the last brief.
 * @returns the number of these feeds, `changedFeedBatch` at most
 */
async function applyChanges (db: Db, accountId: string, reader: BriefReader): Promise<number> {
  const { rows: [applied] } = await sql<{ feeds: number }>`
    with changed as materialized (
      select own.id from (${ownProjects(accountId, reader)}) as own
      where exists (select from feed_change where feed_change.project_id = own.id) limit ${sql.lit(changedFeedBatch)}
    ), noted as (
      delete from feed_change where project_id = any(array(select id from changed)) returning project_id, relevance_score, ready_at
    ), highest as (
      select distinct on (project_id) project_id, relevance_score, ready_at from noted
      order by project_id, relevance_score desc, ready_at desc
    ), moved as (
      update brief_position set relevance_score = highest.relevance_score, ready_at = highest.ready_at,
        acknowledged = case when highest.relevance_score < 'infinity' then acknowledged end
      from highest
      where brief_position.project_id = highest.project_id
        and (brief_position.relevance_score, brief_position.ready_at) < (highest.relevance_score, highest.ready_at)
    )
    select count(*)::integer as feeds from changed`.execute(db)
  return applied!.feeds
}

/**
 * Reads each feed by its index, best first, from the reader's position until there are enough, and moves the position to the first. The
 * time grows neither with the feed nor with what the reader has acknowledged.
 */
async function listOutstanding (db: Db, accountId: string, reader: BriefReader, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with own as materialized (
      select own.id, coalesce(position.relevance_score, 'infinity') as relevance_score, coalesce(position.ready_at, 'infinity') as ready_at
      from (${ownProjects(accountId, reader)}) as own left join brief_position as position
        on position.project_id = own.id and position.reader = ${readerId(accountId, reader.consumer)}
    ), best as materialized (
      select own.id as project_id, item.id, item.relevance_score, item.ready_at from own cross join lateral (
        select project_paper.id, project_paper.relevance_score, project_paper.ready_at from project_paper
        where project_paper.project_id = own.id and ${isOutstanding(accountId, reader)}
          and (project_paper.relevance_score, project_paper.ready_at) <= (own.relevance_score, own.ready_at)
        order by project_paper.relevance_score desc, project_paper.ready_at desc, project_paper.id limit ${limit}
      ) as item
    ), moved as (
      insert into brief_position (reader, project_id, relevance_score, ready_at)
      select distinct on (own.id) ${readerId(accountId, reader.consumer)}, own.id, coalesce(best.relevance_score, '-infinity'),
        coalesce(best.ready_at, '-infinity')
      from own left join best on best.project_id = own.id order by own.id, best.relevance_score desc, best.ready_at desc
      on conflict (reader, project_id) do update set relevance_score = excluded.relevance_score, ready_at = excluded.ready_at
      where (brief_position.relevance_score, brief_position.ready_at) <> (excluded.relevance_score, excluded.ready_at)
    )
    select id from best order by relevance_score desc, ready_at desc, id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
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

/** The items of the feeds, by their tally, less those that the consumer has acknowledged. */
async function countOutstanding (db: Db, accountId: string, reader: BriefReader): Promise<number> {
  const isReaders = sql`reader = ${readerId(accountId, reader.consumer)} and project_id in (${ownProjects(accountId, reader)})`
  await sql`
    update brief_position set acknowledged = (
      select count(*) from (
        select distinct paper_id from brief_item
        where brief_item.reader = brief_position.reader and brief_item.project_id = brief_position.project_id
      ) as acknowledged join project_paper on project_paper.project_id = brief_position.project_id
        and project_paper.paper_id = acknowledged.paper_id
    ) where ${isReaders} and acknowledged is null`.execute(db)
  const { rows: [row] } = await sql<{ outstanding: number }>`
    select (
      select coalesce(sum(change), 0) from feed_tally where measure = 'class' and project_id in (${ownProjects(accountId, reader)})
    ) - (select coalesce(sum(acknowledged), 0) from brief_position where ${isReaders}) as outstanding`.execute(db)
  return Number(row!.outstanding)
}

/** Limits what a consumer that never acknowledges can store. */
async function deleteOldBriefs (db: Db, accountId: string, { consumer }: BriefReader): Promise<void> {
  await db.deleteFrom('brief').where('account_id', '=', accountId).where('consumer', '=', consumer)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('brief').select('id')
        .where('account_id', '=', accountId).where('consumer', '=', consumer).where('acknowledged_at', 'is', null)
        .orderBy('created_at', 'desc').orderBy('id').offset(maxOpenBriefs))
    .execute()
}

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
