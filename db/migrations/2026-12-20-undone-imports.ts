import { type Kysely, sql } from 'kysely'

/** Tells which sources of a paper an import alone stated, so that undoing it removes those and keeps what others found. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('found_paper')
    .addColumn('import_id', 'uuid', column => column.references('library_import.id').onDelete('set null'))
    .addColumn('import_sources', sql`text[]`, column => column.notNull().defaultTo('{}'))
    .execute()
  await sql`create index found_paper_import on found_paper (import_id) where import_id is not null`.execute(db)
}
