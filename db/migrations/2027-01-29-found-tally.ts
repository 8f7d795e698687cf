import { type Kysely, sql } from 'kysely'

/**
 * Numbers of the papers that fetches of a project found and that left no other trace, by day (UTC) and sources: `found_paper` has a row for
 * each of the newest ones only.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    create table if not exists found_tally (
      project_id uuid not null references project (id) on delete cascade,
      day date not null,
      sources text[] not null,
      papers integer not null,
      constraint found_tally_pkey primary key (project_id, day, sources)
    )`.execute(db)
}
