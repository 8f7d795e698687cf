import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { endTurn, takeTurn, whenTurn } from '../../db/queries/sources.js'
import type { Db } from '../../db/connection.js'
import { OutsideError } from '../http/client.js'
import { SourceError } from './source.js'

/** A holder that vanished loses its turn after this many milliseconds; no request takes longer. */
const longestTurn = 120_000
const shortestWait = 20
const longestWait = 1000
/** Milliseconds until the turn that are waited for; a service that asked for more is asked another time. */
const patience = 60_000

const shown = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/**
 * Makes requests to one outside service wait for each other, over all processes on the database: one at a time, and from the start of one
 * to the start of the next at least `interval` milliseconds, or as long after its end as `pause` makes of its result. Source: the terms of
 * arXiv and NCBI, which count an installation as one. A service that let a request run out of time is left alone for `rest` milliseconds, so
 * that work for others does not stand in line behind what hangs.
 *
 * @throws SourceError rate_limited, where the service has asked for a longer pause than is waited for
 */
export const databaseTurn = (db: Db, { group, interval, rest = 0, signal }: { group: string, interval: number, rest?: number, signal?: AbortSignal | undefined }) =>
  async <T>(work: () => Promise<T>, pause: (result: T) => number = () => 0): Promise<T> => {
    const holder = randomUUID()
    while (!await takeTurn(db, group, holder, new Date(), new Date(Date.now() + longestTurn))) {
      const turn = await whenTurn(db, group)
      const wait = (turn?.next_at.getTime() ?? 0) - Date.now()
      if (turn?.holder == null && wait > patience) throw new SourceError('rate_limited', `The service asked to be left alone until ${shown(turn!.next_at)}, or did not answer.`, { retryAfter: Math.ceil(wait / 1000) })
      // While somebody has the turn, its end is not known: look again soon.
      await sleep(turn?.holder == null ? Math.max(wait, shortestWait) : Math.min(shortestWait * 5, longestWait), undefined, { signal })
    }
    const started = Date.now()
    let next = started + interval
    try {
      const result = await work()
      next = Math.max(next, Date.now() + pause(result))
      return result
    } catch (error) {
      if (error instanceof OutsideError && error.fault === 'timeout') next = Math.max(next, Date.now() + rest)
      throw error
    } finally {
      await endTurn(db, group, holder, new Date(next))
    }
  }

/**
 * Leaves a host alone for `rest` milliseconds, in all processes, once it has let a request run out of time; others wait for nothing.
 * @throws SourceError rate_limited while it is left alone
 */
export const databaseRest = (db: Db, { host, rest }: { host: string, rest: number }) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    const name = `rest ${host}`
    const next = (await whenTurn(db, name))?.next_at ?? new Date(0)
    const wait = next.getTime() - Date.now()
    if (wait > 0) throw new SourceError('rate_limited', `${host} did not answer in time, and is left alone until ${shown(next)}.`, { retryAfter: Math.ceil(wait / 1000) })
    try {
      return await work()
    } catch (error) {
      if (error instanceof OutsideError && error.fault === 'timeout') await takeTurn(db, name, randomUUID(), new Date(), new Date(Date.now() + rest))
      throw error
    }
  }
