import { Socket } from 'node:net'
import pg from 'pg'

/** Milliseconds between two checks of the connections. */
const checkIntervalMs = 250
/** A connection in use that received nothing for so many milliseconds causes a probe. */
const silenceLimitMs = 750
/** Milliseconds that the server has to answer a probe. */
const probeTimeoutMs = 1500
/** Milliseconds after an answered probe during which the same connections cause no other. */
const probeValidityMs = 5000
/** Milliseconds between the ticks that tell whether this process gets to run during a probe. */
const tickIntervalMs = 50

/** A client whose socket is known: the driver itself cannot end a connection that waits for an answer. */
export class WatchedClient extends pg.Client {
  readonly socket: Socket

  constructor (config?: pg.ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.socket = socket
  }
}

interface WatchState {
  inUse: boolean
  bytesRead: number
  /** When a check last saw new bytes, by performance.now(). */
  heardAt: number
  /** Until when an answered probe counts for this connection. */
  trustedUntil: number
}

/**
 * Detects a server that disappeared without closing its connections, as when its host or network fails: TCP alone would let a query wait
 * for an hour. When a connection in use is silent, a probe opens a new one. If the server does not answer, every connection that is still
 * silent is destroyed, and its query fails. A slow query on a live server continues.
 *
 * @param pool with WatchedClient as its client class
 * @returns `stop` ends the checks
 */
export function watchConnections (pool: pg.Pool, connectionString: string): { stop: () => void } {
  const states = new Map<WatchedClient, WatchState>()
  const mark = (client: pg.ClientBase, inUse: boolean) => {
    if (!(client instanceof WatchedClient)) return
    states.set(client, { trustedUntil: 0, ...states.get(client), inUse, bytesRead: client.socket.bytesRead, heardAt: performance.now() })
  }
  pool.on('connect', client => mark(client, true))
  pool.on('acquire', client => mark(client, true))
  pool.on('release', (_error, client) => mark(client, false))
  pool.on('remove', client => { states.delete(client as pg.ClientBase as WatchedClient) })

  /** The bytes are those of the socket, also below TLS. */
  const isSilentSince = (time: number, client: WatchedClient, state: WatchState): boolean => {
    if (client.socket.bytesRead > state.bytesRead) Object.assign(state, { bytesRead: client.socket.bytesRead, heardAt: performance.now() })
    return state.heardAt < time
  }

  async function check (): Promise<void> {
    const checkedAt = performance.now()
    const inUse = [...states].filter(([, state]) => state.inUse)
    const silent = inUse.filter(
      ([client, state]) => isSilentSince(checkedAt - silenceLimitMs, client, state) && checkedAt > state.trustedUntil
    )
    if (silent.length === 0) return
    const answered = await probe(connectionString)
    for (const [client, state] of states) {
      if (!isSilentSince(checkedAt, client, state)) continue
      if (answered) state.trustedUntil = performance.now() + probeValidityMs
      else client.socket.destroy(new Error('Connection terminated: the server does not answer'))
    }
  }

  let checking = false
  const timer = setInterval(() => {
    if (checking) return
    checking = true
    check().finally(() => { checking = false })
  }, checkIntervalMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/**
 * Opens a connection to see whether the server answers; a refusal for lack of free connections is an answer too. Counts as answered also
 * when this process hardly got to run meanwhile, since a missing answer then says nothing about the server.
 */
async function probe (connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: probeTimeoutMs, application_name: 'litfeed: connection probe' })
  client.on('error', () => {})
  const startedAt = performance.now()
  let ticks = 0
  const timer = setInterval(() => { ticks++ }, tickIntervalMs)
  try {
    await client.connect()
    client.end().catch(() => {})
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError || ticks < Math.floor((performance.now() - startedAt) / tickIntervalMs / 2)
  } finally {
    clearInterval(timer)
  }
}
