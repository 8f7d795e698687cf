import { type Kysely, sql } from 'kysely'

/** Interests that projects had while votes were given: a vote counts as far as it agrees with the present one. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('former_interest')
    .addColumn('project_id', 'uuid', column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('until', 'timestamptz(3)', column => column.notNull())
    .addColumn('interest_description', 'text', column => column.notNull())
    .addColumn('positive_keywords', sql`text[]`, column => column.notNull())
    .addPrimaryKeyConstraint('former_interest_pkey', ['project_id', 'until'])
    .execute()
}
