import { Kysely } from 'kysely'
import pg from 'pg'
import { minuteMs } from '../schemas/durations.js'
import { accountConnections, networkConnections } from './account-connections.js'
import { openEmbedded } from './embedded/server.js'
import { watchConnections } from './connection-watchdog.js'
import { Dialect } from './driver.js'
import { DatabaseNotWritable } from './errors.js'
import { paceReading } from './paced-reading.js'
import { FrequentStatements, PreparingClient, maxConnectionSeconds } from './prepared-statements.js'
import type { Database } from './tables.js'

/** The database, or a transaction in it. */
export type Db = Kysely<Database>

/** An open database. */
export interface Connection {
  db: Db
  /** The database for requests of one account, with limits on what it uses at a time. */
  dbFor: (accountId: string) => Db
  /** The database for requests of a network whose account is unknown, with limits for it and for all of them. */
  dbForNetwork: (network: string) => Db
  /** A PostgreSQL server, or the embedded database. */
  kind: 'postgresql' | 'embedded'
  /** The data directory of an embedded database that a service runs, with which others work at any time; undefined otherwise. */
  servedDirectory: string | undefined
  pool: () => PoolState
  /** Waits for running queries, then closes every connection and, in the process that runs it, the embedded database. */
  close: () => Promise<void>
}

/** Numbers of this process's connections in use and idle, and of queries that wait for one. */
export interface PoolState { inUse: number, idle: number, waiting: number }

/** Options of a connection. */
export interface ConnectionOptions {
  /** The address of a PostgreSQL database; undefined: the embedded database in `dataDir`. */
  databaseUrl?: string | undefined
  dataDir: string
  /** Names this process to PostgreSQL, and to processes that find the embedded database in use, such as "litfeed serve". */
  name: string
  /** Whether to connect to an embedded database that another process has open; false: fail instead. */
  share: boolean
  /** Maximum number of connections. (Default: 10) */
  poolSize?: number
  /** Milliseconds that a query waits for a connection before it fails with DatabaseUnreachable. (Default: by kind) */
  connectionTimeoutMs?: number | undefined
  /** Called when a connection is lost; the pool replaces it. */
  onConnectionLost?: (cause: Error) => void
  /** Called when the embedded database has stopped unexpectedly. Every later query fails. */
  onFailure?: (cause: Error) => void
  /** Called with the directory of an embedded database that was created. */
  onCreated?: (directory: string) => void
  /** Called when an embedded database was created in another way than intended. */
  onWarning?: (message: string) => void
}

/**
 * Default time limit for a connection. The embedded database cannot be unreachable, only busy, so it gets more time; and commands get most,
 * since the process that has it open may still be migrating it.
 */
const defaultConnectionTimeoutMs = { postgresql: 2500, embedded: 15_000, shared: minuteMs }
const idleTimeoutMs = 30_000
/**
 * Limits of one account's concurrent use. The embedded database runs one transaction at a time, each before the statements of all others.
 * The statement of another account waits for those of one account that are ahead of it, so these are few.
 */
const maxUse = { postgresql: { connections: 5 }, embedded: { connections: 4, transactions: 1 } }
const ignore = () => {}

// The driver's global parsers would affect its other users in this process.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.DATE, text => text)
types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Opens the database. One driver serves both kinds: the embedded database listens on a Unix socket. Queries throw the classes of
 * db/errors.ts.
 * @throws DirectoryInUse if another process has the embedded database open and `share` is false
 * @throws NotEnoughDiskSpace if the embedded database could not start
 */
export async function connect (options: ConnectionOptions): Promise<Connection> {
  const {
    databaseUrl, dataDir, name, share, poolSize = 10, onConnectionLost = ignore, onFailure = ignore, onCreated = ignore, onWarning = ignore
  } = options
  const embedded = databaseUrl === undefined ? await openEmbedded({ dataDir, name, share, onFailure, onCreated, onWarning }) : undefined
  const kind = embedded === undefined ? 'postgresql' : 'embedded'
  const address =
    embedded === undefined
      ? { connectionString: databaseUrl, application_name: name, Client: PreparingClient }
      : { host: embedded.socketDirectory, port: 5432, user: 'postgres', database: 'postgres' }
  const { connectionTimeoutMs = defaultConnectionTimeoutMs[kind === 'embedded' && share ? 'shared' : kind] } = options
  const statements = new FrequentStatements()
  const pool = new pg.Pool({
    ...address,
    // The embedded database names frequent statements itself.
    ...(kind === 'embedded'
      ? {}
      : {
          onConnect: (client: pg.ClientBase) => (client as PreparingClient).prepareFrequent(statements),
          maxLifetimeSeconds: maxConnectionSeconds
        }),
    max: poolSize,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    types,
    keepAlive: true
  })
  // A lost connection without a listener would end the process: the pool reports idle ones, a client reports itself while in use.
  pool.on('error', onConnectionLost)
  pool.on('connect', client => {
    client.on('error', onConnectionLost)
    paceReading((client as pg.Client).connection.stream)
  })
  const watchdog = databaseUrl === undefined ? undefined : watchConnections(pool, databaseUrl)
  const db = new Kysely<Database>({ dialect: new Dialect({ pool }) })
  return {
    db,
    dbFor: accountConnections({ pool }, { ...maxUse[kind], connectionTimeoutMs }),
    dbForNetwork: networkConnections({ pool }, { ...maxUse[kind], connectionTimeoutMs }),
    kind,
    servedDirectory: embedded?.isServed === true ? dataDir : undefined,
    pool: () => ({ inUse: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close () {
      watchdog?.stop()
      await db.destroy()
      await embedded?.close()
    }
  }
}

/** Awaits an optional write, such as a time of last use, and ignores that the database does not accept writes. */
export async function writeIfWritable (write: Promise<unknown>): Promise<void> {
  await write.catch(error => { if (!(error instanceof DatabaseNotWritable)) throw error })
}
