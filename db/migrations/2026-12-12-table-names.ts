import { type Kysely, sql } from 'kysely'

/** Names two tables by what they hold: tombstones of the search index, and slots of outside services. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('search_gone').renameTo('search_tombstone').execute()
  await sql`alter index search_gone_pkey rename to search_tombstone_pkey`.execute(db)
  await db.schema.alterTable('source_turn').renameTo('source_slot').execute()
  await sql`alter index source_turn_pkey rename to source_slot_pkey`.execute(db)
  await sql`
    create or replace function search_forget_projects () returns trigger language plpgsql as $$
    begin
      delete from search_pending using deleted_projects where project_id = deleted_projects.id;
      delete from search_tombstone using deleted_projects where project_id = deleted_projects.id;
      delete from search_document using deleted_projects where project_id = deleted_projects.id;
      return null;
    end $$`.execute(db)
}
