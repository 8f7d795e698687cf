import { type Kysely, sql } from 'kysely'

/** An alert that sent a notice also sends, once, that no source states it any more. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table alert_notice add column if not exists withdrawn boolean not null default false`.execute(db)
  await sql`alter table alert_notice drop constraint if exists alert_notice_pkey`.execute(db)
  await sql`alter table alert_notice add constraint alert_notice_pkey primary key (alert_id, notice_id, withdrawn)`.execute(db)
}
