import { type Kysely, sql } from 'kysely'

/**
 * Moves tombstones into segments, so that searches read them once: those of a project into its last segment, as src/search/segment.ts
 * describes. Without segments, there is nothing that they could hide.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table search_segment add column if not exists tombstones integer not null default 0`.execute(db)
  const byte = (place: number) => sql`substring(int4send(number) from ${sql.lit(place)} for 1)`
  await sql`
    with last as (
      select distinct on (project_id) project_id, id from search_segment where live order by project_id, first_number desc
    ), moved as (
      insert into search_block (segment_id, part, bytes)
        select last.id, -2147483648, string_agg(${byte(4)} || ${byte(3)} || ${byte(2)} || ${byte(1)}, '' order by number)
        from search_tombstone join last using (project_id) group by last.id
        returning segment_id, length(bytes) / 4 as tombstones
    )
    update search_segment set tombstones = moved.tombstones from moved where id = moved.segment_id`.execute(db)
  await db.schema.dropTable('search_tombstone').execute()
  await sql`
    create or replace function search_forget_projects () returns trigger language plpgsql as $$
    begin
      delete from search_pending using deleted_projects where project_id = deleted_projects.id;
      delete from search_document using deleted_projects where project_id = deleted_projects.id;
      return null;
    end $$`.execute(db)
}
