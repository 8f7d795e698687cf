import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { type ItemDetails, selectItems } from './feed.js'
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

/** Consumers that callers name. Those of keys, as many as keys exist, begin with other letters. */
export const namedConsumer = (name: string): string => `name ${name}`

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

/** Unacknowledged briefs that are kept for each consumer; items of a forgotten one come again. */
const maxOpenBriefs = 100
const maxConsumers = 100

/**
 * Acknowledges a brief if one is named, then saves the consumer's next one: the best items of its feeds that it has not acknowledged. Calls
 * of one consumer run one after another, in all processes, so that none gives what another has just acknowledged.
 * @returns a reason, and saves nothing, if the brief to acknowledge is missing or another consumer's, or the consumer is one too many
 */
export const saveNextBrief = (
  db: Db,
  accountId: string,
  reader: BriefReader,
  { acknowledge, limit, now }: BriefRequest
): Promise<SavedBrief | 'unknown brief' | 'too many consumers'> =>
  retryConflicts(() =>
    db.transaction().execute(async transaction => {
      const { consumer } = reader
      await sql`select pg_advisory_xact_lock(hashtextextended(${`brief ${accountId} ${consumer}`}, 0))`.execute(transaction)
      if (acknowledge !== undefined && !(await acknowledgeBrief(transaction, accountId, reader, acknowledge, now))) return 'unknown brief'
      if (await isConsumerTooMany(transaction, accountId, reader)) return 'too many consumers'

      const items = await listOutstanding(transaction, accountId, reader, limit)
      const outstanding = await countOutstanding(transaction, accountId, reader)
      const { id } = await transaction
        .insertInto('brief')
        .values({ account_id: accountId, consumer, created_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (items.length > 0) {
        await transaction
          .insertInto('brief_item')
          .values(items.map(({ project_id, id: paper_id }) => ({ brief_id: id, project_id, paper_id })))
          .execute()
      }
      await deleteOldBriefs(transaction, accountId, reader)
      return { id, items, remaining: Math.max(outstanding - items.length, 0) }
    })
  )

/** Idempotent: the first acknowledgement counts. A brief with items of projects that the reader's key cannot see is unknown to it. */
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
  const acknowledged = await db.updateTable('brief').set({ acknowledged_at: sql<Date>`coalesce(acknowledged_at, ${now})` })
    .where('account_id', '=', accountId).where('consumer', '=', consumer).where('id', '=', briefId).returning('id').executeTakeFirst()
  if (acknowledged === undefined) return false
  await db
    .updateTable('brief_item')
    .set({ reader: readerId(accountId, consumer) })
    .where('brief_id', '=', briefId)
    .where('reader', 'is', null)
    .execute()
  return true
}

/** Counts the consumers that callers named. Looks names up one by one along an index: a consumer may have many briefs. */
async function isConsumerTooMany (db: Db, accountId: string, { consumer }: BriefReader): Promise<boolean> {
  if (!consumer.startsWith(namedConsumer(''))) return false
  const first = (after: RawBuilder<unknown>) => sql`(
    select brief.consumer from brief where brief.account_id = ${accountId} and ${after} order by brief.consumer limit 1)`
  const { rows } = await sql<{ consumer: string | null }>`
    with recursive known (consumer) as (
      select ${first(sql`brief.consumer like ${`${namedConsumer('')}%`}`)}
      union all
      select ${first(sql`brief.consumer > known.consumer and brief.consumer like ${`${namedConsumer('')}%`}`)}
      from known where known.consumer is not null
    )
    select consumer from known where consumer is not null limit ${maxConsumers}`.execute(db)
  return rows.length === maxConsumers && !rows.some(row => row.consumer === consumer)
}

/** Identifies a consumer in the items that it has acknowledged. The migration that added them computes the same. */
const readerId = (accountId: string, consumer: string) => sql<string>`md5(${accountId}::uuid::text || ' ' || ${consumer}::text)::uuid`

const ownProjects = (accountId: string, { projectIds }: BriefReader) => sql`
  select project.id from project
  where project.account_id = ${accountId} ${projectIds === undefined ? sql`` : sql`and project.id = any(${[...projectIds]}::uuid[])`}`

/** With a limit, the planner looks each item up by the index, also when its statistics are old. */
const isOutstanding = (accountId: string, { consumer }: BriefReader) => sql<SqlBool>`(
  select true from brief_item
  where brief_item.reader = ${readerId(accountId, consumer)}
    and brief_item.project_id = project_paper.project_id and brief_item.paper_id = project_paper.paper_id limit 1
) is null`

/** Reads each feed by its index, best first, until there are enough: the time does not grow with the feed. */
async function listOutstanding (db: Db, accountId: string, reader: BriefReader, limit: number): Promise<ItemDetails[]> {
  const { rows: best } = await sql<{ id: string }>`
    select best.id from (${ownProjects(accountId, reader)}) as own cross join lateral (
      select project_paper.id, project_paper.relevance_score, project_paper.ready_at from project_paper
      where project_paper.project_id = own.id and ${isOutstanding(accountId, reader)}
      order by project_paper.relevance_score desc, project_paper.ready_at desc, project_paper.id limit ${limit}
    ) as best
    order by best.relevance_score desc, best.ready_at desc, best.id limit ${limit}`.execute(db)
  if (best.length === 0) return []
  return await selectItems(db, accountId)
    .where('project_paper.id', '=', sql<string>`any(${best.map(({ id }) => id)}::uuid[])`)
    // A merge in between may have made one of them a paper that the consumer has acknowledged.
    .where(isOutstanding(accountId, reader))
    .orderBy('project_paper.relevance_score', 'desc').orderBy('project_paper.ready_at', 'desc').orderBy('project_paper.id')
    // A merge of one of these papers waits, or is complete.
    .forKeyShare('paper').execute()
}

/** The items of the feeds, by their tally, less those that the consumer has acknowledged. */
async function countOutstanding (db: Db, accountId: string, reader: BriefReader): Promise<number> {
  const { rows: [row] } = await sql<{ outstanding: number }>`
    with own as materialized (${ownProjects(accountId, reader)})
    select (
      select coalesce(sum(change), 0) from feed_tally where measure = 'class' and project_id in (select id from own)
    ) - (
      select count(*) from (
        select distinct project_id, paper_id from brief_item
        where reader = ${readerId(accountId, reader.consumer)} and project_id in (select id from own)
      ) as acknowledged join project_paper using (project_id, paper_id)
    ) as outstanding`.execute(db)
  return Number(row!.outstanding)
}

/** Limits what a consumer that never acknowledges can store. */
async function deleteOldBriefs (db: Db, accountId: string, { consumer }: BriefReader): Promise<void> {
  await db
    .deleteFrom('brief')
    .where('account_id', '=', accountId)
    .where('consumer', '=', consumer)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('brief')
        .select('id')
        .where('account_id', '=', accountId)
        .where('consumer', '=', consumer)
        .where('acknowledged_at', 'is', null)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(maxOpenBriefs)
    )
    .execute()
}

/** Service-wide, for upkeep: deletes briefs without items from before a time, and all of consumers that have read nothing since another. */
export async function deleteUnusedBriefs (
  db: Db,
  { emptyBefore, consumersBefore }: { emptyBefore: Date, consumersBefore: Date }
): Promise<void> {
  await sql`delete from brief where created_at < ${emptyBefore}
    and not exists (select from brief_item where brief_item.brief_id = brief.id)`.execute(db)
  await sql`
    delete from brief using (select account_id, consumer from brief
      group by account_id, consumer having max(created_at) < ${consumersBefore}) unused
    where brief.account_id = unused.account_id and brief.consumer = unused.consumer`.execute(db)
}
