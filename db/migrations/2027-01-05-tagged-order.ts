import { type Kysely, sql } from 'kysely'

/** Reads the tagged items of a feed newest first, a page at a time. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index if not exists project_paper_tagged_newest on project_paper (project_id, ready_at desc, id)
    where tags <> '{}'`.execute(db)
  await sql`drop index if exists project_paper_tagged`.execute(db)
}
