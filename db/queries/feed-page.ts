import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { type FeedFilter, type ItemDetails, listItems, matching, selectItems } from './feed.js'
import { isOwnProject } from './ownership.js'

/** How many authors a list names. */
const authorsNamed = 3

/** What a list shows of an item. */
const selectRows = (db: Db) =>
  db.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select([
      'project_paper.id', 'project_paper.short_id', 'project_paper.relevance_score', 'project_paper.relevance_class', 'project_paper.ready_at',
      'project_paper.vote', 'project_paper.downvote_reason', 'project_paper.voted_at',
      'paper.title', 'paper.source_name', 'paper.venue_name', 'paper.published_date'
    ])
    .select(sql<string[]>`jsonb_path_query_array(paper.authors, ${sql.lit(`$[0 to ${authorsNamed - 1}].name`)})`.as('authors'))
    .select(sql<number>`jsonb_array_length(paper.authors)`.as('author_count'))

export type RowDetails = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number]

/** One page of the account's project, newest first, ties by id; empty if the project is another account's. */
export const listRows = (db: Db, accountId: string, filter: FeedFilter, { limit, offset }: { limit: number, offset: number }): Promise<RowDetails[]> =>
  selectRows(db)
    // The subquery skips rows by the index alone.
    .where('project_paper.id', 'in', db.selectFrom('project_paper').select('id').where(isOwnProject(accountId, filter.projectId)).where(matching(filter))
      .orderBy('ready_at', 'desc').orderBy('id').limit(limit).offset(offset))
    .orderBy('project_paper.ready_at', 'desc').orderBy('project_paper.id').execute()

/** Rows of these items of the account's feeds, in their order; items that are gone are left out. */
export async function listRowsOf (db: Db, accountId: string, ids: readonly string[]): Promise<RowDetails[]> {
  if (ids.length === 0) return []
  const rows = await selectRows(db).innerJoin('project', 'project.id', 'project_paper.project_id')
    .where('project.account_id', '=', accountId).where('project_paper.id', '=', sql<string>`any(${ids}::uuid[])`).execute()
  const known = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => known.get(id) ?? [])
}

/** Number of matching items of the account's project, at most `max`: counting all of a large feed would take longer than listing it. */
export async function countRows (db: Db, accountId: string, filter: FeedFilter, max: number): Promise<number> {
  const counted = db.selectFrom('project_paper').select('id').where(isOwnProject(accountId, filter.projectId)).where(matching(filter))
    // In the order of the index that covers the count.
    .orderBy('ready_at', 'desc').orderBy('id').limit(max)
  return (await db.selectFrom(counted.as('counted')).select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total
}

/** Every matching item of the account's project, newest first, `atOnce` at a time; no statement stays open between two batches. */
export async function * walkFeed (db: Db, accountId: string, filter: FeedFilter, atOnce: number): AsyncIterable<ItemDetails[]> {
  for (let last: ItemDetails | undefined; ;) {
    const items = await selectItems(db).where('project.account_id', '=', accountId).where(matching(filter))
      .$if(last !== undefined, query => query.where('project_paper.ready_at', '<=', last!.ready_at)
        .where(({ eb, or }) => or([eb('project_paper.ready_at', '<', last!.ready_at), eb('project_paper.id', '>', last!.item_id)])))
      .orderBy('project_paper.ready_at', 'desc').orderBy('project_paper.id').limit(atOnce).execute()
    if (items.length > 0) yield items
    if (items.length < atOnce) return
    last = items.at(-1)!
  }
}

/** These items of the account's feeds, in their order, piece by piece. */
export async function * walkItems (db: Db, accountId: string, itemIds: readonly string[], atOnce: number): AsyncIterable<ItemDetails[]> {
  for (let from = 0; from < itemIds.length; from += atOnce) yield await listItems(db, accountId, itemIds.slice(from, from + atOnce))
}
