import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { Ajv } from 'ajv'
import type { Static } from 'typebox'
import { analyzeTables, upgradeRows, clearTables, runTransaction, isEmpty, minRestorableVersion, backupTables, type TableName, writeRows } from '../../../db/queries/backup.js'
import type { Db } from '../../../db/connection.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { databaseVersion } from '../../../db/migrate.js'
import { BackupHeader, BackupResult, RestoreInput } from '../../../schemas/backup.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { indexAllPending } from '../../search/indexing.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** What is written at once: so many rows, or fewer whose lines have so many characters together. */
const rowsAtOnce = 250
const charactersAtOnce = 8_000_000
const isHeader = new Ajv().compile<Static<typeof BackupHeader>>(BackupHeader)

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
  async handler ({ db }: ServiceContext, { file, replace = false }) {
    const version = (await databaseVersion(db))!
    const rows = await runTransaction(db, async transaction => {
      if (replace) {
        if (!await clearTables(transaction)) throw new InvalidArguments('The service works with the database all the time. Nothing was changed: stop the service, and restore again.')
      } else if (!await isEmpty(transaction)) throw new InvalidArguments('The database is not empty. To remove what it holds first, add --replace.')
      const rows = await readInto(transaction, file, version)
      await upgradeRows(transaction)
      return rows
    })
    await indexAllPending(searchStorage(db))
    await analyzeTables(db)
    return { file, version, rows }
  }
})

async function readInto (db: Db, file: string, version: string): Promise<number> {
  const notWhole = (what: string, cause?: unknown) => new InvalidArguments(`${file} ${what}. Nothing was changed.`, { cause })
  const damaged = (line: number, why: string, { cause }: { cause?: unknown } = {}) => notWhole(`is damaged in line ${line}: ${why}${cause instanceof Error ? ` (${cause.message})` : ''}`, cause)
  const source = createReadStream(file)
  const text = source.pipe(createGunzip())
  // An error of the file would not reach the reader of the lines by itself.
  source.on('error', cause => text.destroy(cause))
  let line = 0
  let rows = 0
  let ended = false
  let table: TableName | undefined
  let waiting: Array<{ line: number, row: object }> = []
  let characters = 0
  const flush = async () => {
    if (table === undefined || waiting.length === 0) return
    const written = await writeRows(db, table, waiting.map(({ row }) => row))
    if (written.refused >= 0) throw damaged(waiting[written.refused]!.line, `its row of ${table} cannot be stored`, written)
    waiting = []
    characters = 0
  }
  try {
    for await (const written of createInterface({ input: text, crlfDelay: Infinity })) {
      line++
      const value = parse(written)
      if (line === 1) {
        if (!isHeader(value)) throw notWhole('is no backup of Litfeed')
        if (value.version > version) throw notWhole(`is a backup of database version ${value.version}; this program has ${version}. Restore it with the litfeed that made it (${value.program}) or a newer one`)
        if (value.version < minRestorableVersion) throw notWhole(`is a backup of database version ${value.version}, which this program is too new for. Restore it with the litfeed that made it (${value.program}), and upgrade after that`)
        continue
      }
      if (value === undefined) throw damaged(line, 'it is no JSON')
      if (!isObject(value)) throw damaged(line, 'it is no row of a table')
      if (value.end === true) {
        ended = value.rows === rows
        break
      }
      if (!isTable(value.table)) throw damaged(line, 'it is of an unknown table')
      if (!isObject(value.row)) throw damaged(line, `it has no row of ${value.table}`)
      if (value.table !== table || waiting.length >= rowsAtOnce || characters + written.length > charactersAtOnce) {
        await flush()
        table = value.table
      }
      waiting.push({ line, row: value.row })
      characters += written.length
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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const isTable = (name: unknown): name is TableName => (backupTables as readonly unknown[]).includes(name)

/** @returns undefined for what is no JSON */
function parse (written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return undefined
  }
}

const isFaultOfFile = (cause: unknown) => /^(Z_|ENOENT|EACCES|EISDIR)/.test((cause as NodeJS.ErrnoException).code ?? '')
