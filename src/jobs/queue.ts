import { EventEmitter } from 'node:events'
import type { Db } from '../../db/connection.js'
import {
  type Claim, claimJob, completeJob, failJob, yieldSlot, readDatabaseTime, recordHeartbeats, releaseJob, requeueSilentJobs
} from '../../db/queries/job-claims.js'
import {
  countWaiting, deleteJob, insertJob, moveToRequester, type NewJob, retryAllFailedJobs, retryFailedJob
} from '../../db/queries/jobs.js'
import type { ProjectIds } from '../../db/queries/ownership.js'
import type { TaskName } from '../../schemas/job.js'
import { RateLimited } from '../errors/operation-errors.js'
import { readTrace, type Trace, writeTrace } from '../observability/trace.js'
import { clockJumps } from './clock-jumps.js'
import { JobFailure, nextRetry, type RetryPolicy, unexpectedFailure } from './failures.js'

/** Waiting jobs of a kind with which an account may retry another. */
const maxWaitingRetries = 50
/** A running process sends a heartbeat every 10 s; without one for this many seconds, it counts as stopped. */
const silentSeconds = 60
/** A job whose process stopped this many times probably causes it, and fails. */
const maxLostAttempts = 5
/** When an account with too many waiting jobs may try again: about as long as one of them takes. */
const retryWaitingSeconds = 30

/** A job that this process runs. */
export interface ClaimedJob extends Claim {
  task: TaskName
  account_id: string | null
  requested_by: string | null
  paper_id: string | null
  project_id: string | null
  alert_id: string | null
  import_id: string | null
  identifier: string | null
  visible_projects: ProjectIds
  /** Attempts, including this one. */
  attempts: number
  created_at: Date
  /** The trace of the request that enqueued it. */
  trace: Trace | undefined
}

/** Options of a new job. */
export interface EnqueueOptions {
  trace?: Trace | undefined
  /**
   * Called in the job's transaction once no other job of its task and key is unfinished, so that it sees their effects. False: nothing is
   * enqueued.
   */
  isWanted?: ((db: Db) => Promise<boolean>) | undefined
  /** Waiting jobs of the task that the account may have. */
  maxWaiting?: number | undefined
}

/**
 * The queue of background work, in the table `job`. It delivers at least once: several processes share it, and each of them may end at any
 * moment.
 * Every step is one statement or transaction. A claim that another process took over changes nothing.
 */
export interface JobQueue {
  /**
   * Adds a job, or finds the unfinished one of the same task and key. That one takes the turn of the account that has fewer of them.
   * @throws RateLimited if too many jobs of the account wait
   */
  enqueue (job: NewJob, options?: EnqueueOptions): Promise<{ id: string, created: boolean }>
  /** For work that costs much before it can be enqueued. @throws RateLimited if `maxWaiting` jobs of the account wait */
  requireQueueCapacity (task: TaskName, accountId: string, maxWaiting: number): Promise<void>
  /** Takes a job of the task; accounts take turns. @param skipAccounts whose jobs stay in the queue */
  claim (task: TaskName, skipAccounts?: readonly string[]): Promise<ClaimedJob | undefined>
  complete (job: ClaimedJob, result: object): Promise<void>
  /**
   * Ends an attempt. People read the message of a JobFailure, and a generic one for any other error. @returns whether another attempt
   * follows
   */
  fail (job: ClaimedJob, error: Error, policy: RetryPolicy): Promise<'retried' | 'failed'>
  /** Returns a job without counting the attempt. @param delaySeconds until it is due; without it, it keeps its place */
  release (job: ClaimedJob, delaySeconds?: number): Promise<void>
  /** Ends the attempt of a job that continues in another one, after jobs of other accounts. */
  yieldSlot (job: ClaimedJob): Promise<void>
  /** Records that this process still runs the jobs. */
  heartbeat (jobs: readonly ClaimedJob[]): Promise<void>
  /** Requeues the jobs of processes that stopped without finishing them. */
  requeueSilent (): Promise<void>
  /**
   * Requeues a failed job. @param accountId null: any account's. @returns false if no such job failed
   * @throws RateLimited if too many jobs of its kind wait for the account
   */
  retry (accountId: string | null, id: string, projectIds?: ProjectIds): Promise<boolean>
  /** Requeues the failed jobs of a task, of all accounts. @returns their number */
  retryAll (task: TaskName): Promise<number>
  /** Calls the listener whenever this process enqueues a job of the task. Other processes poll. @returns removes the listener */
  onEnqueued (task: TaskName, listener: () => void): () => void
}

