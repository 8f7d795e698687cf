import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import type { TableName } from './backup.js'

/** How the rows of an account are found in a table. */
interface AccountRows {
  /** Columns that identify a row of the account. */
  key: readonly [string, ...string[]]
  isOwn: (accountId: string) => RawBuilder<SqlBool>
  /** Columns that are left out. */
  secrets?: readonly string[]
}

const ownProjects = (accountId: string) => sql`(select id from project where account_id = ${accountId})`
const inOwnProject = (accountId: string) => sql<SqlBool>`project_id in ${ownProjects(accountId)}`
const ofAccount = (accountId: string) => sql<SqlBool>`account_id = ${accountId}`

/** Tables of a backup without rows in an export, with the reason. */
export const unexportedTables = {
  candidate: 'papers from sources that are in no feed',
  paper_alias: 'former ids of papers',
  paper_relation: 'links between papers, which their metadata state too',
  pdf_part: 'PDFs that wait for conversion; their texts are exported'
} as const satisfies { [Table in TableName]?: string }

/** Every other table of a backup. */
const exportedTables = {
  account: { key: ['id'], isOwn: accountId => sql`id = ${accountId}`, secrets: ['password_hash'] },
  session: { key: ['id'], isOwn: ofAccount, secrets: ['refresh_token_hash'] },
  mcp_key: { key: ['id'], isOwn: ofAccount, secrets: ['secret_hash', 'secret_check'] },
  project: { key: ['id'], isOwn: ofAccount },
  source_state: { key: ['project_id', 'name', 'query'], isOwn: inOwnProject },
  relevance_model: { key: ['project_id'], isOwn: inOwnProject },
  paper: {
    key: ['id'],
    isOwn: accountId => sql`(account_id = ${accountId} or id in (select paper_id from project_paper where ${inOwnProject(accountId)}))`
  },
  library_import: { key: ['id'], isOwn: ofAccount },
  project_paper: { key: ['id'], isOwn: inOwnProject },
  markdown: { key: ['paper_id'], isOwn: ofAccount },
  pdf_upload: { key: ['id'], isOwn: ofAccount },
  alert: { key: ['id'], isOwn: inOwnProject },
  alert_item: {
    key: ['alert_id', 'paper_id'],
    isOwn: accountId => sql`alert_id in (select id from alert where ${inOwnProject(accountId)})`
  },
  brief: { key: ['id'], isOwn: ofAccount },
  brief_item: {
    key: ['brief_id', 'project_id', 'paper_id'],
    isOwn: accountId => sql`brief_id in (select id from brief where ${ofAccount(accountId)})`
  },
  job: { key: ['id'], isOwn: ofAccount }
} as const satisfies Record<Exclude<TableName, keyof typeof unexportedTables>, AccountRows>

/** A table of which an account can export its rows. */
export type ExportedTable = keyof typeof exportedTables
/** All of them, in the order of an export. */
export const exportedTableNames = Object.keys(exportedTables) as ExportedTable[]

const batchSize = 200
/** Tables whose rows may have megabytes each; they are read one by one. */
const largeRows: ReadonlySet<ExportedTable> = new Set(['markdown', 'relevance_model'])

/**
 * Yields the rows of an account in a table as JSON, without secrets. Each batch is a statement of its own: a transaction that waits for a
 * slow download would hold up everybody else on the embedded database.
 */
export async function * readAccountRows (db: Db, accountId: string, table: ExportedTable): AsyncIterable<string[]> {
  const { key, isOwn, secrets = [] }: AccountRows = exportedTables[table]
  const limit = largeRows.has(table) ? 1 : batchSize
  const columns = sql.join(key.map(column => sql.ref(column)))
  let last: string[] | undefined
  for (;;) {
    const isLater = last === undefined ? sql`true` : sql`(${columns}) > (${sql.join(last)})`
    const { rows } = await sql<{ key: string[], row: string }>`
      select array[${sql.join(key.map(column => sql`${sql.ref(column)}::text`))}] as key,
        (to_jsonb(${sql.table(table)}.*) - ${[...secrets]}::text[])::text as row
      from ${sql.table(table)} where ${isOwn(accountId)} and ${isLater} order by ${columns} limit ${limit}`.execute(db)
    if (rows.length > 0) yield rows.map(({ row }) => row)
    if (rows.length < limit) return
    last = rows.at(-1)!.key
  }
}
