import { type Kysely, sql } from 'kysely'

/** Finds the last failure of a task for one key, which delays its next job. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index job_failed on job (task, once_key, updated_at) where state = 'failed'`.execute(db)
}
