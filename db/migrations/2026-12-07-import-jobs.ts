import { type Kysely, sql } from 'kysely'

/** Imports run as jobs: their files wait in parts, and the imports report progress. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('library_import')
    .addColumn('pending_bytes', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('complete', 'boolean', column => column.notNull().defaultTo(true))
    .addColumn('progress', 'jsonb')
    .addColumn('counts', 'jsonb')
    .addColumn('feeds', 'jsonb')
    .execute()
  await sql`create index library_import_pending on library_import (account_id) where pending_bytes > 0`.execute(db)

  await db.schema.createTable('import_part')
    .addColumn('import_id', 'uuid', column => column.notNull().references('library_import.id').onDelete('cascade'))
    .addColumn('ordinal', 'integer', column => column.notNull())
    .addColumn('bytes', 'bytea', column => column.notNull())
    .addPrimaryKeyConstraint('import_part_pkey', ['import_id', 'ordinal'])
    .execute()

  await db.schema.alterTable('job')
    .addColumn('import_id', 'uuid', column => column.references('library_import.id').onDelete('cascade'))
    .execute()
  await sql`create index job_import on job (import_id) where import_id is not null`.execute(db)
  await sql`create unique index job_running_import on job (account_id) where task = 'import-library' and state = 'running'`.execute(db)
}
