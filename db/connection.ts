import { Kysely, NoResultError, PostgresAdapter, PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { openEmbedded } from './embedded/server.js'
import { endSilentConnections } from './connection-watchdog.js'
import type { Database } from './tables.js'

export type Db = Kysely<Database>

export interface Connection {
  db: Db
  /** How to reach the database: "PostgreSQL" or "embedded". */
  kind: 'postgresql' | 'embedded'
  pool: () => PoolState
  close: () => Promise<void>
}

/** Connections of this process, and how much of its work waits for one. */
export interface PoolState { inUse: number, idle: number, waiting: number }

export interface ConnectionOptions {
  /** A PostgreSQL address; undefined: the embedded database in `dataDir`. */
  databaseUrl?: string | undefined
  dataDir: string
  /** What this process is, in words: "litfeed serve". */
  name: string
  /** Whether an embedded database that another process has open may be used through that process. */
  share: boolean
  /** Connections at most. */
  poolSize?: number
  /** Called when an idle connection dies; the pool replaces it. */
  onConnectionLost?: (cause: Error) => void
  /** Called when the embedded database is gone for good. */
  onFailure?: (cause: Error) => void
}

/**
 * How long a request waits for a connection before it is told that the database is away: milliseconds. The embedded one is never away,
 * only busy with what another has asked, or slow to start on a busy machine.
 */
const connectionTimeout = { postgresql: 2500, embedded: 15_000 }
const ignore = () => {}

// Instances of their own, so that no other user of the driver in this process is changed.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.DATE, text => text)
types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Opens the database. One driver serves both kinds: the embedded database answers on a Unix socket.
 * @throws DirectoryInUse
 */
export async function connect ({ databaseUrl, dataDir, name, share, poolSize = 10, onConnectionLost = ignore, onFailure = ignore }: ConnectionOptions): Promise<Connection> {
  const embedded = databaseUrl === undefined ? await openEmbedded({ dataDir, name, share, onFailure }) : undefined
  const kind = embedded === undefined ? 'postgresql' : 'embedded'
  const where = embedded === undefined
    ? { connectionString: databaseUrl, application_name: name }
    : { host: embedded.socketDirectory, port: 5432, user: 'postgres', database: 'postgres' }
  const pool = new pg.Pool({ ...where, max: poolSize, connectionTimeoutMillis: connectionTimeout[kind], idleTimeoutMillis: 30_000, types, keepAlive: true })
  // Without listeners, a connection that dies would end the process: the pool's is for idle ones, a client's own for one in use.
  pool.on('error', onConnectionLost)
  pool.on('connect', client => client.on('error', onConnectionLost))
  const silence = databaseUrl === undefined ? undefined : endSilentConnections(pool, databaseUrl)
  const db = new Kysely<Database>({ dialect: new Dialect({ pool, cursor: Cursor }) })
  return {
    db,
    kind,
    pool: () => ({ inUse: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close () {
      silence?.stop()
      await db.destroy()
      await embedded?.close()
    }
  }
}

/**
 * Without the migrator's own lock, which belongs to a session: a pooler before PostgreSQL may give each statement another session, and the lock
 * would never be released. db/migrate.ts holds one that ends with its transaction.
 */
class Dialect extends PostgresDialect {
  override createAdapter () {
    return new Adapter()
  }
}

class Adapter extends PostgresAdapter {
  override async acquireMigrationLock () {}
  override async releaseMigrationLock () {}
}

/** Errors of the network below the driver; SQLSTATE classes 08 (connection), 57P (server going down or starting), 53 (out of resources). */
const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN'])
const driverMessages = /connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable|client has encountered a connection error/i

/** Whether an error says that the database cannot be reached now, rather than that something is wrong with what was asked. */
export function isUnreachable (error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { code?: unknown, syscall?: unknown }
  // Files are missing too; a socket is, where its database is away.
  if (code === 'ENOENT') return syscall === 'connect'
  if (typeof code === 'string') return networkCodes.has(code) || /^(08|53|57P)/.test(code)
  return driverMessages.test(error.message)
}

/** Whether the database can be read and not written: SQLSTATE 53100 (disk full), 25006 (read-only, as a replica is, and the embedded one with little room). */
export function isNotWritable (error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '53100' || code === '25006'
}

/** For what a reading call writes down beside it: while nothing can be written, it is left out and the call goes on. */
export async function writeInPassing (write: Promise<unknown>): Promise<void> {
  await write.catch(error => { if (!isNotWritable(error)) throw error })
}

/** Whether what a statement refers to was deleted since it was looked at: SQLSTATE 23503 (foreign key), or a row that was there has gone. */
export function isDeletedMeanwhile (error: unknown): boolean {
  return error instanceof NoResultError || (error as { code?: unknown }).code === '23503'
}

/** Whether a change was taken back since others came at the same time, and may succeed now: SQLSTATE 40001 (serialization), 40P01 (deadlock). */
export function isOvertaken (error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '40001' || code === '40P01'
}

/** Whether a lock that was not to be waited for is another's: SQLSTATE 55P03. */
export function isLocked (error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03'
}

/** Whether the database refused what a statement held: SQLSTATE classes 22 (data), 23 (constraint), 54 (limit). */
export function isDataError (error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^(22|23|54)/.test(code)
}
