import { sql } from 'kysely'
import type { Db } from '../connection.js'

/**
 * Service-wide upkeep: reclaims the space of deleted rows in every table where no autovacuum runs. PostgreSQL has its own process for that;
 * the embedded database has none.
 */
export async function vacuum (db: Db): Promise<void> {
  const { rows: [server] } = await sql<{ autovacuum: boolean }>`
    select exists (select from pg_stat_activity where backend_type = 'autovacuum launcher') as autovacuum`.execute(db)
  if (server?.autovacuum === true) return
  const { rows: tables } = await sql<{ schema: string, name: string }>`
    select schemaname as schema, relname as name from pg_stat_user_tables order by 1, 2`.execute(db)
  for (const { schema, name } of tables) await sql`vacuum analyze ${sql.table(`${schema}.${name}`)}`.execute(db)
}
