import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { DataRefused, LockNotAvailable } from '../errors.js'
import { up as separateFeedPapers } from '../migrations/2026-11-25-feed-papers.js'
import { convertRows } from '../migrations/2026-11-27-papers.js'
import type { Database } from '../tables.js'
import { appointAdministrator } from './accounts.js'

/** Every table, in an order in which each comes after those that it refers to. */
export const tablesInOrder = [
  'account', 'session', 'mcp_key', 'project', 'paper', 'markdown', 'pdf_upload', 'paper_relation', 'paper_alias', 'project_paper', 'candidate', 'source_state',
  'relevance_model', 'alert', 'alert_item', 'job'
] as const satisfies ReadonlyArray<keyof Database>
export type TableName = typeof tablesInOrder[number]

/** What is made of the others, or of the moment: in no backup, and made anew from what is restored. */
export const derivedTables = [
  'search_segment', 'search_block', 'search_document', 'search_gone', 'search_pending', 'feed_tally', 'source_turn'
] as const satisfies ReadonlyArray<keyof Database>

const rowsAtOnce = 500
/** Whose rows may be of a hundred megabytes each, and are read one by one. */
const largeRows: ReadonlySet<TableName> = new Set(['markdown', 'pdf_upload', 'relevance_model'])

/**
 * Backups of this version of the tables and of every later one can be restored: what a row of then does not have takes its default now. A
 * migration after which that would be wrong raises it.
 */
export const oldestRestorable = '2026-11-21-sources'

/**
 * Does for the rows of an older backup what later migrations did: appoints an administrator, gives papers of journal feeds to their readers, and
 * brings metadata and matching_details into form. Twice has the effect of once.
 */
export async function bringUpToDate (db: Db): Promise<void> {
  await appointAdministrator(db)
  await separateFeedPapers(db)
  await convertRows(db)
}

/** A transaction that sees the database as it is at this moment, whatever is written meanwhile. */
export const atOneMoment = <T>(db: Db, run: (transaction: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(run)

/** Yields every row of a table as JSON text, in no order, a few at a time. Runs inside a transaction, which holds its cursor. */
export async function * readTable (db: Db, table: TableName): AsyncIterable<string> {
  // With its star, since the name alone would be that of a column where there is one: markdown has one.
  await sql`declare table_rows no scroll cursor for select to_jsonb(${sql.table(table)}.*)::text as row from ${sql.table(table)}`.execute(db)
  const count = sql.lit(largeRows.has(table) ? 1 : rowsAtOnce)
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${count} from table_rows`.execute(db)
    if (rows.length === 0) break
    for (const { row } of rows) yield row
  }
  await sql`close table_rows`.execute(db)
}

/**
 * Writes rows as readTable gave them, all of one backup. Columns that the database computes are computed anew; those that the rows do not have,
 * since they are of an older version, take their defaults.
 * @returns -1, or the place of the row that the database refuses, with its reason
 */
export async function writeRows (db: Db, table: TableName, rows: readonly object[]): Promise<{ refused: number, cause?: Error }> {
  await sql`savepoint rows`.execute(db)
  try {
    await insertRows(db, table, rows)
    await sql`release savepoint rows`.execute(db)
    return { refused: -1 }
  } catch (cause) {
    if (!(cause instanceof DataRefused)) throw cause
    if (rows.length === 1) return { refused: 0, cause }
    await sql`rollback to savepoint rows`.execute(db)
  }
  // One of them: which, is seen when each comes alone.
  for (const [at, row] of rows.entries()) {
    const written = await writeRows(db, table, [row])
    if (written.refused === 0) return { ...written, refused: at }
  }
  return { refused: -1 }
}

async function insertRows (db: Db, table: TableName, rows: readonly object[]): Promise<void> {
  const columns = (await writableColumns(db, table)).filter(({ name, required }) => required || Object.hasOwn(rows[0]!, name)).map(({ name }) => name)
  const list = sql.join(columns.map(column => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${list}) select ${list} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(db)
}

/** Those of a table, and whether a row must say what stands in them. */
async function writableColumns (db: Db, table: TableName): Promise<Array<{ name: string, required: boolean }>> {
  const { rows } = await sql<{ name: string, required: boolean }>`
    select attname as name, attnotnull and not atthasdef and attidentity = '' as required from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(db)
  return rows
}

export async function isEmpty (db: Db): Promise<boolean> {
  for (const table of tablesInOrder) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(db)
    if (rows.length > 0) return false
  }
  return true
}

const allTables = [...tablesInOrder, ...derivedTables]
const mostTries = 200

/** Removes everything, under locks that let nobody in meanwhile. @returns false where it cannot have them, since others work all the time */
export async function clearTables (transaction: Db): Promise<boolean> {
  if (!await lockAll(transaction)) return false
  await sql`truncate ${sql.join(allTables.map(table => sql.table(table)))}`.execute(transaction)
  return true
}

/**
 * Waits for one table at a time, and while it holds none: whoever works with several would wait for the held one, and neither could go on.
 * The table that was missing is the first of the next try, so that those who begin with it wait outside.
 */
async function lockAll (transaction: Db): Promise<boolean> {
  let first = allTables[0]!
  for (let tries = 0; tries < mostTries; tries++) {
    await sql`savepoint unlocked`.execute(transaction)
    await sql`lock table ${sql.table(first)}`.execute(transaction)
    const missing = await lockOthers(transaction)
    if (missing === undefined) return true
    await sql`rollback to savepoint unlocked`.execute(transaction)
    first = missing
  }
  return false
}

/** @returns the first table that another has at this moment; undefined where all are locked */
async function lockOthers (transaction: Db): Promise<typeof allTables[number] | undefined> {
  for (const table of allTables) {
    try {
      await sql`lock table ${sql.table(table)} nowait`.execute(transaction)
    } catch (cause) {
      if (!(cause instanceof LockNotAvailable)) throw cause
      return table
    }
  }
  return undefined
}

export const inOneTransaction = <T>(db: Db, run: (transaction: Db) => Promise<T>): Promise<T> => db.transaction().execute(run)

export const analyzeAll = (db: Db) => sql`analyze ${sql.join(allTables.map(table => sql.table(table)))}`.execute(db)
