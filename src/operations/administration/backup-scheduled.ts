import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { NoInput } from '../../../schemas/empty.js'
import { ScheduledBackup } from '../../../schemas/backup.js'
import { JobFailure, PermanentFailure } from '../../jobs/failures.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { backup } from './backup.js'
import { backupFileForm, removeBackupFile } from '../../backups/backup-files.js'
import { hourMs } from '../../../schemas/durations.js'
import { errorCodeOf } from '../../../schemas/thrown.js'

const unfinishedForm = /^litfeed-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup\.gz\.[0-9a-f]{8}\.unfinished$/

/** The job of scheduled backups. @throws PermanentFailure where BACKUP_DIR is not set, JobFailure if the directory cannot be used */
export const backupScheduled = operation({
  name: 'backup_scheduled',
  title: 'Back up to BACKUP_DIR',
  description: 'Writes a backup to BACKUP_DIR and deletes the oldest ones beyond BACKUP_KEEP.',
  input: NoInput,
  output: ScheduledBackup,
  async handler (context: ServiceContext) {
    const { now, installation: { backups } } = context
    if (backups === undefined) throw new PermanentFailure('BACKUP_DIR is not set for the process that ran this job.')
    const { directory, keep } = backups
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      // First: they may have filled the disk.
      await removeUnfinished(directory, now())
      const file = `litfeed-${now().toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup.gz`
      const { rows } = await backup.run(context, { file: join(directory, file) })
      const { size } = await stat(join(directory, file))
      const removed = await removeOld(directory, { newest: file, keep })
      return { file, rows, bytes: size, removed }
    } catch (cause) {
      const code = errorCodeOf(cause)
      const reason = code === undefined ? undefined : reasons[code]
      throw reason === undefined ? cause : new JobFailure(`BACKUP_DIR ${reason}.`, { cause })
    }
  }
})

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'cannot be written by the user of the service',
  EEXIST: 'is a file, not a directory',
  ENOSPC: 'is on a disk without free space',
  ENOTDIR: 'is below a file, not a directory',
  EPERM: 'cannot be written by the user of the service',
  EROFS: 'is on a read-only disk'
}

/**
 * Deletes the oldest backups but the newest, whose name may be earlier than that of others if the clock has been set back. Other files
 * stay. @returns the number of backups deleted
 */
async function removeOld (directory: string, { newest, keep }: { newest: string, keep: number }): Promise<number> {
  const names = await readdir(directory)
  const others = names.filter(name => backupFileForm.test(name) && name !== newest).sort()
  const old = others.slice(0, Math.max(0, others.length - keep + 1))
  for (const name of old) await removeBackupFile(join(directory, name))
  return old.length
}

/** Deletes what processes left that were killed more than an hour ago: a backup under way writes all the time. */
async function removeUnfinished (directory: string, now: Date): Promise<void> {
  for (const name of (await readdir(directory)).filter(name => unfinishedForm.test(name))) {
    const path = join(directory, name)
    const { mtimeMs } = await stat(path)
    if (now.getTime() - mtimeMs > hourMs) await rm(path, { force: true })
  }
}
