import { statfs } from 'node:fs/promises'
import { hourMs } from '../../../schemas/durations.js'
import { databaseVersion, newestVersion } from '../../../db/migrate.js'
import { countJobsByState } from '../../../db/queries/jobs.js'
import { countTableRows, serverVersion, tableSizes } from '../../../db/queries/service.js'
import { countWaitingUploads, databaseSize } from '../../../db/queries/state.js'
import { ServiceReport } from '../../../schemas/administration.js'
import { NoInput } from '../../../schemas/empty.js'
import { version } from '../../settings/version.js'
import type { Db } from '../../../db/connection.js'
import type { Installation, ServiceContext } from '../context.js'
import { type BackupFile, listBackupFiles } from '../../backups/backup-files.js'
import { findBackupStatus, isBackupFailing } from '../../backups/backup-status.js'
import { operation } from '../operation.js'

/** For administrators; contains no secrets. */
export const serviceReport = operation({
  name: 'service_report',
  title: 'Get the service report',
  description: 'Returns version, uptime, memory, database and disk sizes, row counts and enabled features.',
  input: NoInput,
  output: ServiceReport,
  async handler ({ db, now, installation: { startedAt, databaseKind, dataDir, features, backups } }: ServiceContext) {
    const [migration, tables, states, postgresql, bytes, disk, uploads] =
      await Promise.all([
        databaseVersion(db),
        tableSizes(db),
        countJobsByState(db),
        serverVersion(db),
        databaseSize(db),
        diskOf(dataDir),
        countWaitingUploads(db)
      ])
    const counts = await countTableRows(db, ['account', 'project', 'paper', 'project_paper', 'markdown'], tables)
    const jobs = new Map(states.map(({ state, count }) => [state, count]))
    return {
      version,
      node_version: process.versions.node,
      started_at: startedAt.toISOString(),
      uptime_seconds: Math.max(0, Math.round((now().getTime() - startedAt.getTime()) / 1000)),
      memory_bytes: process.memoryUsage.rss(),
      ready: migration === newestVersion,
      database: { kind: databaseKind, version: postgresql, migration: migration ?? 'none', bytes, tables },
      disk,
      backups: backups === undefined ? null : await backupsOf(db, backups),
      uploads: { waiting: uploads.count, bytes: uploads.bytes },
      counts: {
        accounts: counts.account,
        projects: counts.project,
        papers: counts.paper,
        feed_items: counts.project_paper,
        full_texts: counts.markdown,
        jobs_waiting: jobs.get('waiting') ?? 0,
        jobs_running: jobs.get('running') ?? 0,
        jobs_failed: jobs.get('failed') ?? 0
      },
      features
    }
  }
})

async function backupsOf (db: Db, { directory, everyMs, keep }: NonNullable<Installation['backups']>) {
  const status = await findBackupStatus(db)
  const { last_success, last_failure } = status
  const files = await listBackupFiles(directory)
  return {
    directory,
    every_hours: everyMs / hourMs,
    keep,
    last_success: last_success && { ...last_success, at: last_success.at.toISOString() },
    last_failure: last_failure && { ...last_failure, at: last_failure.at.toISOString() },
    failing: isBackupFailing(status),
    files: { count: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) },
    last_verified: lastVerified(files)
  }
}

function lastVerified (files: readonly BackupFile[]) {
  const verified = files.flatMap(({ file, verification }) =>
    verification === undefined ? [] : [{ at: verification.verified_at, file, ok: verification.ok }])
  return verified.sort((a, b) => b.at.localeCompare(a.at))[0] ?? null
}

async function diskOf (directory: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(directory)
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
  } catch {
    return null
  }
}
