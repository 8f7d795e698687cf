import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { backupTables, minRestorableVersion, type TableName } from '../../db/queries/backup.js'
import { BackupHeader } from '../../schemas/backup.js'
import { isOneOf } from '../../schemas/closed-lists.js'
import { isObject } from '../../schemas/json-object.js'
import { lazyValidator } from '../../schemas/lazy-validator.js'
import { errorCodeOf } from '../../schemas/thrown.js'
import { InvalidArguments } from '../errors/operation-errors.js'
import { readBackupLines } from './backup-lines.js'

const headerValidator = lazyValidator(BackupHeader)

/** The file is not a complete backup, whatever version restores it. */
export class DamagedBackup extends InvalidArguments {}

/** A row of a backup, with its line in the file and its length as JSON. */
export interface BackupFileRow { table: TableName, row: Record<string, unknown>, line: number, characters: number }

/**
 * Reads a backup: its header, then its rows. Whether the database can store a row is not checked.
 * @param version the newest version of a database that can be restored
 * @throws InvalidArguments if the file is not a complete backup of this version or an earlier one
 */
export async function * readBackup (file: string, version: string): AsyncGenerator<{ header: BackupHeader } | BackupFileRow> {
  const gunzip = createGunzip()
  // Forwards errors of the file, for which the line reader would wait forever, and closes the file if reading ends early.
  pipeline(createReadStream(file), gunzip, () => {})
  const damaged = (line: number, reason: string) => damagedLine(file, line, reason)
  let line = 0
  let rows = 0
  let isComplete = false
  try {
    for await (const text of readBackupLines(gunzip)) {
      line++
      const value = parse(text)
      if (line === 1) {
        yield { header: readHeader(value, file, version) }
        continue
      }
      if (value === undefined) throw damaged(line, 'it is not valid JSON')
      if (!isObject(value)) throw damaged(line, 'it is not a row of a table')
      if (value.end === true) {
        isComplete = value.rows === rows
        break
      }
      if (!isTable(value.table)) throw damaged(line, 'its table is unknown')
      if (!isObject(value.row)) throw damaged(line, `it has no row of ${value.table}`)
      rows++
      yield { table: value.table, row: value.row, line, characters: text.length }
    }
  } catch (cause) {
    if (cause instanceof InvalidArguments || !isFaultOfFile(cause)) throw cause
    const code = errorCodeOf(cause) ?? ''
    if (code.startsWith('Z_')) throw damagedFile(file, 'is not a Litfeed backup or is damaged', cause)
    throw invalidFile(file, code === 'ENOENT' ? 'does not exist' : 'cannot be read', cause)
  }
  if (!isComplete) throw damagedFile(file, 'is truncated')
}

/** The error for a line that cannot be restored. */
export const damagedLine = (file: string, line: number, reason: string, cause?: unknown): DamagedBackup =>
  damagedFile(file, `is damaged in line ${line}: ${reason}${cause instanceof Error ? ` (${cause.message})` : ''}`, cause)

/** @param value the first line of the file @throws InvalidArguments if this version cannot restore the backup */
function readHeader (value: unknown, file: string, version: string): BackupHeader {
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

const isTable = (name: unknown): name is TableName => isOneOf(backupTables, name)

/** @returns undefined if the line is not valid JSON */
function parse (line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const isFaultOfFile = (cause: unknown) => /^(Z_|ENOENT|EACCES|EISDIR)/.test(errorCodeOf(cause) ?? '')
