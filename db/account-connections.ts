import { Kysely, type PostgresDialectConfig } from 'kysely'
import { LRUCache } from 'lru-cache'
import { ConnectionLimit, type ConnectionLimits } from './connection-limit.js'
import { Dialect } from './driver.js'
import type { Database } from './tables.js'

/**
 * Accounts, and networks, whose limits are remembered. One that is evicted while it uses connections starts with unused limits of its own.
 */
const maxRemembered = 1000
/** Connections that the requests of one network without a known account use at a time. */
const maxNetworkConnections = 2

/** Limits of concurrent use, and how many milliseconds queries wait for a connection; undefined is not limited. */
export interface MaxUse { connections: number, connectionTimeoutMs?: number, transactions?: number }

/**
 * Returns a database per account with limits of its own. Otherwise, the concurrent requests of one account would fill the queue ahead of
 * everyone else's.
 */
export const accountConnections = (config: PostgresDialectConfig, { connections, connectionTimeoutMs, transactions }: MaxUse) =>
  limitedConnections(config, () => ({
    connections: new ConnectionLimit(connections),
    connectionTimeoutMs,
    transactions: limitOf(transactions)
  }))

/**
 * Returns a database per network, for requests whose account is unknown: together, all networks may use what one account may, since
 * anybody can send such requests.
 */
export function networkConnections (config: PostgresDialectConfig, { connections, connectionTimeoutMs, transactions }: MaxUse) {
  const [all, allTransactions] = [new ConnectionLimit(connections), limitOf(transactions)]
  return limitedConnections(config, () => ({
    connections: new ConnectionLimit(maxNetworkConnections, all),
    connectionTimeoutMs,
    transactions: allTransactions
  }))
}

const limitOf = (count: number | undefined) => count === undefined ? undefined : new ConnectionLimit(count)

function limitedConnections (config: PostgresDialectConfig, newLimits: () => ConnectionLimits): (name: string) => Kysely<Database> {
  const databases = new LRUCache<string, Kysely<Database>>({
    max: maxRemembered,
    memoMethod: () => new Kysely<Database>({ dialect: new Dialect(config, newLimits()) })
  })
  return name => databases.memo(name)
}
