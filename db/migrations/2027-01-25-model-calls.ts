import { type Kysely, sql } from 'kysely'

/** Counts the calls of the language model that an account caused on its last day with one, which are limited. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table account add column model_day date, add column model_calls integer not null default 0`.execute(db)
}
