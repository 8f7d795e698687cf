import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs } from '../../../schemas/durations.js'
import { wasDeleted } from '../../errors/deleted-records.js'
import { isDatabaseFailure, JobFailure, PermanentFailure, ServiceStops, SlotYielded } from '../../jobs/failures.js'
import type { ClaimedJob } from '../../jobs/queue.js'
import type { Log } from '../../observability/log.js'
import type { ServiceContext } from '../../operations/context.js'
import { toJobFailure } from '../../operations/job-failure.js'
import { HostPaused } from '../../sources/requests/rate-limiter.js'
import { untilAborted } from '../../threads/until-aborted.js'
import type { Task } from './tasks.js'

const heartbeatIntervalMs = 10_000
/** Between two attempts to record a job's end while the database is unreachable. */
const recordIntervalMs = 1000

/** The workers of this process. */
export interface Workers {
  /** Stops claiming jobs; aborts and releases those that still run after `graceMs`. */
  stop (graceMs: number): Promise<void>
}

/**
 * Starts a worker for every task. @param pollIntervalMs between two polls of the queue; a job that this process enqueues is claimed
 * immediately
 */
export function startWorkers (context: ServiceContext, tasks: readonly Task[], pollIntervalMs = 2000): Workers {
  const shutdown = new AbortController()
  // Every running job adds a listener.
  setMaxListeners(0, shutdown.signal)
  const workers = tasks.map(task => startWorker(context, task, pollIntervalMs, shutdown.signal))
  const heartbeat = setInterval(
    () => { context.queue.heartbeat(workers.flatMap(({ jobs }) => jobs())).catch(() => {}) },
    heartbeatIntervalMs
  )
  return {
    async stop (graceMs) {
      const timer = setTimeout(() => shutdown.abort(new ServiceStops()), graceMs)
      await Promise.all(workers.map(async worker => await worker.stop()))
      clearTimeout(timer)
      clearInterval(heartbeat)
    }
  }
}

interface Worker {
  jobs: () => ClaimedJob[]
  /** Resolves when its jobs have ended. */
  stop: () => Promise<void>
}

/** Claims the jobs of one task, and runs as many at the same time as the task allows. */
function startWorker (context: ServiceContext, task: Task, pollIntervalMs: number, shutdown: AbortSignal): Worker {
  const running = new Map<ClaimedJob, Promise<void>>()
  const jobs = () => [...running.keys()]
  const stopping = new AbortController()
  let wake = () => {}
  const loop = async () => {
    while (!stopping.signal.aborted) {
      // Created before the claim, so a job enqueued in the meantime wakes it.
      const woken = new Promise<void>(resolve => { wake = resolve })
      const job = running.size < task.concurrency ? await claim(context, task, jobs()) : undefined
      if (job !== undefined) {
        running.set(job, runJob(context, task, job, shutdown).finally(() => { running.delete(job); wake() }))
        continue
      }
      const timer = setTimeout(wake, pollIntervalMs)
      await woken
      clearTimeout(timer)
    }
  }
  const unsubscribe = context.queue.onEnqueued(task.task, () => wake())
  const ended = loop()
  return {
    jobs,
    async stop () {
      stopping.abort()
      unsubscribe()
      wake()
      await ended
      await Promise.all(running.values())
    }
  }
}

async function claim ({ queue, log }: ServiceContext, task: Task, running: readonly ClaimedJob[]): Promise<ClaimedJob | undefined> {
  try {
    return await queue.claim(task.task, accountsWithoutSlot(task, running))
  } catch (error) {
    log.warn({ err: error, task: task.task }, 'No job could be claimed; the next poll retries.')
    return undefined
  }
}

/** Returns the accounts that use all their slots. The last slot is for others, so one account cannot block the queue. */
function accountsWithoutSlot ({ concurrency, accountConcurrency = concurrency - 1 }: Task, running: readonly ClaimedJob[]): string[] {
  if (concurrency === 1) return []
  const accounts = running.flatMap(({ requested_by }) => requested_by ?? [])
  return [...new Set(accounts)].filter(account => accounts.filter(other => other === account).length >= accountConcurrency)
}

/**
 * Whether a job failed only because a host has a cooldown, which jobs of other accounts can cause: the attempt does not count. A host that
 * never responds to any of them fails jobs after a day.
 */
const isPaused = (error: Error, { created_at }: ClaimedJob, now: Date): error is HostPaused =>
  error instanceof HostPaused && now.getTime() - created_at.getTime() < dayMs

/** Runs one attempt and records how it ended. Never rejects. */
async function runJob (service: ServiceContext, task: Task, job: ClaimedJob, shutdown: AbortSignal): Promise<void> {
  const { queue } = service
  const log = jobLog(service.log, job)
  const startedAt = performance.now()
  const deadline = AbortSignal.timeout(task.deadlineSeconds * 1000)
  const signal = AbortSignal.any([deadline, shutdown])

  async function endFailed (error: Error): Promise<'returned' | 'retried' | 'failed'> {
    if (shutdown.aborted || isDatabaseFailure(error)) {
      await queue.release(job, shutdown.aborted ? undefined : task.retryDelaySeconds)
      return 'returned'
    }
    if (error instanceof SlotYielded) {
      await queue.yieldSlot(job)
      return 'returned'
    }
    if (isPaused(error, job, service.now())) {
      await queue.release(job, error.retryAfter)
      return 'returned'
    }
    return await queue.fail(
      job,
      deadline.aborted ? new JobFailure(`Timed out after ${task.deadlineSeconds} s.`) : toJobFailure(error),
      task
    )
  }

  try {
    const outcome = await untilAborted(() => task.run({ ...service, trace: job.trace, log, signal }, job), signal)
      .then(async result => await whenDatabaseIsBack(() => queue.complete(job, result), shutdown))
      .then(() => 'done', async error => {
        if (!shutdown.aborted) logFailure(log, error)
        return await whenDatabaseIsBack(() => endFailed(error), shutdown)
      })
    service.metrics.jobs.observe({ task: task.task, outcome }, (performance.now() - startedAt) / 1000)
  } catch (error) {
    log.warn({ err: error }, 'The end of a job could not be recorded; another worker takes it over after a minute.')
  }
}

function logFailure (log: Log, error: Error): void {
  // Usually the job was deleted with its project; otherwise it is retried. Neither is an error.
  if (wasDeleted(error)) log.info({ err: error }, 'The project or paper of a job was deleted.')
  else if (error instanceof HostPaused) log.info({ err: error }, 'A job waits for the cooldown of a host.')
  else if (isDatabaseFailure(error)) log.warn({ err: error }, 'A job lost the database; the attempt does not count.')
  else if (!(error instanceof PermanentFailure || error instanceof SlotYielded)) log.error({ err: error }, 'A job failed.')
}

/** Adds the job, and the trace of the request that enqueued it, to every log line. */
function jobLog (log: Log, { id, task, attempts, trace }: ClaimedJob): Log {
  const fields = { job: id, task, attempt: attempts, ...trace }
  return {
    info: (data, message) => log.info({ ...fields, ...data }, message),
    warn: (data, message) => log.warn({ ...fields, ...data }, message),
    error: (data, message) => log.error({ ...fields, ...data }, message)
  }
}

/** Retries a statement until the database accepts it or the process stops. */
async function whenDatabaseIsBack<T> (run: () => Promise<T>, shutdown: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!isDatabaseFailure(error) || shutdown.aborted) throw error
      await sleep(recordIntervalMs)
    }
  }
}
