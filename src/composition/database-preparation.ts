import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Connection } from '../../db/connection.js'
import { databaseDirectory } from '../../db/embedded/data-directory.js'
import type { Settings } from '../settings/settings.js'

/**
 * Which databases a process creates and migrates: every one, only a new one, or none. One of an earlier version that no other process can
 * use is migrated in any case.
 */
export type Preparation = 'any' | 'new' | 'none'

/** There is no database, and this process may not create one. */
export class NoDatabase extends Error {}

/** The database is of an earlier version, and this process may not migrate it. */
export class DatabaseOutdated extends Error {}

/** @throws NoDatabase if the embedded database does not exist and may not be created */
export function checkExists ({ databaseUrl, dataDir }: Settings, prepares: Preparation): void {
  if (databaseUrl !== undefined || prepares !== 'none' || !isMissing(databaseDirectory(dataDir))) return
  throw new NoDatabase(
    `There is no database in ${resolve(dataDir)}. Run this command where the service runs, or set DATA_DIR or DATABASE_URL as there. ` +
      '"litfeed serve" creates a new database.'
  )
}

/** Whether a path is missing; false if this user may not look for it, which opening the database reports. */
function isMissing (path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/**
 * Checks whether a database may be migrated: a service of an earlier version may be using it.
 * @param version of the database; null if it is empty
 * @throws NoDatabase, DatabaseOutdated
 */
export function checkMigration ({ kind, servedDirectory }: Connection, version: string | null, prepares: Preparation): void {
  if (prepares === 'any') return
  if (version === null) {
    if (prepares === 'new') return
    throw new NoDatabase('The database has no tables of Litfeed. Check DATABASE_URL or DATA_DIR. "litfeed serve" creates them.')
  }
  if (kind === 'embedded' && servedDirectory === undefined) return
  throw new DatabaseOutdated(
    `The database is at version ${version}, which is older than this litfeed, and a service may be using it. Restart the service with ` +
      'this version. If no service uses the database, run: litfeed migrate'
  )
}
