import { type Kysely, sql } from 'kysely'

/** Lists what an account was told, last found first, and what sources withdrew, without reading and sorting all of it. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index account_notice_newest on account_notice (account_id, found_at desc, notice_id)`.execute(db)
  await sql`create index paper_notice_withdrawn on paper_notice (withdrawn_at, id) where withdrawn_at is not null`.execute(db)
}
