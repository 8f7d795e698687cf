import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { Value } from 'typebox/value'
import { appointAdministrator } from '../../db/queries/accounts.js'
import { analyzeAll, clearTables, inOneTransaction, isEmpty, oldestRestorable, tablesInOrder, type TableName, writeRows } from '../../db/queries/backup.js'
import type { Db } from '../../db/connection.js'
import { takeInAll } from '../../db/queries/search-index.js'
import { databaseVersion } from '../../db/migrate.js'
import { BackupHeader, BackupResult, RestoreInput } from '../../schemas/backup.js'
import { InvalidArguments } from '../errors.js'
import { operation, type ServiceContext } from './operation.js'

const rowsAtOnce = 250

/**
 * Makes the database what a backup says, in one transaction: whatever goes wrong, it stays as it was.
 * @throws InvalidArguments when the file is no whole backup of this version or an earlier one, or the database is not empty and `replace` is not set
 */
export const restore = operation({
  name: 'restore',
  title: 'Restore',
  description: 'Fills the database from a backup.',
  input: RestoreInput,
  output: BackupResult,
  async run ({ db }: ServiceContext, { file, replace = false }) {
    const version = (await databaseVersion(db))!
    const rows = await inOneTransaction(db, async transaction => {
      if (replace) await clearTables(transaction)
      else if (!await isEmpty(transaction)) throw new InvalidArguments('The database is not empty. To remove what it holds first, add --replace.')
      const rows = await readInto(transaction, file, version)
      // Backups from before there were any hold none.
      await appointAdministrator(transaction)
      return rows
    })
    await takeInAll(db)
    await analyzeAll(db)
    return { file, version, rows }
  }
})

async function readInto (db: Db, file: string, version: string): Promise<number> {
  const notWhole = (what: string, cause?: unknown) => new InvalidArguments(`${file} ${what}. Nothing was changed.`, { cause })
  const source = createReadStream(file)
  const text = source.pipe(createGunzip())
  // An error of the file would not reach the reader of the lines by itself.
  source.on('error', cause => text.destroy(cause))
  let line = 0
  let rows = 0
  let ended = false
  let table: TableName | undefined
  let waiting: object[] = []
  const flush = async () => {
    if (table !== undefined && waiting.length > 0) await writeRows(db, table, waiting)
    waiting = []
  }
  try {
    for await (const written of createInterface({ input: text, crlfDelay: Infinity })) {
      line++
      const value = JSON.parse(written) as { table?: TableName, row?: object, end?: boolean, rows?: number }
      if (line === 1) {
        if (!Value.Check(BackupHeader, value)) throw notWhole('is no backup of Litfeed')
        if (value.version > version) throw notWhole(`is a backup of database version ${value.version}; this program has ${version}. Restore it with the litfeed that made it (${value.program}) or a newer one`)
        if (value.version < oldestRestorable) throw notWhole(`is a backup of database version ${value.version}, which this program is too new for. Restore it with the litfeed that made it (${value.program}), and upgrade after that`)
        continue
      }
      if (value.end === true) {
        ended = value.rows === rows
        break
      }
      if (!tablesInOrder.includes(value.table!)) throw notWhole(`has an unknown table in line ${line}`)
      if (value.table !== table || waiting.length >= rowsAtOnce) {
        await flush()
        table = value.table
      }
      waiting.push(value.row!)
      rows++
    }
  } catch (cause) {
    if (cause instanceof InvalidArguments || !isFaultOfFile(cause)) throw cause
    throw notWhole((cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'is no backup of Litfeed, or is damaged', cause)
  }
  if (!ended) throw notWhole('is cut short')
  await flush()
  return rows
}

const isFaultOfFile = (cause: unknown) => cause instanceof SyntaxError || /^(Z_|ENOENT|EACCES|EISDIR)/.test((cause as NodeJS.ErrnoException).code ?? '')
