import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { lazyValidator } from '../../schemas/lazy-validator.js'

/** Names of scheduled backups. Other files in the directory are somebody else's. */
export const backupFileForm = /^litfeed-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup\.gz$/

const recordEnding = '.verified'
const maxRecordBytes = 2000

/** The outcome of a restore drill, in a file beside the backup. Size and time tell whether it is about the present file. */
const Verification = Type.Object({
  verified_at: Type.String({ format: 'date-time' }),
  ok: Type.Boolean(),
  rows: Type.Integer(),
  size: Type.Integer(),
  modified_at: Type.String()
})
type Verification = Static<typeof Verification>
const verificationValidator = lazyValidator(Verification)

/** A scheduled backup, with the outcome of its last restore drill. */
export interface BackupFile { file: string, bytes: number, verification: Pick<Verification, 'verified_at' | 'ok' | 'rows'> | undefined }

/**
 * Notes the outcome of a restore drill beside the backup, in a file of the backup's owner: the service reads it, also where root verifies.
 * The service's user may have put links into the directory, so the file is created anew and then renamed.
 * @returns whether it was noted: the directory may belong to somebody else
 */
export async function recordVerification (file: string, { ok, rows, now }: { ok: boolean, rows: number, now: Date }): Promise<boolean> {
  const temporaryFile = `${file}.${randomUUID().slice(0, 8)}.unfinished`
  try {
    const { size, mtime, uid, gid } = await stat(file)
    const record: Verification = { verified_at: now.toISOString(), ok, rows, size, modified_at: mtime.toISOString() }
    const handle = await open(temporaryFile, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(record)}\n`)
      await handle.chown(uid, gid).catch((error: NodeJS.ErrnoException) => { if (error.code !== 'EPERM') throw error })
    } finally {
      await handle.close()
    }
    await rename(temporaryFile, `${file}${recordEnding}`)
    return true
  } catch {
    await rm(temporaryFile, { force: true }).catch(() => {})
    return false
  }
}

/** The scheduled backups in a directory, newest first; empty if it cannot be read. */
export async function listBackupFiles (directory: string): Promise<BackupFile[]> {
  const names = (await readdir(directory).catch(() => [])).filter(name => backupFileForm.test(name)).sort().reverse()
  const files: BackupFile[] = []
  for (const file of names) {
    const path = join(directory, file)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) continue
    const record = await readRecord(`${path}${recordEnding}`)
    const isCurrent = record?.size === found.size && record.modified_at === found.mtime.toISOString()
    files.push({ file, bytes: found.size, verification: isCurrent ? record : undefined })
  }
  return files
}

/** Deletes a backup and the record of its drill. */
export async function removeBackupFile (path: string): Promise<void> {
  await rm(path, { force: true })
  await rm(`${path}${recordEnding}`, { force: true })
}

async function readRecord (path: string): Promise<Verification | undefined> {
  try {
    const { size } = await stat(path)
    if (size > maxRecordBytes) return undefined
    const record: unknown = JSON.parse(await readFile(path, 'utf8'))
    return verificationValidator()(record) ? record : undefined
  } catch {
    return undefined
  }
}
