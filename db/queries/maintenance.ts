import { sql } from 'kysely'
import type { Db } from '../connection.js'

/**
 * Gives the space of replaced rows back, where nothing else does: a PostgreSQL server has its own process for it, the embedded database
 * has none.
 */
export async function vacuum (db: Db): Promise<void> {
  const { rows: [server] } = await sql<{ vacuums: boolean }>`
    select exists (select from pg_stat_activity where backend_type = 'autovacuum launcher') as vacuums`.execute(db)
  if (server?.vacuums === true) return
  for (const table of ['project_paper', 'paper', 'candidate', 'job', 'source_state', 'relevance_model', 'search_segment', 'search_block', 'search_document', 'search_gone', 'search_pending', 'feed_tally']) await sql`vacuum analyze ${sql.table(table)}`.execute(db)
}
