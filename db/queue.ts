import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import PgBoss from 'pg-boss'
import type { Task } from '../schemas/job.js'
import type { Connection, Db } from './connection.js'
import { returnDelivery, takeDelivery } from './queries/deliveries.js'

/** How a task's jobs are delivered. */
export interface Delivery {
  task: Task
  /** Seconds that one try may take. */
  deadline: number
  /** Tries after the first. */
  retries: number
  /** Seconds before the second try; each further one waits about twice as long. */
  retryDelay: number
}

export interface Delivered {
  id: string
  /** Whether a failure of this try is followed by another try. */
  last: boolean
  /** What its sender gave with it. */
  note: DeliveryNote
}

/** Goes with a job to the process that takes it, and is lost where the job is sent anew: nothing may depend on it. */
export interface DeliveryNote { traceparent?: string }

/**
 * Delivers jobs at least once, over pg-boss in the same database: several processes share it. What a job is, and how it stands, is in the
 * table `job`; here is only its way to a process. Each step of it belongs into the transaction that changes the row, so that a process may
 * end at any moment without leaving the two apart.
 */
export interface Queue {
  /**
   * Opens it. Needed before a transaction that uses it: the embedded database gives one connection its turn until its transaction
   * ends, and opening works on another.
   */
  ready (): Promise<void>
  /** Sends a job's id, in the transaction of `db`. Sending what is on its way already changes nothing. */
  send (db: Db, task: Task, id: string, note?: DeliveryNote): Promise<void>
  /** Takes the next, in a transaction, passing over the jobs of these accounts. */
  take (db: Db, task: Task, passedOver?: readonly string[]): Promise<Delivered | undefined>
  complete (db: Db, task: Task, id: string): Promise<void>
  /** Returns it for the next try, after its delay. */
  retry (db: Db, task: Task, id: string, reason: string): Promise<void>
  /** Takes it out for good. */
  drop (db: Db, task: Task, id: string): Promise<void>
  /** Returns it untouched, for another process. */
  giveBack (db: Db, task: Task, id: string): Promise<void>
  /** Returns a job whose process is gone: it is delivered again at once. */
  revive (db: Db, task: Task, id: string): Promise<void>
  /** Removes what is long done; returns what took longer than any deadline. */
  maintain (): Promise<void>
  /** Says that something sent is committed, so that this process takes it at once. */
  wake (task: Task): void
  /** @returns what ends it */
  onWake (listener: (task: Task) => void): () => void
}

/** A try is ended by its process at the deadline; where the process itself hangs, pg-boss ends it this much later. */
const grace = 60
const dayInSeconds = 24 * 60 * 60
/** The advisory lock under which it is opened: any number that nobody else takes. */
const openingLock = 8242

/** The queue on a database. It is opened at its first use, so that commands that queue nothing start without it. */
export function openQueue ({ db, kind }: Pick<Connection, 'db' | 'kind'>, deliveries: readonly Delivery[], onError: (cause: Error) => void): Queue {
  const awake = new EventEmitter()
  let opened: Promise<PgBoss> | undefined
  const boss = () => {
    opened ??= kind === 'embedded' ? start(db, deliveries, onError) : aloneOpening(db, async () => await start(db, deliveries, onError))
    // A database that is away now may be there at the next use.
    opened.catch(() => { opened = undefined })
    return opened
  }
  return {
    ready: async () => { await boss() },
    async send (transaction, task, id, note = {}) {
      await (await boss()).send(task, note, { id, db: adapter(transaction) })
    },
    async take (transaction, task, passedOver = []) {
      await boss()
      const taken = await takeDelivery<DeliveryNote>(transaction, task, passedOver)
      return taken === undefined ? undefined : { id: taken.id, last: taken.retry_count >= taken.retry_limit, note: taken.data }
    },
    complete: async (transaction, task, id) => await (await boss()).complete(task, id, {}, { db: adapter(transaction) }),
    retry: async (transaction, task, id, reason) => await (await boss()).fail(task, id, { reason }, { db: adapter(transaction) }),
    drop: async (transaction, task, id) => await (await boss()).deleteJob(task, id, { db: adapter(transaction) }),
    async giveBack (transaction, task, id) {
      await boss()
      await returnDelivery(transaction, task, id)
    },
    async revive (transaction, task, id) {
      const queue = await boss()
      await queue.deleteJob(task, id, { db: adapter(transaction) })
      await queue.send(task, {}, { id, db: adapter(transaction) })
    },
    maintain: async () => await (await boss()).maintain(),
    wake: task => { awake.emit('wake', task) },
    onWake (listener) {
      awake.on('wake', listener)
      return () => { awake.off('wake', listener) }
    }
  }
}

/**
 * Several processes may open it at once: one makes its tables, and the others find them. The lock is a transaction's, on a connection of its
 * own, since a pooler between gives a session's away; nobody waits for it inside a transaction, since a pooler has few connections. Processes on
 * the embedded database share one session, which such a transaction would keep from the work: there all of them try, and pg-boss takes the
 * failure of all but one for what it is.
 */
async function aloneOpening<T extends object> (db: Db, run: () => Promise<T>): Promise<T> {
  for (;;) {
    const opened = await db.transaction().execute(async transaction => {
      const { rows: [lock] } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${openingLock}) as taken`.execute(transaction)
      return lock!.taken ? await run() : undefined
    })
    if (opened !== undefined) return opened
    await sleep(50)
  }
}

async function start (db: Db, deliveries: readonly Delivery[], onError: (cause: Error) => void): Promise<PgBoss> {
  // Its own timers stay off: the ticker of src/jobs does what they would, and survives a database that is away.
  let where = adapter(db)
  const boss = new PgBoss({ db: { executeSql: async (text, values) => await where.executeSql(text, values) }, supervise: false, schedule: false, deleteAfterDays: 7, archiveCompletedAfterSeconds: dayInSeconds })
  boss.on('error', onError)
  await db.connection().execute(async connection => {
    where = {
      // Where a statement of its own transaction fails, pg-boss leaves that open; the pool would hand it on.
      executeSql: async (text, values) => await adapter(connection).executeSql(text, values).catch(async cause => {
        await sql`rollback`.execute(connection)
        throw cause
      })
    }
    try {
      await boss.start()
      // Where another process has made the tables first, pg-boss overlooks that, with its own transaction left open and broken.
      await sql`rollback`.execute(connection)
      await makeQueues(boss, deliveries)
    } finally {
      where = adapter(db)
    }
  })
  return boss
}

async function makeQueues (boss: PgBoss, deliveries: readonly Delivery[]): Promise<void> {
  const known = new Set((await boss.getQueues()).map(({ name }) => name))
  for (const { task, deadline, retries, retryDelay } of deliveries) {
    const options = { name: task, retryLimit: retries, retryDelay, retryBackoff: true, expireInSeconds: deadline + grace }
    if (known.has(task)) await boss.updateQueue(task, options)
    else await boss.createQueue(task, options)
  }
}

const adapter = (db: Db): PgBoss.Db => ({
  executeSql: async (text, values) => ({ rows: (await db.executeQuery(CompiledQuery.raw(text, values ?? []))).rows as never[] })
})
