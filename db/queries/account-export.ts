import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { keysOf } from '../../schemas/closed-lists.js'
import type { Db } from '../connection.js'
import type { TableName } from './backup.js'
import { estimatedBytes, maxStatementBytes } from './record-bytes.js'
import { batchesOf } from './sized-batches.js'

/** How the rows of an account are found in a table. */
interface AccountRows {
  /** Columns that identify a row of the account. With a parent, the first names it. */
  key: readonly [string, ...string[]]
  /** Finds the account's rows in tables without a parent. */
  isOwn?: (accountId: string) => RawBuilder<SqlBool>
  /** Whether the rows are those of the account's papers, one for each at most. */
  ofPapers?: true
  /** Large tables are read parent by parent, along an index. */
  parent?: 'project' | 'alert' | 'brief' | 'snapshot'
  /** Columns that are left out: secrets, and what other columns state too. */
  secrets?: readonly string[]
  /** Columns that may have megabytes each. */
  large?: readonly string[]
}

const inOwnProject = (accountId: string) => sql<SqlBool>`project_id in (select id from project where account_id = ${accountId})`
const ofAccount = (accountId: string) => sql<SqlBool>`account_id = ${accountId}`

/** Tables of a backup without rows in an export, with the reason. */
export const unexportedTables = {
  candidate: 'papers from sources that are in no feed',
  disabled_source: 'a setting of the service',
  import_part: 'files that wait to be imported',
  paper_alias: 'former ids of papers',
  paper_check: 'when sources were asked about papers',
  paper_relation: 'links between papers, which their metadata state too',
  pdf_part: 'PDFs that wait for conversion; their texts are exported'
} as const satisfies { [Table in TableName]?: string }

/** Every other table of a backup. */
const exportedTables = {
  account: { key: ['id'], isOwn: accountId => sql`id = ${accountId}`, secrets: ['password_hash'] },
  session: { key: ['id'], isOwn: ofAccount, secrets: ['refresh_token_hash'] },
  mcp_key: { key: ['id'], isOwn: ofAccount, secrets: ['secret_hash', 'secret_check'] },
  project: { key: ['id'], isOwn: ofAccount },
  project_follow: { key: ['id'], isOwn: inOwnProject },
  source_state: { key: ['project_id', 'name', 'query'], isOwn: inOwnProject },
  relevance_model: { key: ['project_id'], isOwn: inOwnProject, large: ['model'] },
  former_interest: { key: ['project_id', 'until'], isOwn: inOwnProject },
  paper: { key: ['id'] },
  paper_citation: { key: ['paper_id'], ofPapers: true },
  account_notice: { key: ['notice_id'], isOwn: ofAccount },
  paper_notice: {
    key: ['id'],
    isOwn: accountId => sql`id in (select notice_id from account_notice where account_id = ${accountId})`
  },
  library_import: { key: ['id'], isOwn: ofAccount, large: ['counts', 'result', 'more_rejected', 'feeds'] },
  project_paper: { key: ['project_id', 'paper_id'], parent: 'project', secrets: ['tag_keys'] },
  markdown: { key: ['paper_id', 'start'], isOwn: ofAccount, large: ['markdown'] },
  pdf_upload: { key: ['id'], isOwn: ofAccount },
  alert: { key: ['id'], isOwn: inOwnProject },
  alert_item: { key: ['alert_id', 'paper_id'], parent: 'alert' },
  alert_notice: { key: ['alert_id', 'notice_id', 'withdrawn'], parent: 'alert' },
  unsubscription: { key: ['address'], isOwn: ofAccount },
  deleted_alert: { key: ['id'], isOwn: ofAccount },
  brief: { key: ['id'], isOwn: ofAccount },
  brief_item: { key: ['brief_id', 'project_id', 'paper_id'], parent: 'brief' },
  share_link: { key: ['id'], isOwn: inOwnProject, secrets: ['token_hash'] },
  found_paper: { key: ['project_id', 'paper_id'], parent: 'project' },
  found_tally: { key: ['project_id', 'day', 'sources'], parent: 'project' },
  snapshot: { key: ['id'], isOwn: inOwnProject },
  snapshot_part: { key: ['snapshot_id', 'ordinal'], parent: 'snapshot', large: ['content'] },
  zotero_account: { key: ['account_id'], isOwn: ofAccount, secrets: ['api_key'] },
  zotero_sync: { key: ['project_id'], isOwn: inOwnProject },
  zotero_item: { key: ['project_id', 'library', 'item_key'], parent: 'project' },
  job: { key: ['id'], isOwn: ofAccount, large: ['result'] }
} as const satisfies Record<Exclude<TableName, keyof typeof unexportedTables>, AccountRows>

/** A table of which an account can export its rows. */
export type ExportedTable = keyof typeof exportedTables
/** All of them, in the order of an export. */
export const exportedTableNames: readonly ExportedTable[] = keysOf(exportedTables)

const batchSize = 200
/** Keys of one statement, which finds them by an index. */
const maxKeys = 1000
/** Bytes of the large columns of a batch as they are stored, which is compressed. A row with more is read alone. */
const maxBatchBytes = 64 * 1024

type Key = string[]

