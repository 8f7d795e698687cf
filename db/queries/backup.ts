import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { DataRefused, LockNotAvailable } from '../errors.js'
import { up as separateFeedPapers } from '../migrations/2026-11-25-feed-papers.js'
import { convertRows } from '../migrations/2026-11-27-papers.js'
import { up as removeHiddenText } from '../migrations/2026-11-28-visible-text.js'
import { markAcknowledged } from '../migrations/2026-12-06-bounds.js'
import { markVotedSeen } from '../migrations/2026-12-06-item-state.js'
import { rememberUnsubscribed } from '../migrations/2026-12-21-unsubscriptions.js'
import { markEndedAlerts } from '../migrations/2027-01-01-ended-deleted-alerts.js'
import { convertRow as convertFoundPaper } from '../migrations/2026-12-22-import-sources.js'
import { up as markSharedReferences } from '../migrations/2026-12-29-shared-references.js'
import { limitRecall } from '../migrations/2026-12-30-recall-since.js'
import { rescoreInterests } from '../migrations/2027-02-13-exclusions.js'
import { nameRequesters } from '../migrations/2027-01-06-job-requesters.js'
import { up as removeMarkup } from '../migrations/2027-01-21-markup.js'
import { up as shortenArxivIds } from '../migrations/2027-01-22-arxiv-ids.js'
import { confirmAccounts } from '../migrations/2027-02-03-account-confirmations.js'
import { markWarnings } from '../migrations/2027-02-09-told-warnings.js'
import { separateRejections } from '../migrations/2027-02-16-import-rejections.js'
import { rescoreFeeds } from '../migrations/2027-02-18-vote-trust.js'
import { dateLeftItems } from '../migrations/2027-01-12-left-items.js'
import type { Database } from '../tables.js'
import { appointAdministrator } from './accounts.js'
import { uploadPartBytes } from './uploads.js'

/** The tables in a backup, each after those that it references. */
export const backupTables = [
  'account',
  'session',
  'mcp_key',
  'project',
  'paper',
  'markdown',
  'pdf_upload',
  'pdf_part',
  'paper_relation',
  'paper_alias',
  'paper_citation',
  'paper_notice',
  'paper_check',
  'account_notice',
  'library_import',
  'import_part',
  'project_paper',
  'candidate',
  'project_follow',
  'source_state',
  'disabled_source',
  'relevance_model',
  'former_interest',
  'alert',
  'alert_item',
  'alert_notice',
  'unsubscription',
  'deleted_alert',
  'brief',
  'brief_item',
  'share_link',
  'found_paper',
  'found_tally',
  'snapshot',
  'snapshot_part',
  'zotero_account',
  'zotero_sync',
  'zotero_item',
  'job'
] as const satisfies ReadonlyArray<keyof Database>
/** A table in a backup. */
export type TableName = typeof backupTables[number]

/** Tables whose content is derived or momentary: backups leave them out, and a restore rebuilds them. */
export const derivedTables = [
  'search_segment', 'search_block', 'search_document', 'search_pending', 'feed_tally', 'feed_change',
  'brief_position', 'source_slot', 'password_reset', 'invitation'
] as const satisfies ReadonlyArray<keyof Database>

/** Tables whose rows give access, which may have been withdrawn after the backup was made. */
export const accessTables = ['session', 'mcp_key', 'share_link'] as const satisfies readonly TableName[]

