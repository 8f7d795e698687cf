import { sql } from 'kysely'
import type { Db } from '../connection.js'

/**
 * Entries of the planner's statistics for each column. PostgreSQL reads 300 rows for each entry, so its default of 100 entries would hold
 * up everyone on the embedded database for more than a second where abstracts are stored.
 */
const statisticsEntries = 20

/** A vacuum that finds nothing to do reads few pages, and keeps transaction ids from running out. */
const maxVacuumAgeDays = 7

/**
 * Service-wide upkeep: reclaims the space of deleted rows, and updates the planner's statistics, of the tables that changed, where no
 * autovacuum runs. PostgreSQL has its own process for that; the embedded database has none.
 */
export async function vacuum (db: Db): Promise<void> {
  if (await hasAutovacuum(db)) return
  // A session states its changes at most once a second.
  await sql`select pg_stat_force_next_flush()`.execute(db)
  // Vacuuming goes through all indexes of a table, however few of its rows were deleted. The numbers are those of autovacuum.
  const { rows: tables } = await sql<{ schema: string, name: string, isCrowded: boolean, changed: boolean }>`
    select stat.schemaname as schema, stat.relname as name,
      coalesce(stat.last_vacuum < now() - ${maxVacuumAgeDays} * interval '1 day', true)
        or stat.n_dead_tup > 50 + 0.2 * stat.n_live_tup
        or stat.n_ins_since_vacuum > 1000 + 0.2 * stat.n_live_tup
        or long_values.n_dead_tup > 50 + 0.2 * long_values.n_live_tup as "isCrowded",
      stat.last_analyze is null or stat.n_mod_since_analyze > 50 + 0.1 * stat.n_live_tup as changed
    from pg_stat_user_tables stat join pg_class on pg_class.oid = stat.relid
    left join pg_stat_all_tables long_values on long_values.relid = pg_class.reltoastrelid
    order by 1, 2`.execute(db)
  for (const { schema, name, isCrowded, changed } of tables) {
    const table = `${schema}.${name}`
    if (isCrowded) await vacuumInSteps(db, table)
    if (changed) await analyze(db, table)
  }
}

/** Vacuums a table in steps, between which others use the database: the table, its indexes, and its end, which returns to the disk. */
async function vacuumInSteps (db: Db, table: string): Promise<void> {
  for (const options of [sql`index_cleanup off, truncate off`, sql`truncate off`, sql`truncate on`]) {
    await sql`vacuum (${options}) ${sql.table(table)}`.execute(db)
  }
}

/** After this many new papers, the query planner needs new statistics. */
const minPapersForAnalyze = 1000

/** Growth of a table since its last analysis that needs another: accounts that import again and again cause few. */
const minGrowth = 1.1

/**
 * Updates the planner's statistics of papers and feeds, which would otherwise wait for maintenance, if many papers were added and the
 * tables grew much, as with a first import.
 * @param added papers that an import or a fetch has just added
 */
export async function refreshStatistics (db: Db, added: number): Promise<void> {
  if (added < minPapersForAnalyze) return
  // An analysis or a vacuum records the pages of a table.
  const { rows: grown } = await sql<{ name: string }>`
    select relname as name from pg_class where oid in ('paper'::regclass, 'project_paper'::regclass)
      and pg_relation_size(oid) > ${minGrowth}::float8 * relpages * current_setting('block_size')::integer order by 1`.execute(db)
  if (grown.length === 0) return
  const isAutomatic = await hasAutovacuum(db)
  for (const { name } of grown) {
    if (isAutomatic) await sql`analyze ${sql.table(name)}`.execute(db)
    else await analyze(db, name)
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
  await vacuumInSteps(db, parts)
  await vacuumInSteps(db, files)
}

async function hasAutovacuum (db: Db): Promise<boolean> {
  const { rows: [server] } = await sql<{ autovacuum: boolean }>`
    select exists (select from pg_stat_activity where backend_type = 'autovacuum launcher') as autovacuum`.execute(db)
  return server?.autovacuum === true
}
