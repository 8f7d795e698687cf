import { linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bytesPerMebibyte, mebibytes } from '../../schemas/mebibytes.js'
import { errorCodeOf } from '../../schemas/thrown.js'
import type { Db } from '../connection.js'
import { atCheckpoint, markLog } from '../queries/database-log.js'
import { giveToOwner } from './data-directory.js'
import { getFreeBytes } from './disk-guard.js'
import { listSegments } from './wal-limit.js'

/** Free space beside a copy: for the log that the copy keeps, and far above the space that stops writes. */
const minFreeBytes = 256 * bytesPerMebibyte
/** Far shorter than it takes to write a segment of the log, and the later ones after which a checkpoint deletes it. */
const keepIntervalMs = 20
const controlFile = join('global', 'pg_control')
const processFile = 'postmaster.pid'

/**
 * Copies the files of an embedded database that others use meanwhile, as a base backup of PostgreSQL does: opened, the copy recovers as
 * after a crash. It replays the log since the checkpoint with which the copy began, which restores every page that changed during the copy.
 * @param source directory of the files @param target a new directory, in one of this copy alone
 * @returns the position in the log to which the copy must have recovered when it is open; otherwise it is incomplete
 */
export async function copyDatabase (db: Db, source: string, target: string): Promise<string> {
  const kept = `${target}-log`
  mkdirSync(kept)
  giveToOwner(dirname(target))
  const { segment, control } = await atCheckpoint(db, segment => {
    keepLog(source, kept, segment)
    return { segment, control: readFileSync(join(source, controlFile)) }
  })
  const files = await copyDirectories(source, target)
  // Before the files: a service that is not root removes what a killed command of root leaves.
  giveToOwner(dirname(target))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const freeBytes = getFreeBytes(target)
  if (freeBytes < bytes + minFreeBytes) {
    const neededBytes = bytes + minFreeBytes
    throw new Error(`A copy of the database needs ${mebibytes(neededBytes)}, and the disk of ${source} has ${mebibytes(freeBytes)} left.`)
  }
  const copied = new AbortController()
  await Promise.all([
    copyFiles(source, target, files).finally(() => copied.abort()),
    (async () => {
      for (; !copied.signal.aborted; await wait(keepIntervalMs)) keepLog(source, kept, segment)
    })()
  ])
  const position = await markLog(db)
  keepLog(source, kept, segment)
  // The copy writes to its log, which must not be the same file.
  for (const name of await readdir(kept)) await copyFile(join(kept, name), join(target, 'pg_wal', name))
  await rm(kept, { recursive: true })
  await writeFile(join(target, controlFile), control)
  return position
}

/** A file below a directory. */
interface FileEntry { path: string, bytes: number }

/** Copies the directories. @returns the files in them, without those that are copied in another way, or not at all */
async function copyDirectories (source: string, target: string): Promise<FileEntry[]> {
  mkdirSync(target, { mode: 0o700 })
  const files: FileEntry[] = []
  for (const path of await readdir(source, { recursive: true })) {
    const found = await unlessDeleted(stat(join(source, path)))
    if (found?.isDirectory() === true) await mkdir(join(target, path), { recursive: true })
    else if (found !== undefined && path !== controlFile && path !== processFile && !path.startsWith('pg_wal')) {
      files.push({ path, bytes: found.size })
    }
  }
  return files
}

async function copyFiles (source: string, target: string, files: readonly FileEntry[]): Promise<void> {
  for (const { path } of files) await unlessDeleted(copyFile(join(source, path), join(target, path)))
}

/** The database may delete a file between two steps: the log has its deletion. */
const unlessDeleted = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch(error => {
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw error
  })

/** Keeps the segments of the log from a first one by links, which stay when a checkpoint deletes them. */
function keepLog (source: string, target: string, first: string): void {
  const known = readdirSync(target)
  for (const name of listSegments(source)) {
    if (name < first || known.includes(name)) continue
    try {
      linkSync(join(source, 'pg_wal', name), join(target, name))
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOENT') throw error
    }
  }
}
