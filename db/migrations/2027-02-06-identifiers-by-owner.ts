import { type Kysely, sql } from 'kysely'

/**
 * Indexes that find some papers of each owner by identifier. Those of one column led through all that other accounts had stored. An id is
 * its source's: many sources give the id 1.
 */
export async function up (db: Kysely<any>): Promise<void> {
  for (const column of ['doi', 'arxiv_id', 'pmid', 'pmcid', 'openalex_id']) {
    await sql`create index ${sql.id(`paper_${column}_owner`)} on paper (${sql.id(column)}, account_id, created_at, id)
      where ${sql.id(column)} is not null`.execute(db)
    await db.schema.dropIndex(`paper_${column}`).execute()
  }
  for (const form of ['published_doi', 'preprint_doi']) {
    await db.schema.dropIndex(`paper_${form}`).execute()
    await sql`create index ${sql.id(`paper_${form}`)} on paper (lower(metadata->>${sql.lit(form)}), account_id, created_at, id)
      where metadata ? ${sql.lit(form)}`.execute(db)
  }
  await db.schema.dropIndex('paper_source_owner').execute()
  await sql`create index paper_source_owner on paper (source_paper_id, source_name, account_id, created_at, id)
    where source_paper_id is not null`.execute(db)
}
