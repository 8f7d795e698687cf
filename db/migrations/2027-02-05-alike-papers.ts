import { type Kysely, sql } from 'kysely'

/**
 * Indexes that find some papers of each owner by title or id within a source, and those that name a DOI, by owner. Those of one column led
 * through all that other accounts had stored with it.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index paper_title_owner on paper (title_key, account_id, created_at, id)`.execute(db)
  await sql`
    create index paper_source_owner on paper (source_paper_id, account_id, created_at, id) where source_paper_id is not null`.execute(db)
  await db.schema.dropIndex('paper_title_key').execute()
  await db.schema.dropIndex('paper_source_paper_id').execute()
  for (const naming of ['published_doi', 'preprint_doi']) {
    await db.schema.dropIndex(`paper_${naming}`).execute()
    await sql`create index ${sql.id(`paper_${naming}`)} on paper (lower(metadata->>${sql.lit(naming)}), account_id)
      where metadata ? ${sql.lit(naming)}`.execute(db)
  }
}
