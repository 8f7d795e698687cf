import { sql } from 'kysely'
import type { Db } from '../connection.js'

/** The newest briefs of a consumer, one of which may already have the items of its next. */
const maxRepeatedBriefs = 5

/** The next brief of a consumer. */
interface NextBrief {
  consumer: string
  items: ReadonlyArray<{ id: string, project_id: string }>
  now: Date
}

/** A parameter for each value would take longer to send and to plan. */
const rowsOf = (items: NextBrief['items']) =>
  sql`unnest(${items.map(({ project_id }) => project_id)}::uuid[], ${items.map(item => item.id)}::uuid[]) as item (project_id, paper_id)`

/** Saves a brief. @returns its id */
export async function insertBrief (db: Db, accountId: string, { consumer, items, now }: NextBrief): Promise<string> {
  const { id } = await db
    .insertInto('brief')
    .values({ account_id: accountId, consumer, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (items.length > 0) {
    await sql`
      insert into brief_item (brief_id, project_id, paper_id) select ${id}::uuid, project_id, paper_id from ${rowsOf(items)}`.execute(db)
  }
  return id
}

/** Makes a recent brief with exactly these items the newest, unless it is acknowledged and has any. @returns its id; undefined: none */
export async function repeatBrief (db: Db, accountId: string, { consumer, items, now }: NextBrief): Promise<string | undefined> {
  const count = sql.lit(items.length)
  const { rows: [repeated] } = await sql<{ id: string }>`
    update brief set created_at = ${now} where id = (
      select id from (
        select id, acknowledged_at, created_at from brief where account_id = ${accountId} and consumer = ${consumer}
        order by created_at desc, id limit ${sql.lit(maxRepeatedBriefs)}
      ) as recent
      where (acknowledged_at is null or ${count} = 0)
        and (select count(*) from brief_item where brief_id = recent.id) = ${count}
        and (select count(*) from brief_item join ${rowsOf(items)} using (project_id, paper_id) where brief_id = recent.id) = ${count}
      order by created_at desc, id limit 1
    ) returning id`.execute(db)
  return repeated?.id
}
