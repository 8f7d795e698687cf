import { type Kysely, sql } from 'kysely'

/**
 * References of papers, and how often papers are cited. A paper's references are one row: 50 of them take about 1.5 kB, a tenth of what a
 * row and two index entries for each reference would take, and adding them costs no index look-ups. The indexes of `paper` on DOI, PMID and
 * OpenAlex id find the cited papers.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('paper_citation')
    .addColumn('paper_id', 'uuid', column => column.primaryKey().references('paper.id').onDelete('cascade'))
    .addColumn('cited', sql`text[]`, column => column.notNull())
    .addColumn('cited_by', 'integer')
    .execute()
}
