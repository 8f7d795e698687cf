import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { walkInIndexOrder } from './index-order.js'
import { isDelivered, isKept } from './item-state.js'
import { isOwnProject } from './ownership.js'
import { rangesAfter, sliceOrderOf } from './sort-keys.js'

/** Items that one statement reads, so that others run in between. */
const rowsPerStatement = 500

/** A fetched item of a feed. */
interface FetchedItem {
  id: string
  paper_id: string
  relevance_score: number
  ready_at: Date
  /** Whether it stays whatever its score. */
  is_kept: boolean
}

interface Period {
  since: Date
  /** Exclusive; undefined: no end. */
  until?: Date
  /** Whether items also stay that their owner has seen, or that an alert or a brief has delivered. */
  keepsSeen?: boolean
}

const order = sliceOrderOf('newest')

/**
 * Fetched items of the account's feed, newest first, ties by id. Each statement reads a slice of the feed, however many other items it
 * has. Batches can be empty.
 */
export async function * walkFetched (
  db: Db,
  accountId: string,
  projectId: string,
  { since, until, keepsSeen = false }: Period
): AsyncGenerator<FetchedItem[], void> {
  const isBefore = until === undefined ? sql`true` : sql`ready_at < ${until}`
  const stays: RawBuilder<unknown> = keepsSeen ? sql`is_kept or is_seen or ${isDelivered(projectId, 'slice.paper_id')}` : sql`is_kept`
  const slices = walkInIndexOrder(db, async (transaction, last: { ready_at: Date, id: string } | undefined) => {
    const ranges = rangesAfter(order, last && { keys: [last.ready_at], id: last.id }).map(range => sql`(
      select id, paper_id, relevance_score, ready_at, origin = 'fetch' as is_fetched, seen_at is not null as is_seen, ${isKept} as is_kept
      from project_paper
      where project_id = ${projectId} and ready_at >= ${since} and ${isBefore} and ${isOwnProject(accountId, projectId)} and ${range}
      order by ready_at desc, id limit ${sql.lit(rowsPerStatement)})`)
    const { rows } = await sql<FetchedItem & { is_fetched: boolean }>`
      select id, paper_id, relevance_score, ready_at, is_fetched, is_fetched and (${stays}) as is_kept
      from (
        select * from (${sql.join(ranges, sql` union all `)}) ranges order by ready_at desc, id limit ${sql.lit(rowsPerStatement)}
      ) slice
      order by ready_at desc, id`.execute(transaction)
    return rows
  })
  for await (const items of slices) yield items.filter(({ is_fetched }) => is_fetched)
}

/**
 * Items that a change of settings can remove: fetched since a time, unrated and without marks of their owner. Newest first, `batchSize` at
 * a time.
 */
export async function * walkFetchedItems (db: Db, accountId: string, projectId: string, since: Date, batchSize: number) {
  let unread: string[] = []
  for await (const items of walkFetched(db, accountId, projectId, { since })) {
    unread.push(...items.filter(({ is_kept }) => !is_kept).map(({ id }) => id))
    for (; unread.length >= batchSize; unread = unread.slice(batchSize)) yield await listTexts(db, unread.slice(0, batchSize))
  }
  if (unread.length > 0) yield await listTexts(db, unread)
}

const listTexts = (db: Db, itemIds: readonly string[]) =>
  db
    .selectFrom('project_paper')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id', 'paper.id as paper_id', 'paper.title', 'paper.abstract'])
    .select(['project_paper.relevance_score', 'project_paper.relevance_class', 'project_paper.ready_at'])
    .where('project_paper.id', '=', anyUuid(itemIds))
    .orderBy('project_paper.ready_at', 'desc')
    .orderBy('project_paper.id')
    .execute()

/** Times and scores of the fetched items of the account's feed that no change of settings removes, newest first. */
export async function listKeptItems (
  db: Db,
  accountId: string,
  projectId: string,
  since: Date,
  limit: number
): Promise<Array<Pick<FetchedItem, 'ready_at' | 'relevance_score'>>> {
  const kept: FetchedItem[] = []
  for await (const items of walkFetched(db, accountId, projectId, { since })) {
    kept.push(...items.filter(({ is_kept }) => is_kept))
    if (kept.length >= limit) break
  }
  return kept.slice(0, limit)
}
