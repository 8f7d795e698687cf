import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import { GivenUp } from '../../jobs/permanent-failure.js'
import { failJob, finishJob, keepAlive, returnJob, type TakenJob, takeJob } from '../../jobs/attempts.js'
import type { ServiceContext } from '../../operations/context.js'
import type { Log } from '../../observability/log.js'
import { wasDeleted } from '../../errors/still-exists.js'
import type { Task } from './task.js'

/** How often a process says of its jobs that they are alive. */
const heartbeat = 10_000

export interface Workers {
  /** Lets what runs go on for so many milliseconds, ends what has not ended then, and returns it for another process. */
  stop (patience: number): Promise<void>
}

/** Begins to take jobs of every task. @param idle how long a worker with nothing to do waits before it looks again; work that this process queues wakes it */
export function startWorkers (context: ServiceContext, tasks: readonly Task[], idle = 2000): Workers {
  const loop: Loop = { idle, stopping: new AbortController(), stopped: new AbortController(), running: new Set(), wakers: new Map() }
  // Every loop and every job listens to them.
  setMaxListeners(0, loop.stopping.signal, loop.stopped.signal)
  const forget = context.queue.onWake(task => { for (const wake of loop.wakers.get(task) ?? []) wake() })
  const loops = tasks.flatMap(task => {
    const oneAtATime = pLimit(1)
    return Array.from({ length: task.concurrency }, () => takeJobs(context, task, loop, oneAtATime))
  })
  const alive = setInterval(() => { keepAlive(context, loop.running).catch(() => {}) }, heartbeat)
  return {
    async stop (patience) {
      loop.stopping.abort()
      const timer = setTimeout(() => loop.stopped.abort(new Error('The service stops.')), patience)
      await Promise.all(loops)
      forget()
      clearTimeout(timer)
      clearInterval(alive)
    }
  }
}

interface Loop {
  idle: number
  stopping: AbortController
  stopped: AbortController
  running: Set<TakenJob>
  wakers: Map<string, Set<() => void>>
}

/** One account's jobs leave a place of each process to others, so that what hangs for one holds up nobody else. @returns those that have no further place */
function withoutPlace ({ task, concurrency }: Task, running: ReadonlySet<TakenJob>): string[] {
  if (concurrency === 1) return []
  const accounts = [...running].flatMap(job => job.task === task && job.account_id !== null ? [job.account_id] : [])
  return [...new Set(accounts)].filter(account => accounts.filter(other => other === account).length >= concurrency - 1)
}

async function takeJobs (context: ServiceContext, task: Task, loop: Loop, oneAtATime: LimitFunction): Promise<void> {
  while (!loop.stopping.signal.aborted) {
    const wake = nextWake(task, loop)
    try {
      // Two that looked at once would both see a place.
      const job = await oneAtATime(async () => {
        const taken = await takeJob(context, task.task, withoutPlace(task, loop.running))
        if (taken !== undefined) loop.running.add(taken)
        return taken
      })
      if (job !== undefined) {
        wake.forget()
        await work(context, task, job, loop)
        continue
      }
    } catch (error) {
      // A database that is away comes back; whatever else it is must not end the loop either.
      context.log.warn({ err: error, task: task.task }, 'A job could not be taken or ended.')
    }
    await Promise.race([wake.woken, sleep(loop.idle, undefined, { signal: loop.stopping.signal }).catch(() => {})])
    wake.forget()
  }
}

/** `woken` resolves when work of the task is queued from now on. */
function nextWake ({ task }: Task, { wakers }: Loop): { woken: Promise<void>, forget: () => void } {
  const waiting = wakers.get(task) ?? new Set()
  wakers.set(task, waiting)
  let wake = () => {}
  const woken = new Promise<void>(resolve => { wake = resolve })
  waiting.add(wake)
  return { woken, forget: () => { waiting.delete(wake) } }
}

async function work (service: ServiceContext, task: Task, job: TakenJob, { stopped, running }: Loop): Promise<void> {
  const context = { ...service, trace: job.trace, log: logOf(service.log, job) }
  const began = performance.now()
  const ended = (outcome: string) => service.metrics.jobs.observe({ task: task.task, outcome }, (performance.now() - began) / 1000)
  const deadline = AbortSignal.timeout(task.deadline * 1000)
  try {
    const result = await untilAborted(signal => task.run(context, job, signal), AbortSignal.any([deadline, stopped.signal]))
    await finishJob(context, job, result)
    ended('done')
  } catch (error) {
    if (stopped.signal.aborted) {
      ended('returned')
      return await returnJob(context, job)
    }
    // A job goes with its project: nothing is left to be tried again.
    if (wasDeleted(error)) context.log.info({ err: error }, 'What a job was for was deleted meanwhile.')
    else if (!(error instanceof GivenUp)) context.log.error({ err: error }, 'A job failed.')
    const forGood = await failJob(context, job, deadline.aborted ? new Error(`It took longer than ${task.deadline} s and was ended.`) : error as Error)
    ended(forGood ? 'failed' : 'retried')
  } finally {
    running.delete(job)
  }
}

/** Whatever is logged for a job tells which, and the trace of the call that queued it. */
function logOf (log: Log, { id, task, attempts, trace }: TakenJob): Log {
  const fields = { job: id, task, attempt: attempts, ...trace }
  return {
    info: (data, message) => log.info({ ...fields, ...data }, message),
    warn: (data, message) => log.warn({ ...fields, ...data }, message),
    error: (data, message) => log.error({ ...fields, ...data }, message)
  }
}

/** A handler that does not heed its signal is left to itself: its place is needed. */
async function untilAborted<T> (run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The time is over.', { cause: signal.reason })), { once: true })
  })
  return await Promise.race([run(signal), aborted])
}
