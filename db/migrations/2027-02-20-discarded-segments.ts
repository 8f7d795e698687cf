import { type Kysely, sql } from 'kysely'

/** Segments that no search reads any more, until their blocks are deleted in batches. They are no reservations. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table search_segment add column if not exists discarded boolean not null default false`.execute(db)
  await sql`drop index if exists search_segment_building`.execute(db)
  await sql`create unique index search_segment_building on search_segment (project_id) where not live and not discarded`.execute(db)
  await sql`create index if not exists search_segment_discarded on search_segment (project_id) where discarded`.execute(db)
}
