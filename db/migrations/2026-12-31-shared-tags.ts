import { type Kysely, sql } from 'kysely'

/** Share links of a tag over all projects. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table share_link add column if not exists all_projects boolean not null default false`.execute(db)
}
