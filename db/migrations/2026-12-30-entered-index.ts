import { type Kysely, sql } from 'kysely'

/** Finds the papers that were added to a feed after the week that found them. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index project_paper_entered on project_paper (project_id, entered_at) include (ready_at, vote)
    where entered_at is not null`.execute(db)
}
