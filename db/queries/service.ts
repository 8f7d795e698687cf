import { sql } from 'kysely'
import type { Db } from '../connection.js'
import type { Database } from '../tables.js'

export interface TableSize {
  name: string
  /** As the database last estimated them; null where it has not yet. */
  rows: number | null
  bytes: number
}

/** Counting more rows than this takes longer than anybody waits for a page: beyond it the database's estimate stands. */
const countedRows = 50_000

/** "15.14". */
export async function serverVersion (db: Db): Promise<string> {
  const { rows: [server] } = await sql<{ version: string }>`select split_part(current_setting('server_version'), ' ', 1) as version`.execute(db)
  return server!.version
}

/** The tables, the largest first, with their indexes. */
export async function tableSizes (db: Db): Promise<TableSize[]> {
  const { rows } = await sql<TableSize>`
    select relname as name, case when reltuples >= 0 then reltuples::bigint end as rows, pg_total_relation_size(oid) as bytes
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname not like 'kysely%'
    order by bytes desc, name`.execute(db)
  return rows
}

/** How many rows tables have: counted where that is quick, else as the database estimates. */
export async function countRows<T extends keyof Database> (db: Db, tables: readonly T[], sizes: readonly TableSize[]): Promise<Record<T, number>> {
  const counts = await Promise.all(tables.map(async table => {
    const estimate = sizes.find(({ name }) => name === table)?.rows ?? 0
    if (estimate > countedRows) return [table, estimate] as const
    const { rows: [counted] } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
    return [table, counted!.count] as const
  }))
  return Object.fromEntries(counts) as Record<T, number>
}
