import { type Kysely, sql } from 'kysely'

/**
 * Records who asked for a job, so that accounts take turns. A waiting conversion of a shared paper goes to an account whose feed has the
 * paper.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table job add column if not exists requested_by uuid references account (id) on delete set null`.execute(db)
  await nameRequesters(db)
  await sql`create index if not exists job_requester on job (requested_by)`.execute(db)
  await sql`
    create index if not exists job_last_turn on job (task, requested_by, updated_at) where state <> 'waiting' or attempts > 0`.execute(db)
}

/** Gives unfinished and failed jobs to the account that asked for them, or to one whose feed has the paper. Idempotent. */
export async function nameRequesters (db: Kysely<any>): Promise<void> {
  await sql`
    update job set requested_by = coalesce(account_id, (
      select project.account_id from project_paper join project on project.id = project_paper.project_id
      where project_paper.paper_id = job.paper_id order by project_paper.ready_at, project_paper.id limit 1))
    where state in ('waiting', 'running', 'failed') and requested_by is null`.execute(db)
}