/** Keys with the bytes of their rows, and those that a batch has at most. */
interface SizedKeys { keys: Key[], bytes: number[], maxBytes: number }

/** Rows of a table by their keys in a range of it. */
interface KeyPage extends SizedKeys { range: RawBuilder<SqlBool>, columns: readonly string[] }

/**
 * Yields the rows of an account in a table as JSON, without secrets. Each batch is a statement of its own, whose time does not depend on
 * the size of the table: a transaction that waits for a slow download would hold up everybody else on the embedded database.
 */
export async function * readAccountRows (db: Db, accountId: string, table: ExportedTable): AsyncIterable<string[]> {
  const { secrets = [] }: AccountRows = exportedTables[table]
  for await (const { range, columns, keys, bytes, maxBytes } of listExportKeys(db, accountId, table)) {
    const key = listOf(columns)
    for (const batch of batchesOf(keys, bytes, { maxItems: batchSize, maxBytes })) {
      const some = batch.map(values => sql`(${sql.join(values)})`)
      const { rows } = await sql<{ row: string }>`
        select (to_jsonb(${sql.table(table)}.*) - ${[...secrets]}::text[])::text as row from ${sql.table(table)}
        where ${range} and (${key}) in (${sql.join(some)}) order by ${key}`.execute(db)
      if (rows.length > 0) yield rows.map(({ row }) => row)
    }
  }
}

/** The keys of an account's rows in a table, many at a time. */
async function * listExportKeys (db: Db, accountId: string, table: ExportedTable): AsyncIterable<KeyPage> {
  const { key, isOwn, ofPapers, parent }: AccountRows = exportedTables[table]
  if (table === 'paper' || ofPapers === true) {
    for await (const page of listPaperKeys(db, accountId)) yield { range: sql`true`, columns: key, ...page }
  } else if (parent === undefined) yield * walkKeys(db, table, key, isOwn!(accountId))
  else {
    const [parentColumn, ...columns] = key
    for await (const id of listIds(db, accountId, parent)) yield * walkKeys(db, table, columns, sql`${sql.ref(parentColumn)} = ${id}`)
  }
}

async function * listIds (db: Db, accountId: string, table: ExportedTable): AsyncIterable<string> {
  for await (const { keys } of listExportKeys(db, accountId, table)) for (const [id] of keys) yield id!
}

/** The papers of the account's feeds, feed by feed, each once, and its own papers that are in no feed. */
async function * listPaperKeys (db: Db, accountId: string): AsyncIterable<SizedKeys> {
  for await (const id of listIds(db, accountId, 'project')) {
    const pages = walkKeys(db, 'project_paper', ['paper_id'], sql`project_id = ${id}`)
    for await (const { keys } of pages) yield await withoutListed(db, accountId, keys, sql`and project.id < ${id}`)
  }
  for await (const { keys } of walkKeys(db, 'paper', ['id'], ofAccount(accountId))) yield await withoutListed(db, accountId, keys, sql``)
}

/**
 * Those of these papers that no feed of the account contains. With a limit, the planner looks each up by an index.
 * @param among which feeds
 */
async function withoutListed (db: Db, accountId: string, keys: readonly Key[], among: RawBuilder<unknown>): Promise<SizedKeys> {
  const { rows } = await sql<{ id: string, bytes: number }>`
    select listed.id, coalesce((select ${estimatedBytes} from paper where paper.id = listed.id), 0) as bytes
    from unnest(${keys.map(([id]) => id)}::uuid[]) as listed (id)
    where (
      select true from project_paper join project on project.id = project_paper.project_id
      where project_paper.paper_id = listed.id and project.account_id = ${accountId} ${among} limit 1
    ) is null order by listed.id`.execute(db)
  return { keys: rows.map(({ id }) => [id]), bytes: rows.map(({ bytes }) => bytes), maxBytes: maxStatementBytes }
}

/** The keys of a range of a table in their order, along an index. */
async function * walkKeys (db: Db, table: ExportedTable, columns: readonly string[], range: RawBuilder<SqlBool>): AsyncIterable<KeyPage> {
  const { large }: AccountRows = exportedTables[table]
  const size = large === undefined ? sql`0` : sql.join(large.map(column => sql`coalesce(pg_column_size(${sql.ref(column)}), 0)`), sql` + `)
  for (let last: Key | undefined; ;) {
    const isLater = last === undefined ? sql`true` : sql`(${listOf(columns)}) > (${sql.join(last)})`
    const { rows } = await sql<{ key: Key, bytes: number }>`
      select array[${sql.join(columns.map(column => sql`${sql.ref(column)}::text`))}] as key, ${size} as bytes from ${sql.table(table)}
      where ${range} and ${isLater} order by ${listOf(columns)} limit ${maxKeys}`.execute(db)
    const [keys, bytes] = [rows.map(({ key }) => key), rows.map(({ bytes }) => bytes)]
    if (rows.length > 0) yield { range, columns, keys, bytes, maxBytes: maxBatchBytes }
    if (rows.length < maxKeys) return
    last = rows.at(-1)!.key
  }
}

const listOf = (columns: readonly string[]) => sql.join(columns.map(column => sql.ref(column)))
