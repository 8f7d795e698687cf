import { randomUUID } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { findUnsentBatch, maySendAlert } from './alert-batches.js'
import type { AlertDetails } from './alerts.js'
import { listSlices } from './feed-slices.js'
import { selectItems } from './feed.js'
import { isOwnAlert } from './ownership.js'
import { measuredBytes } from './record-bytes.js'

export interface BatchLimits {
  maxItems: number
  /** The best items, which are read. */
  maxRead: number
  /** About as much as the papers of the batch may have, unless it is one. */
  maxBytes?: number
}

type ClaimedAlert = Pick<AlertDetails, 'id' | 'project_id' | 'must_read' | 'created_at' | 'items_since' | 'claimed_through'>

/**
 * Whether an item of the alert's project is to be sent to it, however long ago it entered the feed. The offset makes the database look up
 * each item, where it would read all that were sent.
 */
const isUnsent = ({ id, must_read, created_at, items_since }: ClaimedAlert) => sql<SqlBool>`(
  coalesce(entered_at, ready_at) >= greatest(${created_at}::timestamptz, ${items_since}::timestamptz) and not own_library
    ${must_read ? sql`and relevance_class = 'must_read'` : sql``}
    and not exists (
      select from alert_item where alert_id = ${id} and alert_item.paper_id = project_paper.paper_id offset 0
    )
)`

/** Longer than a transaction takes that adds items, whose times are from before it. */
const claimMargin = sql`interval '1 day'`
/** Items that one statement looks at: each is looked up among those that were sent. */
const rowsPerStatement = 1000

/** Whether an item may have entered the feed since the last claim. Any item can become a must-read. */
function isNew ({ must_read, claimed_through }: ClaimedAlert) {
  const isNewer = (column: 'ready_at' | 'entered_at') => sql`${sql.ref(column)} >= ${claimed_through}::timestamptz - ${claimMargin}`
  return must_read || claimed_through === null ? sql<SqlBool>`true` : sql<SqlBool>`(${isNewer('ready_at')} or ${isNewer('entered_at')})`
}

/**
 * Collects items that entered the feed since the alert was created, or since `items_since`, and were not sent to it, as one batch, without
 * those of the owner's library. A batch whose delivery is uncertain comes first, under its own id. An alert to all items takes those that
 * entered since `claimed_through`. They are found in statements of their own, however many there are.
 * @returns the number of items, and the best of them; undefined if there is nothing to send, or the alert is another account's
 */
export async function claimBatch (db: Db, accountId: string, alert: ClaimedAlert, limits: BatchLimits) {
  const best = { limit: limits.maxItems, offset: 0 }
  const condition = sql<SqlBool>`(${isNew(alert)} and ${isUnsent(alert)})`
  // An index has the must-reads alone, which are few of the feed.
  const part = alert.must_read ? sql<SqlBool>`relevance_class = 'must_read'` : sql<SqlBool>`true`
  const walk = { projectId: alert.project_id, order: 'relevance', part, condition, rows: rowsPerStatement } as const
  const looksForNew = await findUnsentBatch(db, 'alert_item', alert.id) === undefined
  const items = looksForNew ? chosenItems(await listSlices(db, accountId, walk, best)) : sql`project_paper`
  return await claim(db, accountId, alert, limits, items)
}

/** These items as `project_paper`, each looked up by its id. */
const chosenItems = (ids: readonly string[]) => sql`
  unnest(${ids}::uuid[]) as chosen (item_id)
  cross join lateral (select * from project_paper where project_paper.id = chosen.item_id offset 0) as project_paper`

/** @param items that may be in the batch, as a FROM clause with the columns of `project_paper` */
const claim = (
  db: Db,
  accountId: string,
  alert: ClaimedAlert,
  { maxItems, maxRead, maxBytes }: BatchLimits,
  items: RawBuilder<unknown>
) =>
  db.transaction().execute(async transaction => {
    const { id, project_id } = alert
    if (!await maySendAlert(transaction, accountId, { id, project_id })) return undefined
    // An item that has left the feed cannot be sent, and would keep its batch unsent.
    await transaction
      .deleteFrom('alert_item')
      .where('alert_id', '=', id)
      .where('sent_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('project_paper')
              .select('project_paper.id')
              .where('project_id', '=', project_id)
              .whereRef('project_paper.paper_id', '=', 'alert_item.paper_id')
          )
        )
      )
      .execute()
    const unsent = await findUnsentBatch(transaction, 'alert_item', id)
    const batch = unsent ?? randomUUID()
    if (unsent === undefined) {
      const bytes = maxBytes === undefined
        ? sql`0`
        : measuredBytes
      await sql`
        insert into alert_item (alert_id, paper_id, batch)
        select ${id}::uuid, paper_id, ${batch}::uuid from (
          select paper_id, row_number() over best as place, sum(bytes) over best as total from (
            select best.*, ${bytes} as bytes from (
              select paper_id, relevance_score, ready_at, id from ${items}
              where project_id = ${project_id} and ${isNew(alert)} and ${isUnsent(alert)}
              order by relevance_score desc, ready_at desc, id limit ${sql.lit(maxItems)}
            ) as best join paper on paper.id = best.paper_id
          ) as sized window best as (order by relevance_score desc, ready_at desc, id)
        ) as placed where place = 1 or total <= ${sql.lit(maxBytes ?? 0)}`.execute(transaction)
    }
    const inBatch = selectItems(transaction, accountId).innerJoin('alert_item', 'alert_item.paper_id', 'project_paper.paper_id')
      .where('alert_id', '=', id).where('batch', '=', batch).where('sent_at', 'is', null).where('project_paper.project_id', '=', project_id)
    const { count } = await inBatch.clearSelect().select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    if (count === 0) return undefined
    const best = await inBatch.orderBy('relevance_score', 'desc').orderBy('ready_at', 'desc').orderBy('project_paper.id')
      .limit(maxRead).execute()
    return { batch, count, items: best }
  })

/** Records that the target of the account's alert accepted a batch. */
export const markSent = (db: Db, accountId: string, id: string, batch: string, now: Date) =>
  db
    .updateTable('alert_item')
    .set({ sent_at: now })
    .where('batch', '=', batch)
    .where('sent_at', 'is', null)
    .where('alert_id', 'in', ({ selectFrom }) =>
      selectFrom('alert').select('alert.id').where('alert.id', '=', id).where(isOwnAlert(accountId))
    )
    .execute()