/** Opens the job queue in a database. */
export function openJobQueue (db: Db): JobQueue {
  const enqueued = new EventEmitter()
  const jumps = clockJumps()
  return {
    async enqueue (job, { trace, isWanted, maxWaiting } = {}) {
      const row = { ...job, traceparent: trace === undefined ? null : writeTrace(trace) }
      const added = isWanted === undefined && maxWaiting === undefined
        ? await insertJob(db, row)
        : await db.transaction().execute(transaction => insertIfWanted(transaction, row, { isWanted, maxWaiting }))
      if (added.created) enqueued.emit(job.task)
      else if (job.account_id === null && job.requested_by != null) await moveToRequester(db, added.id, job.requested_by)
      return added
    },
    async requireQueueCapacity (task, accountId, maxWaiting) {
      if (await countWaiting(db, task, accountId) >= maxWaiting) throw tooManyWaiting(maxWaiting)
    },
    async claim (task, skipAccounts = []) {
      const claimed = await claimJob(db, task, skipAccounts)
      if (claimed === undefined) return undefined
      const { traceparent, ...job } = claimed
      return { ...job, trace: readTrace(traceparent ?? undefined) }
    },
    async complete (job, result) { await completeJob(db, job, result) },
    async fail (job, error, policy) {
      const delaySeconds = nextRetry(error, job.attempts, policy)
      await failJob(db, job, error instanceof JobFailure ? error.message : unexpectedFailure, delaySeconds)
      return delaySeconds === undefined ? 'failed' : 'retried'
    },
    async release (job, delaySeconds) { await releaseJob(db, job, delaySeconds) },
    async yieldSlot (job) { await yieldSlot(db, job) },
    async heartbeat (jobs) { if (jobs.length > 0) await recordHeartbeats(db, jobs) },
    async requeueSilent () {
      const time = await readDatabaseTime(db).catch((cause: unknown) => {
        jumps.unsettle()
        throw cause
      })
      if (!jumps.isSettled(time)) return
      await requeueSilentJobs(db, { silentSeconds, maxAttempts: maxLostAttempts, error: 'The process that ran this job stopped.' })
    },
    async retry (accountId, id, projectIds) {
      const retried = await db.transaction().execute(async transaction => {
        const job = await retryFailedJob(transaction, accountId, id, projectIds)
        const waiting = job === undefined || accountId === null ? 0 : await countWaiting(transaction, job.task, accountId)
        if (waiting > maxWaitingRetries) throw tooManyWaiting(maxWaitingRetries)
        return job
      })
      if (retried !== undefined) enqueued.emit(retried.task)
      return retried !== undefined
    },
    async retryAll (task) {
      const retried = await retryAllFailedJobs(db, task)
      if (retried > 0) enqueued.emit(task)
      return retried
    },
    onEnqueued (task, listener) {
      enqueued.on(task, listener)
      return () => { enqueued.off(task, listener) }
    }
  }
}

async function insertIfWanted (
  transaction: Db,
  job: NewJob,
  { isWanted, maxWaiting }: Pick<EnqueueOptions, 'isWanted' | 'maxWaiting'>
): Promise<{ id: string, created: boolean }> {
  const added = await insertJob(transaction, job)
  if (!added.created) return added
  const requester = job.requested_by ?? job.account_id
  if (maxWaiting !== undefined && requester != null && await countWaiting(transaction, job.task, requester) > maxWaiting) {
    throw tooManyWaiting(maxWaiting)
  }
  if (isWanted === undefined || await isWanted(transaction)) return added
  await deleteJob(transaction, added.id)
  return { ...added, created: false }
}

const tooManyWaiting = (maxWaiting: number) =>
  new RateLimited(retryWaitingSeconds, `Your account has ${maxWaiting} waiting jobs of this kind, the maximum.`)
