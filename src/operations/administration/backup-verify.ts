import { createHash } from 'node:crypto'
import type { Db } from '../../../db/connection.js'
import { migrate, newestVersion } from '../../../db/migrate.js'
import { backupTables, readConsistently, readTable, type TableName } from '../../../db/queries/backup.js'
import { openTemporaryDatabase } from '../../../db/temporary-database.js'
import { BackupInput, BackupVerification } from '../../../schemas/backup.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { recordVerification } from '../../backups/backup-files.js'
import { DamagedBackup, readBackup } from '../../backups/read-backup.js'
import { restore } from './restore.js'

/** Number of rows of a table, and a checksum of them that does not depend on their order. */
interface Summary { rows: number, checksum: bigint }

/**
 * A restore drill: restores a backup into a temporary embedded database, compares every row, and removes the database. Needs as much free
 * space in the directory for temporary files as the database takes. Notes the outcome beside the file, for the administration page.
 * @throws InvalidArguments if the file cannot be restored
 */
export const backupVerify = operation({
  name: 'backup_verify',
  title: 'Verify a backup',
  description: 'Restores a backup into a temporary database, compares rows by table, and returns the differences. Changes nothing else.',
  input: BackupInput,
  output: BackupVerification,
  async handler ({ now }: Pick<ServiceContext, 'now'>, { file }) {
    try {
      // First, since it finds most damage, and a database takes seconds.
      const summary = await summarizeFile(file)
      const result = compare(file, summary, await restoreAndSummarize(file))
      return { ...result, recorded: await recordVerification(file, { ...result, now: now() }) }
    } catch (cause) {
      if (cause instanceof DamagedBackup) await recordVerification(file, { ok: false, rows: 0, now: now() })
      throw cause
    }
  }
})

type Summaries = Map<TableName, Summary>

/** Rows of an older version change when they are restored, so only those of this version have equal checksums. */
function compare (file: string, { header, written }: FileSummary, restored: Summaries) {
  const comparesRows = header.version === newestVersion
  const tables = backupTables.map(name => {
    const [before, after] = [written.get(name), restored.get(name)]
    const equal = comparesRows
      ? before?.rows === after?.rows && before?.checksum === after?.checksum
      : (after?.rows ?? 0) >= (before?.rows ?? 0)
    return { name, rows: before?.rows ?? 0, restored_rows: after?.rows ?? 0, equal }
  })
  return {
    ok: tables.every(({ equal }) => equal),
    file,
    created_at: header.created_at,
    version: header.version,
    program: header.program,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    compared: comparesRows ? 'rows' as const : 'counts' as const,
    tables
  }
}

interface FileSummary { header: { version: string, program: string, created_at: string }, written: Summaries }

/** @throws InvalidArguments if the file is not a complete backup that this program can restore */
async function summarizeFile (file: string): Promise<FileSummary> {
  const written: Summaries = new Map()
  let header: FileSummary['header'] | undefined
  for await (const read of readBackup(file, newestVersion)) {
    if ('header' in read) header = read.header
    else count(written, read.table, read.row)
  }
  return { header: header!, written }
}

/** Restores the file into a temporary database. */
async function restoreAndSummarize (file: string): Promise<Summaries> {
  const { db, close } = await openTemporaryDatabase('litfeed-verify', 'litfeed backup --verify')
  try {
    await migrate(db)
    await restore.run({ db }, { file })
    return await summarizeDatabase(db)
  } finally {
    await close()
  }
}

const summarizeDatabase = async (db: Db): Promise<Summaries> => await readConsistently(db, async transaction => {
  const restored: Summaries = new Map()
  for (const table of backupTables) {
    for await (const row of readTable(transaction, table)) count(restored, table, JSON.parse(row))
  }
  return restored
})

function count (summaries: Summaries, table: TableName, row: object): void {
  const { rows, checksum } = summaries.get(table) ?? { rows: 0, checksum: 0n }
  const digest = createHash('sha256').update(JSON.stringify(Object.entries(row).map(([name, value]) => [name, canonical(value)]))).digest()
  const number = digest.readBigUInt64LE() + (digest.readBigUInt64LE(8) << 64n)
  summaries.set(table, { rows: rows + 1, checksum: BigInt.asUintN(128, checksum + number) })
}

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d)?$/

/** Servers write times in their own time zone. */
const canonical = (value: unknown): unknown =>
  typeof value === 'string' && timeForm.test(value) ? new Date(value.replace(/([+-]\d\d)$/, '$1:00')).toISOString() : value
