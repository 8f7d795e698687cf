import { type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { type ItemDetails, selectItems } from './feed.js'
import { retryConflicts } from './retry.js'

/** Who reads briefs, and of which projects. */
export interface BriefReader {
  /** Each consumer of an account has its own acknowledgements. */
  consumer: string
  /** Only these projects' feeds; undefined: all of the account. */
  projectIds?: readonly string[] | undefined
}

/** What a consumer asks for. */
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

/** Idempotent: the first acknowledgement counts. */
async function acknowledgeBrief (db: Db, accountId: string, { consumer }: BriefReader, briefId: string, now: Date): Promise<boolean> {
  const acknowledged = await db.updateTable('brief').set({ acknowledged_at: sql<Date>`coalesce(acknowledged_at, ${now})` })
    .where('account_id', '=', accountId).where('consumer', '=', consumer).where('id', '=', briefId).returning('id').executeTakeFirst()
  return acknowledged !== undefined
}

async function isConsumerTooMany (db: Db, accountId: string, { consumer }: BriefReader): Promise<boolean> {
  const consumers = db.selectFrom('brief').select('consumer').distinct().where('account_id', '=', accountId).limit(maxConsumers)
  const names = (await consumers.execute()).map(row => row.consumer)
  return names.length === maxConsumers && !names.includes(consumer)
}

const outstanding = (accountId: string, { consumer, projectIds }: BriefReader) => sql<SqlBool>`
  project_paper.project_id in (
    select owned.id from project as owned
    where owned.account_id = ${accountId} ${projectIds === undefined ? sql`` : sql`and owned.id = any(${[...projectIds]}::uuid[])`}
  )
  and not exists (
    select from brief_item join brief on brief.id = brief_item.brief_id
    where brief_item.project_id = project_paper.project_id and brief_item.paper_id = project_paper.paper_id
      and brief.account_id = ${accountId} and brief.consumer = ${consumer} and brief.acknowledged_at is not null
  )`

const listOutstanding = (db: Db, accountId: string, reader: BriefReader, limit: number) =>
  selectItems(db).where(outstanding(accountId, reader))
    .orderBy('project_paper.relevance_score', 'desc').orderBy('project_paper.ready_at', 'desc').orderBy('project_paper.id').limit(limit)
    // A merge of one of these papers waits, or is complete.
    .forKeyShare('paper').execute()

async function countOutstanding (db: Db, accountId: string, reader: BriefReader): Promise<number> {
  const { total } = await db
    .selectFrom('project_paper')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(outstanding(accountId, reader))
    .executeTakeFirstOrThrow()
  return total
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
