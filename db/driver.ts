import {
  type CompiledQuery,
  type DatabaseConnection,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryResult
} from 'kysely'
import { toDatabaseError } from './errors.js'

/** Kysely's PostgreSQL dialect, with errors converted to the classes of db/errors.ts and without the migrator's session lock. */
export class Dialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor (config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver (): PostgresDriver {
    return new TypedErrorDriver(this.#config)
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
  override async acquireConnection (): Promise<TypedErrorConnection> {
    try {
      return new TypedErrorConnection(await super.acquireConnection())
    } catch (cause) {
      throw toDatabaseError(cause)
    }
  }

  override async releaseConnection (connection: DatabaseConnection): Promise<void> {
    const { inner } = connection as TypedErrorConnection
    await super.releaseConnection(inner as Parameters<PostgresDriver['releaseConnection']>[0])
  }
}

/** Converts errors of statements and cursors; adds no work per row. */
class TypedErrorConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection

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
