import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connection.js'
import type { Database } from '../tables.js'

/** Size of a table with its indexes. */
export interface TableSize {
  name: string
  /** The database's latest estimate; null before the first. */
  rows: number | null
  bytes: number
}

/** Tables with more rows are not counted, since that takes too long for a page; their estimate is used. */
const maxCountedRows = 50_000
/** Tables of which some rows are not counted: the further parts of long texts. */
const countedRows: { [Table in keyof Database]?: RawBuilder<unknown> } = { markdown: sql`where start = 0` }

/** Version of the PostgreSQL server, such as "15.14". */
export async function serverVersion (db: Db): Promise<string> {
  const {
    rows: [server]
  } = await sql<{ version: string }>`select split_part(current_setting('server_version'), ' ', 1) as version`.execute(db)
  return server!.version
}

/** Sizes of all tables, largest first. */
export async function tableSizes (db: Db): Promise<TableSize[]> {
  const { rows } = await sql<TableSize>`
    select relname as name, case when reltuples >= 0 then reltuples::bigint end as rows, pg_total_relation_size(oid) as bytes
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname not like 'kysely%'
    order by bytes desc, name`.execute(db)
  return rows
}

/** Number of rows by table: exact for small tables, estimated for large ones. @param sizes from tableSizes */
export async function countTableRows<T extends keyof Database> (
  db: Db,
  tables: readonly T[],
  sizes: readonly TableSize[]
): Promise<Record<T, number>> {
  const counts = await Promise.all(
    tables.map(async table => {
      const estimate = sizes.find(({ name }) => name === table)?.rows ?? 0
      if (estimate > maxCountedRows) return [table, estimate] as const
      const {
        rows: [counted]
      } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)} ${countedRows[table] ?? sql``}`.execute(db)
      return [table, counted!.count] as const
    })
  )
  return Object.fromEntries(counts) as Record<T, number>
}
