import { type Kysely, sql } from 'kysely'

/**
 * The planner gathers no statistics of references: no query searches for them, and reading thousands of lists would hold up everyone on the
 * embedded database.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table paper_citation alter column cited set statistics 0`.execute(db)
}
