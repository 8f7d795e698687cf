import {
  acceptDeletedProjects, accessTables, analyzeTables, type BackupRow, clearTables, countAccess, countPublishedSnapshots,
  isEmpty, replaceFeedTokens, type TableName, unpublishSnapshots, upgradeRow, upgradeRows, writeRows
} from '../../../db/queries/backup.js'
import type { Db } from '../../../db/connection.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { databaseVersion } from '../../../db/migrate.js'
import { type BackupHeader, RestoreInput, RestoreResult } from '../../../schemas/backup.js'
import { messageOf } from '../../../schemas/thrown.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { indexAllPending } from '../../search/indexing.js'
import type { ServiceContext } from '../context.js'
import { damagedLine, readBackup } from '../../backups/read-backup.js'
import { operation } from '../operation.js'

/** A batch is full at either limit. */
const maxBatchRows = 250
const maxBatchCharacters = 2_000_000

/**
 * Fills the database from a backup in one transaction: after an error, the database is unchanged. The search index follows. What was
 * revoked after the backup was made works again, unless `revoke_access` is set.
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
    const { rows, created_at, access, published_snapshots } = await db.transaction().execute(async transaction => {
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
    const index_error = await completeIndex(db).then(() => null, messageOf)
    const { session: sessions, mcp_key: keys, share_link: share_links } = access
    return { file, version, rows, created_at, sessions, keys, share_links, published_snapshots, index_error }
  }
})

/** What a running service would do later. */
async function completeIndex (db: Db): Promise<void> {
  await indexAllPending(searchStorage(db))
  await analyzeTables(db)
}

interface RestoredFile { file: string, version: string, leftOut: readonly TableName[] }

/** @returns the number of restored rows, and the version and time of the backup */
async function readInto (
  db: Db,
  { file, version, leftOut }: RestoredFile
): Promise<{ rows: number, version: string, created_at: string }> {
  let rows = 0
  let skipped = 0
  let header: BackupHeader | undefined
  let table: TableName | undefined
  let batch: Array<{ line: number, row: object }> = []
  let characters = 0
  const flush = async () => {
    if (table === undefined || batch.length === 0) return
    const outcome = await writeRows(db, table, batch.map(({ row }) => row))
    if (outcome.refused >= 0) {
      throw damagedLine(file, batch[outcome.refused]!.line, `its row of ${table} cannot be stored`, outcome.cause)
    }
    batch = []
    characters = 0
  }
  const add = async (next: BackupRow, line: number, length: number) => {
    if (next.table !== table || batch.length >= maxBatchRows || characters + length > maxBatchCharacters) {
      await flush()
      table = next.table
    }
    batch.push({ line, row: next.row })
    characters += length
  }
  for await (const read of readBackup(file, version)) {
    if ('header' in read) {
      header = read.header
      continue
    }
    rows++
    if (leftOut.includes(read.table)) {
      skipped++
      continue
    }
    const upgraded = [...upgradeRow({ table: read.table, row: read.row })]
    for (const each of upgraded) await add(each, read.line, read.characters / upgraded.length)
  }
  await flush()
  return { rows: rows - skipped, version: header!.version, created_at: header!.created_at }
}
