import { type Kysely, Migrator, sql } from 'kysely'
import { migrations } from './migrations/index.js'
import { takeInAll } from './queries/search-index.js'
import type { Database } from './tables.js'

const known = Object.keys(migrations)
const newest = known.at(-1)!

/** The database was migrated by a newer litfeed than this one. */
export class DatabaseTooNew extends Error {
  constructor (database: string) {
    super(`The database is at version ${database}; this litfeed knows versions up to ${newest}. Upgrade litfeed, or restore a backup that was made before the upgrade.`)
  }
}

/**
 * Brings the schema up to date. Several processes may do so at once: the migrator holds an advisory lock, and all of it is
 * one transaction, so that a kill half-way leaves what was there before.
 *
 * @returns the names of the migrations that were run, oldest first
 * @throws DatabaseTooNew when the database has a migration that this program does not know
 */
export async function migrate (db: Kysely<Database>): Promise<string[]> {
  await refuseNewer(db)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error('The database could not be migrated.', { cause: error })
  // A migration leaves what is there to be taken into the search: not in its own transaction, which would hold all of it.
  if ((results ?? []).length > 0) await takeInAll(db)
  return (results ?? []).filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName)
}

/** The newest migration that the database has, `null` when it has none. */
export async function databaseVersion (db: Kysely<Database>): Promise<string | null> {
  return (await executedMigrations(db)).at(-1) ?? null
}

/** Whether the database is exactly at this program's version. */
export async function isCurrent (db: Kysely<Database>): Promise<boolean> {
  return await databaseVersion(db) === newest
}

async function refuseNewer (db: Kysely<Database>): Promise<void> {
  const unknown = (await executedMigrations(db)).filter(name => !Object.hasOwn(migrations, name))
  if (unknown.length > 0) throw new DatabaseTooNew(unknown.at(-1)!)
}

async function executedMigrations (db: Kysely<Database>): Promise<string[]> {
  const { rows: [table] } = await sql<{ found: boolean }>`select to_regclass('kysely_migration') is not null as found`.execute(db)
  if (!table!.found) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}
