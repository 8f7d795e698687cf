import { accessSync, chmodSync, constants, lchownSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { errorCodeOf } from '../../schemas/thrown.js'
import { copyPrefix } from './abandoned.js'

/** Files that Litfeed keeps in the data directory. */
const entries: readonly string[] = ['postgres', 'socket', 'lock', 'jwt-secret']
/** Name of the directory of a database that is being created, before a random part. */
export const creatingPrefix = 'creating-'
const temporaryPrefixes = [creatingPrefix, copyPrefix]
const groupAndOthers = 0o077
const writable = 0o022
const sticky = 0o1000

/** The directory of the embedded database. It exists once the database is complete. */
export const databaseDirectory = (dataDir: string): string => join(dataDir, 'postgres')

/**
 * Creates the data directory, private to this user, and makes the files in it private that an earlier version or an operator left open to
 * others. A directory that exists may be shared with other programs: only the permission of others to write to it is withdrawn. Files that
 * this process creates from now on are private. listFileRisks reports what cannot be changed.
 */
export function prepareDataDirectory (dataDir: string): void {
  process.umask(groupAndOthers)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  restrict(dataDir, writable)
  for (const entry of entries) restrict(join(dataDir, entry), groupAndOthers)
  restrictDatabaseFiles(dataDir)
}

/**
 * Makes the files of the embedded database private. Its initial ones are readable and writable by all users, whatever the umask of this
 * process.
 */
export function restrictDatabaseFiles (dataDir: string): void {
  const directory = databaseDirectory(dataDir)
  if (!restrict(join(directory, 'PG_VERSION'), groupAndOthers)) return
  for (const path of entriesBelow(directory)) restrict(path, groupAndOthers)
}

/** The files and directories below a directory, without what links lead to: `recursive` of `readdirSync` follows them. */
function * entriesBelow (directory: string): Iterable<string> {
  for (const name of unlessMissing(() => readdirSync(directory)) ?? []) {
    const path = join(directory, name)
    yield path
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) yield * entriesBelow(path)
  }
}

/** Does something with a file that another process or thread may delete meanwhile. */
function unlessMissing<T> (run: () => T): T | undefined {
  try {
    return run()
  } catch (cause) {
    if (errorCodeOf(cause) !== 'ENOENT') throw cause
  }
}

/**
 * Gives files that a command of root has created to the owner of the data directory: a service that is not root could not open them. On a
 * system that creates the service's user when it starts, commands run as root.
 */
export function giveToOwner (dataDir: string): void {
  // A temporary one may have been deleted.
  const owner = statSync(dataDir, { throwIfNoEntry: false })
  if (process.getuid?.() !== 0 || owner === undefined || owner.uid === 0) return
  for (const path of entriesBelow(dataDir)) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    // A file of several names may be one of root's elsewhere.
    if (found?.uid === 0 && (found.isDirectory() || found.nlink === 1)) unlessMissing(() => lchownSync(path, owner.uid, owner.gid))
  }
}

/** Which path of Litfeed in the data directory this user may not read and write, and what to do; undefined if there is none. */
export function explainRefusedPath (dataDir: string): string | undefined {
  for (const path of ownPaths(dataDir)) {
    if (isAllowed(path)) continue
    const user = process.getuid?.()
    // The user of the service may be another one, whose files must remain its own. The slash follows a link.
    const advice = ownerOf(dataDir) === user
      ? `Run as root: chown -R ${user} ${resolve(dataDir)}/`
      : 'Run this command as root or as the user of the service.'
    return `this user may not read and write ${path}. ${advice}`
  }
  return undefined
}

function ownerOf (path: string): number | undefined {
  try {
    return statSync(path).uid
  } catch {
    return undefined
  }
}

function * ownPaths (dataDir: string): Iterable<string> {
  yield dataDir
  for (const name of unlessMissing(() => readdirSync(dataDir)) ?? []) {
    if (!entries.includes(name) && !temporaryPrefixes.some(prefix => name.startsWith(prefix))) continue
    const path = join(dataDir, name)
    yield path
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) yield * entriesBelow(path)
  }
}

function isAllowed (path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch (cause) {
    return errorCodeOf(cause) !== 'EACCES'
  }
}

/** Gives a directory that a command of root has created in the data directory to its owner, who can then remove it. */
export function giveDirectoryToOwner (dataDir: string, directory: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dataDir)
  lchownSync(directory, uid, gid)
}

/** Withdraws permissions from a file of this user. @returns whether it had them */
function restrict (path: string, permissions: number): boolean {
  try {
    const { mode } = lstatSync(path)
    if (isLink(mode) || (mode & permissions) === 0) return false
    chmodSync(path, mode & 0o7777 & ~permissions)
    return true
  } catch {
    // Missing, or not this user's.
    return false
  }
}

const isLink = (mode: number) => (mode & 0o170000) === 0o120000

/** Why other local users could read or change what Litfeed keeps; empty where they cannot, and on systems without such permissions. */
export function listFileRisks (dataDir: string): string[] {
  const user = process.getuid?.()
  const directory = statSync(dataDir, { throwIfNoEntry: false })
  if (user === undefined || directory === undefined) return []
  const risks: string[] = []
  // Files that root creates are given to the owner.
  if (directory.uid !== user && directory.uid !== 0 && user !== 0) {
    risks.push(`${dataDir} belongs to another user (${directory.uid}). Run chown on it.`)
  }
  if ((directory.mode & writable) !== 0) risks.push(`Other users can write to ${dataDir}. Run chmod go-w on it.`)
  for (const entry of entries) {
    const path = join(dataDir, entry)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found !== undefined && !isLink(found.mode) && (found.mode & groupAndOthers) !== 0) {
      risks.push(`Other users can open ${path}. Run chmod go-rwx on it.`)
    }
  }
  return [...risks, ...listWritableParents(resolve(dataDir))]
}

/** Users who can write to a directory can replace the files in it, unless it is sticky. */
function listWritableParents (path: string): string[] {
  const parent = dirname(path)
  if (parent === path) return []
  const { mode } = statSync(parent)
  const isWritable = (mode & 0o002) !== 0 && (mode & sticky) === 0
  return [
    ...(isWritable ? [`Every user can write to ${parent}, and so replace ${path}. Run chmod o-w on it, or move DATA_DIR.`] : []),
    ...listWritableParents(parent)
  ]
}