/** Number of rows by table that give access. */
export async function countAccess (db: Db): Promise<Record<typeof accessTables[number], number>> {
  const counts = { session: 0, mcp_key: 0, share_link: 0 }
  for (const table of accessTables) {
    counts[table] = (await db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
  }
  return counts
}

/** Number of snapshots that anyone can read: their publication, too, may have been taken back after the backup was made. */
export async function countPublishedSnapshots (db: Db): Promise<number> {
  const { count } = await db.selectFrom('snapshot').select(({ fn }) => fn.countAll<number>().as('count'))
    .where('published_at', 'is not', null).executeTakeFirstOrThrow()
  return count
}

/** Takes back the publication of all snapshots. */
export const unpublishSnapshots = (db: Db) =>
  db.updateTable('snapshot').set({ published_at: null }).where('published_at', 'is not', null).execute()

/** Ends all Atom addresses. Random versions cannot be those of addresses that were withdrawn after a backup. */
export const replaceFeedTokens = (db: Db) =>
  db.updateTable('account').set({ feed_token_version: sql<number>`floor(random() * 2e9)::integer` }).execute()

const batchSize = 500
/** Tables whose rows may have megabytes each; they are read one by one. */
const largeRows: ReadonlySet<TableName> = new Set([
  'markdown', 'pdf_part', 'import_part', 'relevance_model', 'job', 'library_import', 'snapshot_part'
])

/**
 * The oldest schema version whose backups can be restored: columns that a row lacks take their defaults. Raise it with a migration that
 * makes such defaults wrong.
 */
export const minRestorableVersion = '2026-11-21-sources'

/**
 * Applies to the rows of an older backup what later migrations did to existing rows: appoints an administrator, makes papers of journal
 * feeds private, converts metadata and matching_details, schedules rescoring, marks what briefs' readers acknowledged and which items share
 * references with liked papers, and, if the backup is older than that, removes characters that people cannot see and publishers' markup,
 * shortens ids of arXiv, counts papers with a vote as seen, dates those that left their feeds, limits recall under a weekly limit, names
 * who asked for jobs, remembers who unsubscribed, also from alerts that were deleted since, counts the addresses of accounts as proven,
 * marks the warnings of which accounts were notified, and separates the rejections of imports. Idempotent.
 * @param version the schema version of the backup
 */
export async function upgradeRows (db: Db, version: string): Promise<void> {
  await appointAdministrator(db)
  await separateFeedPapers(db)
  await convertRows(db)
  // Later texts may be in several rows, which it does not know.
  if (version < '2026-11-28-visible-text') await removeHiddenText(db)
  await rescoreFeeds(db)
  if (version < '2027-02-13-exclusions') await rescoreInterests(db)
  await markAcknowledged(db)
  await markSharedReferences(db)
  // In later backups, a vote without `seen_at` is an item that its owner marked as not seen.
  if (version < '2026-12-06-item-state') await markVotedSeen(db)
  if (version < '2026-12-21-unsubscriptions') await rememberUnsubscribed(db)
  if (version < '2026-12-30-recall-since') await limitRecall(db)
  if (version < '2027-01-01-ended-deleted-alerts') await markEndedAlerts(db)
  if (version < '2027-01-06-job-requesters') await nameRequesters(db)
  if (version < '2027-01-12-left-items') await dateLeftItems(db)
  if (version < '2027-01-21-markup') await removeMarkup(db)
  if (version < '2027-01-22-arxiv-ids') await shortenArxivIds(db)
  if (version < '2027-02-03-account-confirmations') await confirmAccounts(db)
  if (version < '2027-02-09-told-warnings') await markWarnings(db)
  if (version < '2027-02-16-import-rejections') await separateRejections(db)
}

/** A row of a backup. */
export interface BackupRow { table: TableName, row: Record<string, unknown> }

/**
 * Yields the rows that a row of an older backup has become. Uploads were one row with all bytes, as hexadecimal digits; found papers named
 * one import at most.
 */
export function * upgradeRow ({ table, row }: BackupRow): Iterable<BackupRow> {
  if (table === 'found_paper' && !Object.hasOwn(row, 'imports')) return yield { table, row: convertFoundPaper(row) }
  const { bytes, ...upload } = row
  if (table !== 'pdf_upload' || typeof bytes !== 'string') return yield { table, row }
  const digits = bytes.slice('\\x'.length)
  const id = randomUUID()
  yield { table, row: { ...upload, id, size_bytes: digits.length / 2, complete: true } }
  const digitsPerPart = 2 * uploadPartBytes
  for (let ordinal = 0; ordinal * digitsPerPart < digits.length; ordinal++) {
    const part = digits.slice(ordinal * digitsPerPart, (ordinal + 1) * digitsPerPart)
    yield { table: 'pdf_part', row: { upload_id: id, ordinal, bytes: `\\x${part}` } }
  }
}

/** Runs a read-only transaction that sees the database as of its start. */
export const readConsistently = <T>(db: Db, run: (transaction: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(run)

/** The job that writes a backup: restored, it would wait forever where no backups are scheduled. */
const withoutBackupJobs = sql`task <> 'back-up' or state in ('done', 'failed')`

/** Yields every row of a table that a backup has, as `readTable`. */
export const readTableForBackup = (db: Db, table: TableName): AsyncIterable<string> =>
  readTable(db, table, table === 'job' ? withoutBackupJobs : undefined)

/** Yields every row of a table as JSON, in no particular order, through a cursor. @param db a transaction @param condition of rows */
export async function * readTable (db: Db, table: TableName, condition = sql`true`): AsyncIterable<string> {
  // With its star: without it, the name would mean a column in a table that has one of that name, such as markdown.
  await sql`declare table_rows no scroll cursor for select to_jsonb(${sql.table(table)}.*)::text as row
    from ${sql.table(table)} where ${condition}`.execute(db)
  const count = sql.lit(largeRows.has(table) ? 1 : batchSize)
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${count} from table_rows`.execute(db)
    if (rows.length === 0) break
    for (const { row } of rows) yield row
  }
  await sql`close table_rows`.execute(db)
}

/**
 * Writes rows that readTable gave, all of them from one backup. Computed columns are recomputed; columns that the rows lack take their
 * defaults.
 * @param db a transaction
 * @returns the index of the row that the database refused, with the reason; -1 if it refused none
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
  // Writes them one by one to find the refused row.
  for (const [at, row] of rows.entries()) {
    const written = await writeRows(db, table, [row])
    if (written.refused === 0) return { ...written, refused: at }
  }
  return { refused: -1 }
}

async function insertRows (db: Db, table: TableName, rows: readonly object[]): Promise<void> {
  const columns = (await writableColumns(db, table))
    .filter(({ name, required }) => required || Object.hasOwn(rows[0]!, name))
    .map(({ name }) => name)
  const list = sql.join(columns.map(column => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${list}) select ${list}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(db)
}

/** Columns that the database does not compute, and whether a row must have a value for them. */
async function writableColumns (db: Db, table: TableName): Promise<Array<{ name: string, required: boolean }>> {
  const { rows } = await sql<{ name: string, required: boolean }>`
    select attname as name, attnotnull and not atthasdef and attidentity = '' as required from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(db)
  return rows
}

/** Whether no table of a backup has a row. */
export async function isEmpty (db: Db): Promise<boolean> {
  for (const table of backupTables) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(db)
    if (rows.length > 0) return false
  }
  return true
}

const allTables = [...backupTables, ...derivedTables]
const maxAttempts = 200

/**
 * Deletes all rows, under exclusive locks on all tables. @returns false if the locks could not be taken, because other processes use the
 * tables
 */
export async function clearTables (transaction: Db): Promise<boolean> {
  if (!await lockAll(transaction)) return false
  await sql`truncate ${sql.join(allTables.map(table => sql.table(table)))}`.execute(transaction)
  return true
}

/**
 * Locks all tables. Waits only for the first and takes the others without waiting: waiting while it holds a lock could deadlock with a
 * transaction that uses several tables. A table that is in use comes first in the next attempt.
 */
async function lockAll (transaction: Db): Promise<boolean> {
  let first = allTables[0]!
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    await sql`savepoint unlocked`.execute(transaction)
    await sql`lock table ${sql.table(first)}`.execute(transaction)
    const missing = await lockOthers(transaction)
    if (missing === undefined) return true
    await sql`rollback to savepoint unlocked`.execute(transaction)
    first = missing
  }
  return false
}

/** @returns the first table that another transaction uses; undefined if all are locked */
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

/** Accepts the items of projects that are being deleted, until the transaction ends. */
export const acceptDeletedProjects = (transaction: Db) => sql`select set_config('litfeed.restoring', 'on', true)`.execute(transaction)

/** Updates the planner's statistics of all tables, which a restore leaves without any. */
export const analyzeTables = (db: Db) => sql`analyze ${sql.join(allTables.map(table => sql.table(table)))}`.execute(db)
