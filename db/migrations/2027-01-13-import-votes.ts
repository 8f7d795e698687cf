import { type Kysely, sql } from 'kysely'

/**
 * The import that gave an item its vote, so that undoing it takes the vote back. Without a foreign key: a vote remains one of an import
 * when the import is no longer kept.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table project_paper add column if not exists vote_import_id uuid`.execute(db)
  await sql`
    create index if not exists project_paper_import_vote on project_paper (vote_import_id) where vote_import_id is not null`.execute(db)
}
