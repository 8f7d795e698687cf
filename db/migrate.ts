import { type Kysely, Migrator, sql } from 'kysely'
import { migrations } from './migrations/index.js'
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
 * Brings the schema up to date. Several processes may do so at once: all of it is one transaction that begins with an advisory lock,
 * so that a kill half-way leaves what was there before.
 *
 * @returns the names of the migrations that were run, oldest first
 * @throws DatabaseTooNew when the database has a migration that this program does not know
 */
export async function migrate (db: Kysely<Database>): Promise<string[]> {
  await refuseNewer(db)
  const results = await alone(db, async connection => {
    const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => migrations }, disableTransactions: true })
    const { error, results } = await migrator.migrateToLatest()
    if (error !== undefined) throw new Error('The database could not be migrated.', { cause: error })
    return results
  })
  return (results ?? []).filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName)
}

/** Runs work in one transaction that no other process is in. It is begun by hand: the migrator takes no transaction, but a connection. */
const alone = async <T>(db: Kysely<Database>, run: (connection: Kysely<Database>) => Promise<T>): Promise<T> =>
  await db.connection().execute(async connection => {
    await sql`begin`.execute(connection)
    try {
      await sql`select pg_advisory_xact_lock(hashtextextended('migrations', 0))`.execute(connection)
      const result = await run(connection)
      await sql`commit`.execute(connection)
      return result
    } catch (cause) {
      await sql`rollback`.execute(connection).catch(() => {})
      throw cause
    }
  })

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
