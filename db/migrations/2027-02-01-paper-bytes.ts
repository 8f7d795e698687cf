import { type Kysely, sql } from 'kysely'

/**
 * The bytes of each record, so that those of an account can be added up in an index. Papers of earlier versions count with the size of an
 * ordinary one, or what they are stored with later if that is more: measuring them all would rewrite the table.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('paper').addColumn('bytes', 'integer', column => column.notNull().defaultTo(4000)).execute()
  await sql`create index paper_owner_bytes on paper (account_id, id) include (bytes) where account_id is not null`.execute(db)
  await sql`drop index paper_owner`.execute(db)
}
