import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import {
  acceptDeletedProjects, accessTables, analyzeTables, backupTables, type BackupRow, clearTables, countAccess, countPublishedSnapshots,
  isEmpty, minRestorableVersion, replaceFeedTokens, runTransaction, type TableName, unpublishSnapshots, upgradeRow, upgradeRows, writeRows
} from '../../../db/queries/backup.js'
import type { Db } from '../../../db/connection.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { databaseVersion } from '../../../db/migrate.js'
import { BackupHeader, RestoreInput, RestoreResult } from '../../../schemas/backup.js'
import { isObject } from '../../../schemas/json-object.js'
import { lazyValidator } from '../../../schemas/lazy-validator.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { indexAllPending } from '../../search/indexing.js'
import type { ServiceContext } from '../context.js'
import { readBackupLines } from '../../backups/backup-lines.js'
import { operation } from '../operation.js'

/** A batch is full at either limit. */
const maxBatchRows = 250
const maxBatchCharacters = 2_000_000
const headerValidator = lazyValidator(BackupHeader)

/** The file is not a complete backup, whatever version restores it. */
export class DamagedBackup extends InvalidArguments {}

/**
 * Fills the database from a backup in one transaction. After an error the database is unchanged. What was revoked after the backup was made
 * works again, unless `revoke_access` is set.
 * @throws InvalidArguments if the file is not a complete backup of this version or an earlier one, or if the database is not empty and
 * `replace` is not set
 */
export const restore = operation({
  name: 'restore',
  title: 'Restore',
  description: 'Fills the database from a backup.',
  input: RestoreInput,
  output: RestoreResult,
  async handler ({ db }: Pick<ServiceContext, 'db'>, { file, replace = false, revoke_access: revokesAccess = false }) {
    const version = (await databaseVersion(db))!
    const { rows, created_at, access, published_snapshots } = await runTransaction(db, async transaction => {
      if (replace) {
        if (!await clearTables(transaction)) {
          throw new InvalidArguments('The service is using the database. Nothing was changed. Stop the service and restore again.')
        }
      } else if (!await isEmpty(transaction)) {
        throw new InvalidArguments('The database is not empty. Add --replace to delete its data first.')
      }
      await acceptDeletedProjects(transaction)
      const restored = await readInto(transaction, { file, version, leftOut: revokesAccess ? accessTables : [] })
      await upgradeRows(transaction, restored.version)
      if (revokesAccess) {
        await replaceFeedTokens(transaction)
        await unpublishSnapshots(transaction)
      }
      return { ...restored, access: await countAccess(transaction), published_snapshots: await countPublishedSnapshots(transaction) }
    })
    await indexAllPending(searchStorage(db))
    await analyzeTables(db)
    const { session: sessions, mcp_key: keys, share_link: share_links } = access
    return { file, version, rows, created_at, sessions, keys, share_links, published_snapshots }
  }
})

interface RestoredFile { file: string, version: string, leftOut: readonly TableName[] }

/** @returns the number of restored rows, and the version and time of the backup */
async function readInto (
  db: Db,
  { file, version, leftOut }: RestoredFile
): Promise<{ rows: number, version: string, created_at: string }> {
  const damaged = (line: number, reason: string, { cause }: { cause?: unknown } = {}) =>
    damagedFile(file, `is damaged in line ${line}: ${reason}${cause instanceof Error ? ` (${cause.message})` : ''}`, cause)
  const source = createReadStream(file)
  const gunzip = source.pipe(createGunzip())
  // Streams do not forward errors, so the line reader would wait forever.
  source.on('error', cause => gunzip.destroy(cause))
  let line = 0
  let rows = 0
  let skipped = 0
  let header: BackupHeader | undefined
  let ended = false
  let table: TableName | undefined
  let batch: Array<{ line: number, row: object }> = []
  let characters = 0
  const flush = async () => {
    if (table === undefined || batch.length === 0) return
    const outcome = await writeRows(db, table, batch.map(({ row }) => row))
    if (outcome.refused >= 0) throw damaged(batch[outcome.refused]!.line, `its row of ${table} cannot be stored`, outcome)
    batch = []
    characters = 0
  }
  const add = async (next: BackupRow, length: number) => {
    if (next.table !== table || batch.length >= maxBatchRows || characters + length > maxBatchCharacters) {
      await flush()
      table = next.table
    }
    batch.push({ line, row: next.row })
    characters += length
  }
  try {
    for await (const text of readBackupLines(gunzip)) {
      line++
      const value = parse(text)
      if (header === undefined) {
        header = readHeader(value, { file, version })
        continue
      }
      if (value === undefined) throw damaged(line, 'it is not valid JSON')
      if (!isObject(value)) throw damaged(line, 'it is not a row of a table')
      if (value.end === true) {
        ended = value.rows === rows
        break
      }
      if (!isTable(value.table)) throw damaged(line, 'its table is unknown')
      if (!isObject(value.row)) throw damaged(line, `it has no row of ${value.table}`)
      if (leftOut.includes(value.table)) {
        rows++
        skipped++
        continue
      }
      const upgraded = [...upgradeRow({ table: value.table, row: value.row })]
      for (const each of upgraded) await add(each, text.length / upgraded.length)
      rows++
    }
  } catch (cause) {
    if (cause instanceof InvalidArguments || !isFaultOfFile(cause)) throw cause
    const { code = '' } = cause as NodeJS.ErrnoException
    if (code.startsWith('Z_')) throw damagedFile(file, 'is not a Litfeed backup or is damaged', cause)
    throw invalidFile(file, code === 'ENOENT' ? 'does not exist' : 'cannot be read', cause)
  }
  if (header === undefined || !ended) throw damagedFile(file, 'is truncated')
  await flush()
  return { rows: rows - skipped, version: header.version, created_at: header.created_at }
}

/** @param value the first line of the file @throws InvalidArguments if this version cannot restore the backup */
function readHeader (value: unknown, { file, version }: Omit<RestoredFile, 'leftOut'>): BackupHeader {
  if (!headerValidator()(value)) throw damagedFile(file, 'is not a Litfeed backup')
  if (value.version > version) {
    throw invalidFile(
      file,
      `is a backup of database version ${value.version}; this program has ${version}. Restore it with the litfeed that wrote it ` +
        `(${value.program}) or a newer one`
    )
  }
  if (value.version < minRestorableVersion) {
    throw invalidFile(
      file,
      `is a backup of database version ${value.version}, which is too old for this program. Restore it with the litfeed that wrote ` +
        `it (${value.program}), then upgrade`
    )
  }
  return value
}

const invalidFile = (file: string, problem: string, cause?: unknown) =>
  new InvalidArguments(`${file} ${problem}. Nothing was changed.`, { cause })

const damagedFile = (file: string, problem: string, cause?: unknown) =>
  new DamagedBackup(`${file} ${problem}. Nothing was changed.`, { cause })

const isTable = (name: unknown): name is TableName => (backupTables as readonly unknown[]).includes(name)

/** @returns undefined if the line is not valid JSON */
function parse (line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const isFaultOfFile = (cause: unknown) => /^(Z_|ENOENT|EACCES|EISDIR)/.test((cause as NodeJS.ErrnoException).code ?? '')
