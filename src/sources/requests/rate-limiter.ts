import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '../../../schemas/durations.js'
import { shownTime } from '../../../schemas/utc-time.js'
import { releaseSlot, acquireSlot, findSlot } from '../../../db/queries/sources.js'
import type { Db } from '../../../db/connection.js'
import { HttpError } from '../../http/client.js'
import { SourceError } from '../source.js'
import { type Requester, SlotQueue } from './slot-queue.js'

/** A holder that vanished loses its slot after this time; no request takes longer. */
const slotTimeoutMs = 120_000
const minWaitMs = 20
/** The end of a slot that another request holds is unknown, so it is looked for this often. */
const pollMs = 100
/** A request fails if the next slot is further away than this. */
const maxQueueMs = minuteMs

/** The error of a source that is left alone. @param waitMs until it is asked again */
const rateLimitedFor = (waitMs: number, message: string) =>
  new SourceError('rate_limited', message, { retryAfter: Math.ceil(waitMs / 1000) })

/** A host has a cooldown, which says nothing about this request: another one, of any account, timed out. */
export class HostPaused extends SourceError {
  /** Seconds until the cooldown ends. */
  declare readonly retryAfter: number

  /** @param waitMs until the cooldown ends */
  constructor (waitMs: number, message: string) {
    super('rate_limited', message, { retryAfter: Math.ceil(waitMs / 1000) })
  }
}

/** The requests of this process that wait, by rate limit. */
const queues = new WeakMap<Db, Map<string, SlotQueue>>()

/** Runs a request when it is its account's turn among those of this process. */
async function inTurn<T> (db: Db, { group, signal, ...requester }: Limit, request: () => Promise<T>): Promise<T> {
  const groups = queues.get(db) ?? new Map<string, SlotQueue>()
  queues.set(db, groups)
  const queue = groups.get(group) ?? new SlotQueue()
  groups.set(group, queue)
  try {
    return await queue.run(requester, signal, request)
  } finally {
    // Addresses from data name any number of hosts.
    if (queue.isIdle && groups.get(group) === queue) groups.delete(group)
  }
}

/** A group of requests that share a rate limit, and who asks. */
export interface Limit extends Requester { group: string, intervalMs: number, cooldownMs?: number, signal?: AbortSignal | undefined }

/**
 * The rate limit of one outside service, over all processes on the database: one request at a time, and `intervalMs` between the starts of
 * two requests, or longer where `pauseAfter` of the result says so. Source: the terms of arXiv and NCBI, which count an installation as
 * one. In each process, accounts take turns. A service that lets a request time out gets a cooldown, so that work for others does not
 * queue behind it.
 *
 * @throws SourceError rate_limited, where the service has asked for a longer pause than requests wait for
 */
export const rateLimiter = (db: Db, limit: Limit) =>
  async <T>(request: () => Promise<T>, pauseAfter: (result: T) => number = () => 0): Promise<T> =>
    await inTurn(db, limit, async () => await inSlot(db, limit, request, pauseAfter))

async function inSlot<T> (
  db: Db,
  { group, intervalMs, cooldownMs = 0, signal }: Limit,
  request: () => Promise<T>,
  pauseAfter: (result: T) => number
): Promise<T> {
  const holder = randomUUID()
  while (!await acquireSlot(db, group, holder, new Date(), new Date(Date.now() + slotTimeoutMs))) {
    const slot = await findSlot(db, group, new Date())
    const wait = (slot?.next_at.getTime() ?? 0) - Date.now()
    if (slot?.holder == null && wait > maxQueueMs) {
      throw rateLimitedFor(wait, `Paused until ${shownTime(slot!.next_at)} (rate limit or timeout).`)
    }
    await sleep(slot?.holder == null ? Math.max(wait, minWaitMs) : pollMs, undefined, { signal })
  }
  const started = Date.now()
  let next = started + intervalMs
  try {
    const result = await request()
    next = Math.max(next, Date.now() + pauseAfter(result))
    return result
  } catch (error) {
    if (isTimeout(error)) next = Math.max(next, Date.now() + cooldownMs)
    throw error
  } finally {
    await releaseSlot(db, group, holder, new Date(), new Date(next))
  }
}

/**
 * Gives a host a cooldown in all processes once it lets a request time out. Requests do not wait for each other.
 * @throws HostPaused during the cooldown
 */
export const hostCooldown = (db: Db, { host, cooldownMs }: { host: string, cooldownMs: number }) =>
  async <T>(request: () => Promise<T>): Promise<T> => {
    // The stored name, which other versions on the same database share.
    const name = `rest ${host}`
    const next = (await findSlot(db, name, new Date()))?.next_at ?? new Date(0)
    const wait = next.getTime() - Date.now()
    if (wait > 0) throw new HostPaused(wait, `${host} did not respond in time. Litfeed retries at ${shownTime(next)}.`)
    try {
      return await request()
    } catch (error) {
      if (isTimeout(error)) await acquireSlot(db, name, randomUUID(), new Date(), new Date(Date.now() + cooldownMs))
      throw error
    }
  }

const isTimeout = (error: unknown) => error instanceof HttpError && error.fault === 'timeout'
