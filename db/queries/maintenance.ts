import { sql } from 'kysely'
import type { Db } from '../connection.js'

/**
 * Service-wide upkeep: reclaims the space of deleted rows in every table where no autovacuum runs. PostgreSQL has its own process for that;
 * the embedded database has none.
 */
export async function vacuum (db: Db): Promise<void> {
  if (await hasAutovacuum(db)) return
  const { rows: tables } = await sql<{ schema: string, name: string }>`
    select schemaname as schema, relname as name from pg_stat_user_tables order by 1, 2`.execute(db)
  for (const { schema, name } of tables) await sql`vacuum analyze ${sql.table(`${schema}.${name}`)}`.execute(db)
}

/**
 * Reclaims the space of converted uploads immediately where no autovacuum runs: a few uploads can take more than the rest of the database.
 * The space of the last rows returns to the disk; the next upload reuses the remainder.
 */
export async function reclaimUploadSpace (db: Db): Promise<void> {
  if (await hasAutovacuum(db)) return
  for (const table of ['pdf_part', 'pdf_upload']) await sql`vacuum ${sql.table(table)}`.execute(db)
}

async function hasAutovacuum (db: Db): Promise<boolean> {
  const { rows: [server] } = await sql<{ autovacuum: boolean }>`
    select exists (select from pg_stat_activity where backend_type = 'autovacuum launcher') as autovacuum`.execute(db)
  return server?.autovacuum === true
}
