import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Links that show a project's feed, or a tag of it, to anyone who has their address. Only a hash of the token is stored. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('share_link')
    .addColumn('id', 'uuid', column => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('project_id', 'uuid', column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('tag', 'text')
    .addColumn('token_hash', 'bytea', column => column.notNull().unique())
    .addColumn('created_at', 'timestamptz(3)', column => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz(3)')
    .addColumn('last_opened_at', 'timestamptz(3)')
    .execute()
  await sql`create index share_link_project on share_link (project_id)`.execute(db)
}
