import { sql } from 'kysely'
import type { Db } from '../connection.js'
import type { FeedTallyTable } from '../tables/feed.js'

/** Rows of one project from which on they are summed up into fewer. */
const mostRows = 500

/** What the items of a feed come to: for each measure, how many have which value. */
export const readTally = (db: Db, projectId: string) =>
  db.selectFrom('feed_tally').select(['measure', 'value']).select(({ fn }) => fn.sum<number>('change').as('items'))
    .where('project_id', '=', projectId).groupBy(['measure', 'value']).having(({ fn }) => fn.sum('change'), '<>', 0).execute() as Promise<Tally>

export type Tally = Array<Pick<FeedTallyTable, 'measure' | 'value'> & { items: number }>

/** Sums up the changes that writers noted. What another process sums up at the same time is left to it, and nothing is counted twice. */
export async function foldTally (db: Db, projectId: string): Promise<void> {
  await sql`
    with noted as (delete from feed_tally where project_id = ${projectId} returning measure, value, change)
    insert into feed_tally (project_id, measure, value, change)
      select ${projectId}::uuid, measure, value, sum(change) from noted group by measure, value having sum(change) <> 0`.execute(db)
}

/** Sums up the changes of every project that has many. */
export async function foldTallies (db: Db): Promise<void> {
  const many = await db.selectFrom('feed_tally').select('project_id').groupBy('project_id').having(({ fn }) => fn.countAll(), '>', mostRows).execute()
  for (const { project_id } of many) await foldTally(db, project_id)
}
