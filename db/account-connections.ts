import { Kysely, type PostgresDialectConfig } from 'kysely'
import { LRUCache } from 'lru-cache'
import { ConnectionLimit } from './connection-limit.js'
import { Dialect } from './driver.js'
import type { Database } from './tables.js'

/** Accounts whose limits are remembered. An account that is evicted while it uses connections starts with unused limits. */
const maxAccounts = 1000

/** Limits of one account's concurrent use, and how many milliseconds its queries wait for a connection; undefined is not limited. */
export interface MaxUse { connections?: number, connectionTimeoutMs?: number, transactions?: number }

/**
 * Returns a database per account with limits of its own. Otherwise, the concurrent requests of one account would fill the queue ahead of
 * everyone else's.
 */
export function accountConnections (
  config: PostgresDialectConfig,
  { connections, connectionTimeoutMs, transactions }: MaxUse
): (accountId: string) => Kysely<Database> {
  const limit = (count: number | undefined) => count === undefined ? undefined : new ConnectionLimit(count)
  const accounts = new LRUCache<string, Kysely<Database>>({
    max: maxAccounts,
    memoMethod: () => new Kysely<Database>({
      dialect: new Dialect(config, { connections: limit(connections), connectionTimeoutMs, transactions: limit(transactions) })
    })
  })
  return accountId => accounts.memo(accountId)
}
