import { type Kysely, sql } from 'kysely'

/** Names the attempt that writes a snapshot, so that another one cannot add parts to it, and finds the snapshots that wait. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('snapshot').addColumn('attempt', 'uuid').execute()
  await sql`create index snapshot_waiting on snapshot (project_id, requested_at) where frozen_at is null and error is null`.execute(db)
}
