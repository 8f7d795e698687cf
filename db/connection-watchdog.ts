import type { Socket } from 'node:net'
import pg from 'pg'

/** Milliseconds: how long a connection in use may be silent before it is looked at, how long the server has then to answer, how long its answer counts. */
const silence = 750
const patience = 1500
const trust = 5000
const look = 250
/** How often this process is to run meanwhile. */
const pulse = 50

interface Watched { inUse: boolean, heardAt: number, trustedUntil: number }

/**
 * Notices a server that has gone without closing its connections, as when its host or a network fails: a statement would wait for an hour, as
 * TCP does. When a connection in use is silent, a new one is tried; where that gets no answer either, every connection that has been
 * silent meanwhile is ended, so that whoever waits on it is told. A statement that is only slow goes on.
 */
export function endSilentConnections (pool: pg.Pool, connectionString: string): { stop: () => void } {
  const watched = new Map<pg.PoolClient, Watched>()
  let looking = false

  pool.on('connect', client => {
    const state: Watched = { inUse: true, heardAt: performance.now(), trustedUntil: 0 }
    watched.set(client, state)
    streamOf(client).on('data', () => { state.heardAt = performance.now() })
  })
  pool.on('acquire', client => { Object.assign(watched.get(client) ?? {}, { inUse: true, heardAt: performance.now() }) })
  pool.on('release', (_error, client) => { Object.assign(watched.get(client) ?? {}, { inUse: false }) })
  pool.on('remove', client => { watched.delete(client) })

  async function lookAround (): Promise<void> {
    const began = performance.now()
    if (![...watched.values()].some(({ inUse, heardAt, trustedUntil }) => inUse && began - heardAt > silence && began > trustedUntil)) return
    const isThere = await answers(connectionString)
    for (const [client, state] of watched) {
      if (state.heardAt >= began) continue
      if (isThere) state.trustedUntil = performance.now() + trust
      else streamOf(client).destroy(new Error('Connection terminated: the server does not answer'))
    }
  }

  const timer = setInterval(() => {
    if (looking) return
    looking = true
    lookAround().finally(() => { looking = false })
  }, look)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/**
 * Whether a new connection gets any answer of PostgreSQL's; that it has no place for another one is an answer too. On a machine that is so busy
 * that this process hardly runs, no answer says nothing of the server.
 */
async function answers (connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: patience, application_name: 'litfeed: is it there?' })
  client.on('error', () => {})
  const began = performance.now()
  let beats = 0
  const heart = setInterval(() => { beats++ }, pulse)
  try {
    await client.connect()
    client.end().catch(() => {})
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError || beats < Math.floor((performance.now() - began) / pulse / 2)
  } finally {
    clearInterval(heart)
  }
}

/** The driver has no way to end a connection in use. */
const streamOf = (client: pg.PoolClient) => (client as unknown as { connection: { stream: Socket } }).connection.stream
