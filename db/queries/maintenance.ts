import { sql } from 'kysely'
import type { Db } from '../connection.js'

/**
 * Entries of the planner's statistics for each column. PostgreSQL reads 300 rows for each entry, so its default of 100 entries would hold
 * up everyone on the embedded database for more than a second where abstracts are stored.
 */
const statisticsEntries = 20

/**
 * Service-wide upkeep: reclaims the space of deleted rows in every table, and updates the planner's statistics of those that changed, where
 * no autovacuum runs. PostgreSQL has its own process for that; the embedded database has none.
 */
export async function vacuum (db: Db): Promise<void> {
  if (await hasAutovacuum(db)) return
  const { rows: tables } = await sql<{ schema: string, name: string, changed: boolean }>`
    select schemaname as schema, relname as name,
      last_analyze is null or n_mod_since_analyze > 50 + 0.1 * n_live_tup as changed -- As autovacuum has it.
    from pg_stat_user_tables order by 1, 2`.execute(db)
  for (const { schema, name, changed } of tables) {
    const table = `${schema}.${name}`
    await sql`vacuum ${sql.table(table)}`.execute(db)
    if (changed) await analyze(db, table)
  }
}

/** After this many new papers, the query planner needs new statistics. */
const minPapersForAnalyze = 1000

/**
 * Updates the planner's statistics of papers and feeds, which would otherwise wait for maintenance, if many papers were added.
 * @param added papers that an import or a fetch has just added
 */
export async function refreshStatistics (db: Db, added: number): Promise<void> {
  if (added < minPapersForAnalyze) return
  const isAutomatic = await hasAutovacuum(db)
  for (const table of ['paper', 'project_paper']) {
    if (isAutomatic) await sql`analyze ${sql.table(table)}`.execute(db)
    else await analyze(db, table)
  }
}

const analyze = async (db: Db, table: string): Promise<void> =>
  await db.transaction().execute(async transaction => {
    await sql`select set_config('default_statistics_target', ${String(statisticsEntries)}, true)`.execute(transaction)
    await sql`analyze ${sql.table(table)}`.execute(transaction)
  })

/** The tables of stored files: of their parts, and of the files. */
const fileTables = { pdf: ['pdf_part', 'pdf_upload'], import: ['import_part', 'library_import'] } as const

/**
 * Reclaims the space of removed files immediately where no autovacuum runs: a few files can take more than the rest of the database. The
 * space of the last rows returns to the disk; the next file reuses the remainder.
 */
export async function reclaimFileSpace (db: Db, kind: keyof typeof fileTables): Promise<void> {
  if (await hasAutovacuum(db)) return
  const [parts, files] = fileTables[kind]
  // Others run before the space returns to the disk, which takes half as long as the rest.
  await sql`vacuum (truncate off) ${sql.table(parts)}`.execute(db)
  await sql`vacuum ${sql.table(parts)}`.execute(db)
  await sql`vacuum ${sql.table(files)}`.execute(db)
}

async function hasAutovacuum (db: Db): Promise<boolean> {
  const { rows: [server] } = await sql<{ autovacuum: boolean }>`
    select exists (select from pg_stat_activity where backend_type = 'autovacuum launcher') as autovacuum`.execute(db)
  return server?.autovacuum === true
}
