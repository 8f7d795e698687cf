import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { endTurn, takeTurn, whenTurn } from '../../db/queries/sources.js'
import type { Db } from '../../db/connection.js'

/** A holder that vanished loses its turn after this many milliseconds; no request takes longer. */
const longestTurn = 120_000
const shortestWait = 20
const longestWait = 1000

/**
 * Makes requests to one outside service wait for each other, over all processes on the database: one at a time, and from the start of one
 * to the start of the next at least `interval` milliseconds. Source: the terms of arXiv and NCBI, which count an installation as one.
 */
export const databaseTurn = (db: Db, { group, interval, signal }: { group: string, interval: number, signal?: AbortSignal | undefined }) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    const holder = randomUUID()
    while (!await takeTurn(db, group, holder, new Date(), new Date(Date.now() + longestTurn))) {
      const turn = await whenTurn(db, group)
      const wait = (turn?.next_at.getTime() ?? 0) - Date.now()
      // While somebody has the turn, its end is not known: look again soon.
      await sleep(turn?.holder == null ? Math.min(Math.max(wait, shortestWait), longestWait * 60) : Math.min(shortestWait * 5, longestWait), undefined, { signal })
    }
    const started = Date.now()
    try {
      return await work()
    } finally {
      await endTurn(db, group, holder, new Date(started + interval))
    }
  }
