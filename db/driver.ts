import {
  type CompiledQuery,
  type DatabaseConnection,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings
} from 'kysely'
import type { ConnectionLimits } from './connection-limit.js'
import { DatabaseUnreachable, NoConnectionFree, toDatabaseError } from './errors.js'

/**
 * Kysely's PostgreSQL dialect, with errors converted to the classes of db/errors.ts and without the migrator's session lock. With
 * limits, connections and transactions wait until fewer are in use.
 */
export class Dialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #limits: ConnectionLimits

  constructor (config: PostgresDialectConfig, limits: ConnectionLimits = {}) {
    super(config)
    this.#config = config
    this.#limits = limits
  }

  override createDriver (): PostgresDriver {
    return new TypedErrorDriver(this.#config, this.#limits)
  }

  override createAdapter (): PostgresAdapter {
    return new Adapter()
  }
}

/**
 * Turns off the migrator's own lock, which belongs to a session: a connection pooler may give each statement another session, and the lock
 * would never be released. db/migrate.ts takes a lock that ends with its transaction.
 */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock () {}
  override async releaseMigrationLock () {}
}

/** Converts errors of the pool. Transactions run their statements on the connection, which converts them. */
class TypedErrorDriver extends PostgresDriver {
  readonly #limits: ConnectionLimits

  constructor (config: PostgresDialectConfig, limits: ConnectionLimits) {
    super(config)
    this.#limits = limits
  }

  override async acquireConnection (): Promise<TypedErrorConnection> {
    const { connections, connectionTimeoutMs } = this.#limits
    const began = performance.now()
    const isWaiting = connections?.isUsedUp === true
    await connections?.acquire(connectionTimeoutMs)
    try {
      return new TypedErrorConnection(
        isWaiting && connectionTimeoutMs !== undefined
          ? await this.#acquireWithin(connectionTimeoutMs, began)
          : await super.acquireConnection()
      )
    } catch (cause) {
      const error = toDatabaseError(cause)
      // Each of those that wait would otherwise wait as long as this one did.
      if (error instanceof DatabaseUnreachable) connections?.fail(error)
      connections?.release()
      throw error
    }
  }

  /** Acquires a connection of the pool, which does not know how long the query has waited before. @param began when it began to wait */
  async #acquireWithin (timeoutMs: number, began: number): Promise<DatabaseConnection> {
    const acquiring = super.acquireConnection()
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new NoConnectionFree())
        acquiring.then(connection => this.#release(connection), () => {})
      }, began + timeoutMs - performance.now())
    })
    return await Promise.race([acquiring, timeout]).finally(() => clearTimeout(timer))
  }

  override async beginTransaction (connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { transactions } = this.#limits
    await transactions?.acquire()
    if (transactions !== undefined) (connection as TypedErrorConnection).onTransactionEnd = () => transactions.release()
    await super.beginTransaction(connection, settings)
  }

  override async commitTransaction (connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    endTransaction(connection)
  }

  override async rollbackTransaction (connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection)
    endTransaction(connection)
  }

  override async releaseConnection (connection: DatabaseConnection): Promise<void> {
    const { inner } = connection as TypedErrorConnection
    // The transaction may have failed to begin or to end.
    endTransaction(connection)
    try {
      await this.#release(inner)
    } finally {
      this.#limits.connections?.release()
    }
  }

  async #release (connection: DatabaseConnection): Promise<void> {
    await super.releaseConnection(connection as Parameters<PostgresDriver['releaseConnection']>[0])
  }
}

function endTransaction (connection: DatabaseConnection): void {
  const limited = connection as TypedErrorConnection
  limited.onTransactionEnd?.()
  limited.onTransactionEnd = undefined
}

/** Converts errors of statements and cursors; adds no work per row. */
class TypedErrorConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  onTransactionEnd: (() => void) | undefined

  constructor (inner: DatabaseConnection) {
    this.inner = inner
  }

  async executeQuery<R> (query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await this.inner.executeQuery<R>(query)
    } catch (cause) {
      throw toDatabaseError(cause)
    }
  }

  async * streamQuery<R> (query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    try {
      yield * this.inner.streamQuery<R>(query, chunkSize)
    } catch (cause) {
      throw toDatabaseError(cause)
    }
  }
}
