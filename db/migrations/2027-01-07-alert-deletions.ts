import { type Kysely, sql } from 'kysely'

/**
 * Deletions of alerts take many transactions: the first one takes an alert from its project. Papers are deleted without reading all that
 * alerts sent.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table alert add column if not exists deleted_account_id uuid references account (id) on delete cascade`.execute(db)
  await sql`alter table alert alter column project_id drop not null`.execute(db)
  await sql`alter table alert drop constraint if exists alert_owned`.execute(db)
  await sql`alter table alert add constraint alert_owned check ((project_id is null) <> (deleted_account_id is null))`.execute(db)
  await sql`
    create index if not exists alert_deleted on alert (deleted_account_id) where deleted_account_id is not null`.execute(db)
  await sql`create index if not exists alert_item_paper on alert_item (paper_id)`.execute(db)
}
