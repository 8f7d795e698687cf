import { type Kysely, sql } from 'kysely'

/**
 * Indexes for the list of an account's jobs, for the conversions that accounts share, and for the deletion of alerts.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index if not exists job_account on job (account_id, updated_at desc, id) where account_id is not null`.execute(db)
  await sql`
    create index if not exists job_shared on job (updated_at desc, id) where account_id is null and paper_id is not null`.execute(db)
  await sql`create index if not exists job_alert on job (alert_id) where alert_id is not null`.execute(db)
}
