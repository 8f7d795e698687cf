import { sql } from 'kysely'
import type { Db } from '../connection.js'
import type { FeedTallyTable } from '../tables/feed.js'
import { type ProjectIds, isOwnProject, isVisibleToKey } from './ownership.js'

/** A tally with more rows is compacted. */
const maxRows = 500

/** Statistics of the account's feed: for each measure of its items, the number of items with each value. */
export const readTally = (db: Db, accountId: string, projectId: string) =>
  db
    .selectFrom('feed_tally')
    .select(['measure', 'value'])
    .select(({ fn }) => fn.sum<number>('change').as('items'))
    .where('project_id', '=', projectId)
    .where('measure', '<>', 'text')
    .where(isOwnProject(accountId, projectId))
    .groupBy(['measure', 'value'])
    .having(({ fn }) => fn.sum('change'), '<>', 0)
    .execute() as Promise<Tally>

/** Number of items in the feeds of the account. */
export const countFeedItems = async (db: Db, accountId: string): Promise<number> => await sumOf(db, accountId, 'class')

/** Bytes of the tags and notes in the feeds of the account. */
export const countTextBytes = async (db: Db, accountId: string): Promise<number> => await sumOf(db, accountId, 'text')

const sumOf = async (db: Db, accountId: string, measure: FeedTallyTable['measure']): Promise<number> =>
  Number((await db.selectFrom('feed_tally').innerJoin('project', 'project.id', 'feed_tally.project_id')
    .select(({ fn }) => fn.sum('change').as('sum')).where('project.account_id', '=', accountId).where('measure', '=', measure)
    .executeTakeFirstOrThrow()).sum ?? 0)

/** Number of items in each of the account's feeds. @param projectIds those that a key can see; null: all */
export const countItemsByFeed = async (db: Db, accountId: string, projectIds: ProjectIds): Promise<Array<{ id: string, items: number }>> =>
  (await sql<{ id: string, items: number }>`
    select project.id, coalesce((
      select sum(change) from feed_tally where feed_tally.project_id = project.id and measure = 'class'
    ), 0)::integer as items
    from project where account_id = ${accountId}::uuid and ${isVisibleToKey(projectIds)}`.execute(db)).rows

/** Rows of readTally. */
export type Tally = Array<Pick<FeedTallyTable, 'measure' | 'value'> & { items: number }>

/** Service-wide upkeep: sums up the changes that triggers recorded for a feed. Concurrent calls count nothing twice. */
export const compactTally = (db: Db, projectId: string): Promise<void> =>
  db.transaction().execute(async transaction => {
    // A deletion of the project waits, or is complete: it would miss the rows that are inserted here.
    const project = await transaction.selectFrom('project').select('id').where('id', '=', projectId).forKeyShare().executeTakeFirst()
    if (project === undefined) return
    await sql`
      with noted as (delete from feed_tally where project_id = ${projectId} returning measure, value, change)
      insert into feed_tally (project_id, measure, value, change)
        select ${projectId}::uuid, measure, value, sum(change) from noted
        group by measure, value having sum(change) <> 0`.execute(transaction)
  })

/** Service-wide upkeep: the projects whose tally has many rows. */
export async function listLongTallies (db: Db): Promise<string[]> {
  const many = await db
    .selectFrom('feed_tally')
    .select('project_id')
    .groupBy('project_id')
    .having(({ fn }) => fn.countAll(), '>', maxRows)
    .execute()
  return many.map(({ project_id }) => project_id)
}
