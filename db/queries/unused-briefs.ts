import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { isOfDeletedKey } from './briefs.js'
import { deleteBatches } from './delete-batches.js'
import { firstId } from './id-range.js'
import { walkInIndexOrder } from './index-order.js'

/** Rows that one transaction looks at. */
const batchSize = 500
/** Briefs that one transaction deletes, with their items: up to 100 of each. */
const deletionBatchSize = 10

/** What is unused. */
interface Unused {
  /** Briefs without items from before this time. */
  emptyBefore: Date
  /** Consumers that have read nothing since this time. */
  consumersBefore: Date
}

/** Service-wide, for upkeep: deletes empty briefs, and all of consumers that are unused or whose key is deleted. */
export async function deleteUnusedBriefs (db: Db, { emptyBefore, consumersBefore }: Unused): Promise<void> {
  for await (const briefs of walkBriefs(db)) {
    await db.deleteFrom('brief').where('id', '=', anyUuid(briefs.map(({ id }) => id))).where('created_at', '<', emptyBefore)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('brief_item').select('brief_id').whereRef('brief_item.brief_id', '=', 'brief.id'))))
      .execute()
  }
  for await (const consumers of walkConsumers(db, consumersBefore)) {
    for (const { account_id, consumer } of consumers.filter(({ is_unused }) => is_unused)) {
      await deleteBatches(db, 'brief', sql`account_id = ${account_id} and consumer = ${consumer}`, deletionBatchSize)
    }
  }
  for await (const positions of walkPositions(db)) {
    await sql`
      delete from brief_position where (reader, project_id) in (
        select * from unnest(${positions.map(({ reader }) => reader)}::uuid[], ${positions.map(each => each.project_id)}::uuid[]))
      and not exists (select from brief_item where brief_item.reader = brief_position.reader
        and brief_item.project_id = brief_position.project_id)`.execute(db)
  }
}

const walkBriefs = (db: Db) => walkInIndexOrder(db, (transaction, last: { id: string } | undefined) =>
  transaction.selectFrom('brief').select('id').where('id', '>', last?.id ?? firstId).orderBy('id').limit(batchSize).execute())

interface Consumer { account_id: string, consumer: string }

/** Looks consumers up one by one along an index: each may have many briefs. */
const walkConsumers = (db: Db, before: Date) =>
  walkInIndexOrder(db, async (transaction, last: Consumer | undefined): Promise<Array<Consumer & { is_unused: boolean }>> => {
    const { rows } = await sql<Consumer & { is_unused: boolean }>`
      with recursive known as (
        (select account_id, consumer from brief
          where (account_id, consumer) > (${last?.account_id ?? firstId}::uuid, ${last?.consumer ?? ''}::text)
          order by account_id, consumer limit 1)
        union all
        select next.* from known cross join lateral (
          select brief.account_id, brief.consumer from brief
          where (brief.account_id, brief.consumer) > (known.account_id, known.consumer) order by brief.account_id, brief.consumer limit 1
        ) next
      )
      select account_id, consumer, ${isOfDeletedKey} or (
        select max(created_at) < ${before} from brief
        where brief.account_id = known.account_id and brief.consumer = known.consumer
      ) as is_unused from known limit ${sql.lit(batchSize)}`.execute(transaction)
    return rows
  })

interface Position { reader: string, project_id: string }

const walkPositions = (db: Db) => walkInIndexOrder(db, (transaction, last: Position | undefined) =>
  transaction.selectFrom('brief_position').select(['reader', 'project_id'])
    .where(sql<boolean>`(reader, project_id) > (${last?.reader ?? firstId}::uuid, ${last?.project_id ?? firstId}::uuid)`)
    .orderBy('reader').orderBy('project_id').limit(batchSize).execute())
