import { type Kysely, sql } from 'kysely'

/**
 * A candidate that was in the feed before keeps the id of its item, by which people and programs still name it.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table candidate add column if not exists item_id uuid`.execute(db)
  await sql`create index if not exists candidate_item on candidate (item_id) where item_id is not null`.execute(db)
}
