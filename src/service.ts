import { type Connection, connect } from '../db/connection.js'
import { migrate } from '../db/migrate.js'
import { searchStorage } from '../db/queries/search-storage.js'
import { openMetrics } from './observability/metrics.js'
import type { ServiceContext } from './operations/context.js'
import type { Log } from './observability/log.js'
import { type Preparation, checkExists, checkMigration } from './composition/database-preparation.js'
import type { ExternalCheck } from './composition/external-checks.js'
import { openExternalServices } from './composition/external-services.js'
import { registerSources } from './papers/source-traits.js'
import { endCompactions } from './search/compaction.js'
import { indexAllPending } from './search/indexing.js'
import { sources } from './sources/index.js'
import type { Settings } from './settings/settings.js'
import { createContext } from './composition/service-context.js'
import { toStartupError } from './composition/startup-error.js'

/** An opened database and the context of operations. */
export interface Service {
  context: ServiceContext
  connection: Connection
  settings: Settings
  /** Checks of external services. */
  externalChecks: ExternalCheck[]
  /** Migrations that ran during opening. */
  migrated: string[]
  /** Sets the port of addresses once the server listens. BASE_URL takes precedence. */
  setPort: (port: number) => void
  /** Redirects log lines, for example to the server's logger. */
  logTo: (log: Log) => void
  close: () => Promise<void>
}

/** Options of openService. */
export interface OpenOptions {
  settings: Settings
  log: Log
  /** Name of this process, such as "litfeed serve". */
  name: string
  /** Whether to connect through a process that has the embedded database open. A server must own it. */
  share: boolean
  /** Which databases to create and migrate. Default: any. */
  prepares?: Preparation
  /** Called with a line for the operator about what takes long or creates something. */
  note?: (line: string) => void
  /** Clock. Default: the system's. */
  now?: () => Date
  /** Milliseconds that a query waits for a connection to the database. */
  connectionTimeoutMs?: number
  /** Called if the database fails after opening. */
  onFailure?: (cause: Error) => void
}

/**
 * Opens the database, migrates it and creates the context of all operations.
 * @throws DirectoryInUse, DatabaseTooNew, NoDatabase, DatabaseOutdated
 */
export async function openService (options: OpenOptions): Promise<Service> {
  const { settings, log, name, share, prepares = 'any', note = () => {}, now = () => new Date(), connectionTimeoutMs, onFailure } = options
  const { databaseUrl, dataDir } = settings
  registerSources(sources)
  let target = log
  const current: Log = {
    info: (data, message) => target.info(data, message),
    warn: (data, message) => target.warn(data, message),
    error: (data, message) => target.error(data, message)
  }
  checkExists(settings, prepares)
  const connection = await connect({
    databaseUrl,
    dataDir,
    name,
    share,
    connectionTimeoutMs,
    onConnectionLost: cause => current.warn({ err: cause }, 'Lost a connection to the database.'),
    onCreated: directory => note(`Created a new database in ${directory}.`),
    onWarning: message => current.warn({ detail: message }, 'The new database was created without its prepared copy.'),
    ...(onFailure === undefined ? {} : { onFailure })
  })
  try {
    const migrated = await migrate(connection.db, version => {
      checkMigration(connection, version, prepares)
      if (version !== null) note('Migrating the database, which can take minutes…')
    })
    // A migration can leave all papers pending, since indexing them would exceed its transaction. A server answers meanwhile: its
    // maintenance indexes them, and a search first those of its project.
    if (migrated.length > 0 && share) await indexAllPending(searchStorage(connection.db))
    const metrics = openMetrics()
    const external = openExternalServices({ settings, db: connection.db, log: current, metrics })
    const address = { port: settings.port }
    const context = await createContext({ settings, connection, external, metrics, log: current, now, address })
    return {
      context,
      connection,
      settings,
      externalChecks: external.checks,
      migrated,
      setPort: port => {
        address.port = port
      },
      logTo: log => {
        target = log
      },
      async close () {
        await external.close()
        await endCompactions()
        await connection.close()
      }
    }
  } catch (cause) {
    await connection.close()
    throw toStartupError(cause, databaseUrl)
  }
}
