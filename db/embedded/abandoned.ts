import { lstat, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { acquireLock } from './lock.js'

/** Begins the name of a copy of the embedded database, in its data directory. */
export const copyPrefix = 'litfeed-copy'

/**
 * Removes the databases of processes that were killed: the kernel has released their locks.
 * @param parent the directory that has theirs @param prefix of their names @param name of this process @param minAgeMs of what is removed
 */
export async function removeAbandoned (parent: string, prefix: string, name: string, minAgeMs: number): Promise<void> {
  const names = (await readdir(parent)).filter(each => each.startsWith(`${prefix}-`) && /^\d+-\w+$/.test(each.slice(prefix.length + 1)))
  if (names.length === 0) return
  const [user, owner] = [process.getuid?.(), await stat(parent)]
  for (const each of names) {
    const directory = join(parent, each)
    try {
      const found = await lstat(directory)
      // Commands of root give theirs to the owner of the parent.
      const isOwn = found.uid === (user ?? found.uid) || (user === 0 && found.uid === owner.uid)
      if (!found.isDirectory() || !isOwn || Date.now() - found.mtimeMs < minAgeMs) continue
      const lock = acquireLock(directory, { pid: process.pid, name, socketDirectory: directory, started_at: new Date().toISOString() })
      if (lock === undefined) continue
      lock.release()
      await rm(directory, { recursive: true, force: true })
    } catch {
      // Another process removes it, too; what cannot be removed does not matter to this one.
    }
  }
}
