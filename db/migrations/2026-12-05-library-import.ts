import { type Kysely, sql } from 'kysely'

/** Imports of a person's own library, each with the items that it added to a feed, so that it can be undone. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('library_import')
    .addColumn('id', 'uuid', column => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('account_id', 'uuid', column => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('project_id', 'uuid', column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('file_name', 'text', column => column.notNull())
    .addColumn('vote', 'text')
    .addColumn('created_at', 'timestamptz(3)', column => column.notNull())
    .addColumn('result', 'jsonb')
    .addColumn('undone_at', 'timestamptz(3)')
    .execute()
  await db.schema.createIndex('library_import_project').on('library_import').columns(['project_id', 'created_at']).execute()
  await db.schema.createIndex('library_import_account').on('library_import').column('account_id').execute()
  await db.schema
    .alterTable('project_paper')
    .addColumn('import_id', 'uuid', column => column.references('library_import.id').onDelete('set null'))
    .execute()
  await sql`create index project_paper_import on project_paper (import_id) where import_id is not null`.execute(db)
}
