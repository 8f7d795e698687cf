import { type Kysely, sql } from 'kysely'

/**
 * Items that an import of a file, a list or Zotero added, which alerts leave out: their owner has them. Unlike `import_id`, it stays when
 * the import is no longer kept. Items that were added before count as others.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table project_paper add column own_library boolean not null default false`.execute(db)
}
