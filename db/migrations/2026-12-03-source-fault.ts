import { type Kysely, sql } from 'kysely'

/**
 * Adds the kind of a source's last failure, which answers about a feed state.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table source_state add column if not exists last_fault text`.execute(db)
}
