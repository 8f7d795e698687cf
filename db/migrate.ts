import { type Kysely, Migrator, sql } from 'kysely'
import { migrations } from './migrations/index.js'
import type { Database } from './tables.js'

const names = Object.keys(migrations)
/** The version of this program's database: the name of its last migration. */
export const newestVersion = names.at(-1)!

/** A newer version of Litfeed migrated the database. */
export class DatabaseTooNew extends Error {
  constructor (database: string) {
    super(
      `The database is at version ${database}; this litfeed knows versions up to ${newestVersion}. Upgrade litfeed, or restore a ` +
        'backup that was made before the upgrade.'
    )
  }
}

/**
 * Migrates the schema to this program's version, in one transaction. Concurrent calls, also of other processes, wait for each other.
 *
 * @param beforeMigration called before migrations run, while no other process can run them, with the version of the database, or null if
 *   it is empty; it can refuse by throwing
 * @returns the names of the migrations that ran, oldest first
 * @throws DatabaseTooNew if the database has a migration that this program does not know
 */
export async function migrate (
  db: Kysely<Database>,
  beforeMigration: (version: string | null) => void = () => {}
): Promise<string[]> {
  const executed = await executedMigrations(db)
  refuseNewer(executed)
  // The migrator would read the catalog of the whole database.
  if (executed.length === names.length) return []
  return await runExclusively(db, async connection => {
    // Another process may have migrated it meanwhile.
    const executed = await executedMigrations(connection)
    refuseNewer(executed)
    if (executed.length === names.length) return []
    beforeMigration(executed.at(-1) ?? null)
    // The migrator would ask whether the table exists now, in the transaction that its failure has ended, and so hide why it failed.
    await sql`
      create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(connection)
    const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => migrations }, disableTransactions: true })
    const { error, results } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
    return (results ?? []).filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName)
  })
}

/**
 * Runs a function in a transaction under an advisory lock. Begins it by hand, since the migrator needs a connection and accepts no
 * transaction.
 */
const runExclusively = async <T>(db: Kysely<Database>, run: (connection: Kysely<Database>) => Promise<T>): Promise<T> =>
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

/** The newest migration that the database has; null if it has none. */
export async function databaseVersion (db: Kysely<Database>): Promise<string | null> {
  return (await executedMigrations(db)).at(-1) ?? null
}

/** @throws DatabaseTooNew */
function refuseNewer (executed: readonly string[]): void {
  const unknown = executed.filter(name => !Object.hasOwn(migrations, name))
  if (unknown.length > 0) throw new DatabaseTooNew(unknown.at(-1)!)
}

async function executedMigrations (db: Kysely<Database>): Promise<string[]> {
  const { rows: [table] } = await sql<{ found: boolean }>`select to_regclass('kysely_migration') is not null as found`.execute(db)
  if (!table!.found) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}
