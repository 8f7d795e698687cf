import { type Kysely, sql } from 'kysely'

const partBytes = 256 * 1024

/** Stores uploaded PDFs in parts, since a statement with a whole file takes several times its size in memory. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('pdf_upload')
    .addColumn('id', 'uuid')
    .addColumn('size_bytes', 'integer')
    .addColumn('complete', 'boolean', column => column.notNull().defaultTo(false))
    .execute()
  await sql`update pdf_upload set id = gen_random_uuid(), size_bytes = octet_length(bytes), complete = true`.execute(db)
  await sql`
    alter table pdf_upload alter column id set not null, alter column id set default gen_random_uuid(), alter column size_bytes
      set not null,
      drop constraint pdf_upload_pkey, add primary key (id)`.execute(db)
  await sql`create unique index pdf_upload_once on pdf_upload (account_id, paper_id) where complete`.execute(db)
  await db.schema.createIndex('pdf_upload_account').on('pdf_upload').column('account_id').execute()
  await db.schema.createIndex('pdf_upload_paper').on('pdf_upload').column('paper_id').execute()
  await sql`create index markdown_account on markdown (account_id) where account_id is not null`.execute(db)

  await db.schema.createTable('pdf_part')
    .addColumn('upload_id', 'uuid', column => column.notNull().references('pdf_upload.id').onDelete('cascade'))
    .addColumn('ordinal', 'integer', column => column.notNull())
    .addColumn('bytes', 'bytea', column => column.notNull())
    .addPrimaryKeyConstraint('pdf_part_pkey', ['upload_id', 'ordinal'])
    .execute()
  // PDFs are compressed already. Plain storage also lets the parts below be cut without reading the whole file each time.
  await sql`alter table pdf_part alter column bytes set storage external`.execute(db)
  await sql`
    insert into pdf_part (upload_id, ordinal, bytes)
    select id, ordinal, substring(bytes from ordinal * ${sql.lit(partBytes)} + 1 for ${sql.lit(partBytes)})
    from pdf_upload, generate_series(0, (size_bytes - 1) / ${sql.lit(partBytes)}) as ordinal where size_bytes > 0`.execute(db)
  await db.schema.alterTable('pdf_upload').dropColumn('bytes').execute()
}
