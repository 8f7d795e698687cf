import { type Kysely, sql } from 'kysely'

/**
 * Indexes for claiming the jobs of accounts in turns, and for listing the shared conversions that an account asked for and those of a
 * state.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    create index if not exists job_turn on job (task, requested_by, run_at, id)
    where state = 'waiting' and requested_by is not null`.execute(db)
  await sql`create index if not exists job_unrequested on job (task, run_at, id) where state = 'waiting' and requested_by is null`.execute(db)
  await sql`drop index if exists job_due`.execute(db)
  await sql`
    create index if not exists job_requested on job (requested_by, updated_at desc, id)
    where account_id is null and paper_id is not null`.execute(db)
  await sql`
    create index if not exists job_shared_state on job (state, updated_at desc, id)
    where account_id is null and paper_id is not null`.execute(db)
}
