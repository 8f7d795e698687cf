import { type Kysely, sql } from 'kysely'

/**
 * Snapshots: a project's review as of a moment, frozen. `found_paper` says which sources found a paper of a project, from which the counts
 * of records and duplicates follow; papers that entered before have no row. Triggers keep a frozen snapshot as it is: only its deletion as
 * a whole is possible.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('found_paper')
    .addColumn('project_id', 'uuid', column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('paper_id', 'uuid', column => column.notNull().references('paper.id').onDelete('cascade'))
    .addColumn('sources', sql`text[]`, column => column.notNull())
    .addColumn('found_at', 'timestamptz(3)', column => column.notNull())
    .addPrimaryKeyConstraint('found_paper_pkey', ['project_id', 'paper_id'])
    .execute()
  await sql`create index found_paper_paper on found_paper (paper_id)`.execute(db)

  await db.schema.createTable('snapshot')
    .addColumn('id', 'uuid', column => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('project_id', 'uuid', column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('project_name', 'text', column => column.notNull())
    .addColumn('since', 'timestamptz(3)')
    .addColumn('until', 'timestamptz(3)')
    .addColumn('scheduled', 'boolean', column => column.notNull().defaultTo(false))
    .addColumn('requested_at', 'timestamptz(3)', column => column.notNull())
    .addColumn('error', 'text')
    .addColumn('frozen_at', 'timestamptz(3)')
    .addColumn('sha256', 'text')
    .addColumn('bytes', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('parts', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('summary', 'jsonb')
    .execute()
  await sql`create index snapshot_project on snapshot (project_id, requested_at)`.execute(db)

  await db.schema.createTable('snapshot_part')
    .addColumn('snapshot_id', 'uuid', column => column.notNull().references('snapshot.id').onDelete('cascade'))
    .addColumn('ordinal', 'integer', column => column.notNull())
    .addColumn('content', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('snapshot_part_pkey', ['snapshot_id', 'ordinal'])
    .execute()

  await db.schema.alterTable('project')
    .addColumn('snapshot_schedule', 'text')
    .addColumn('next_snapshot_at', 'timestamptz(3)')
    .execute()

  await sql`
    create function snapshot_refuse_change () returns trigger language plpgsql as $$
    begin
      raise exception 'a frozen snapshot does not change' using errcode = 'restrict_violation';
    end $$`.execute(db)
  await sql`create trigger snapshot_frozen before update on snapshot for each row when (old.frozen_at is not null)
    execute function snapshot_refuse_change()`.execute(db)
  // Its own deletion removes the snapshot before its parts. A restore adds parts to a snapshot that knows their number.
  await sql`
    create function snapshot_part_refuse_change () returns trigger language plpgsql as $$
    declare
      frozen_parts integer;
    begin
      select parts into frozen_parts from snapshot where frozen_at is not null
        and id = case tg_op when 'INSERT' then new.snapshot_id else old.snapshot_id end;
      if frozen_parts is not null and (tg_op <> 'INSERT' or new.ordinal >= frozen_parts) then
        raise exception 'a frozen snapshot does not change' using errcode = 'restrict_violation';
      end if;
      return case tg_op when 'DELETE' then old else new end;
    end $$`.execute(db)
  await sql`create trigger snapshot_part_frozen before insert or update or delete on snapshot_part for each row
    execute function snapshot_part_refuse_change()`.execute(db)
}
