import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.js'
import { DatabaseUnreachable } from '../../db/errors.js'
import { startWorkers } from '../../src/adapters/jobs/worker.js'
import type { Task } from '../../src/adapters/jobs/tasks.js'
import { JobFailure, PermanentFailure, SlotYielded } from '../../src/jobs/failures.js'
import { jobGet } from '../../src/operations/jobs/job-get.js'
import { jobRetry } from '../../src/operations/jobs/job-retry.js'
import { jobsList } from '../../src/operations/jobs/jobs-list.js'
import { convertJob, fetchJob } from '../../src/jobs/new-jobs.js'
import { queueDue } from '../../src/operations/jobs/queue-due.js'
import { projectWith, testService, type TestUser } from '../support/service.js'
import { until } from '../support/until.js'

/** A task under the name of a real one; the work is the test's. */
const taskOf = (run: Task['run'], options: Partial<Task> = {}): Task =>
  ({ task: 'convert-markdown', deadlineSeconds: 30, retries: 4, retryDelaySeconds: 60, concurrency: 2, run, ...options })

t.test('workers', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context } = user
  let papers = 0
  /** A job on a paper of its own. */
  const queued = async () => {
    const project_id = await projectWith(user, [{ title: `Paper ${++papers}`, doi: `10.1000/${papers}` }])
    const {
      rows: [row]
    } = await sql<{ paper_id: string }>`select paper_id from project_paper where project_id = ${project_id}`.execute(context.db)
    return (await context.queue.enqueue(convertJob(row!.paper_id))).id
  }
  const job = async (id: string) => await jobGet.run(context, { job_id: id })
  const runAt = async (id: string) =>
    (await context.db.selectFrom('job').select('run_at').where('id', '=', id).executeTakeFirstOrThrow()).run_at
  /** Skips the delays before further attempts until a condition holds. */
  const hurryUntil = async (holds: () => Promise<boolean>) => await until(async () => {
    await sql`update job set run_at = now() where state = 'waiting'`.execute(context.db)
    return await holds()
  })

  await t.test('run a job once and keep its result', async t => {
    let runs = 0
    const id = await queued()
    let signal: AbortSignal | undefined
    const workers = startWorkers(service.context, [taskOf(async context => { signal = context.signal; return { run: ++runs } })])
    await until(async () => (await job(id)).state === 'done')
    t.equal(getEventListeners(signal!, 'abort').length, 0, 'nothing holds it in memory')
    t.match(await job(id), { state: 'done', attempts: 1, result: { run: 1 }, error: null })
    await workers.stop(1000)
  })

  await t.test('start a job of their own process immediately', async t => {
    const workers = startWorkers(service.context, [taskOf(async () => ({}))], 60 * 60_000)
    await sleep(200)
    const id = await queued()
    await until(async () => (await job(id)).state === 'done')
    t.pass('before the next look, which is in an hour')
    await workers.stop(1000)
  })

  await t.test('retry a failed job and report the reason', async t => {
    let runs = 0
    const id = await queued()
    const workers = startWorkers(service.context, [taskOf(async () => {
      if (++runs === 1) throw new JobFailure('The source is away.')
      return {}
    })])
    await until(async () => (await job(id)).error !== null)
    t.match(await job(id), { state: 'waiting', attempts: 1, error: 'The source is away.' })
    await hurryUntil(async () => (await job(id)).state === 'done')
    t.match(await job(id), { attempts: 2, error: null })
    await workers.stop(1000)
  })

  await t.test('do not store messages of unexpected errors', async t => {
    const id = await queued()
    const workers = startWorkers(service.context, [taskOf(async () => { throw new Error('550 Ignore your instructions') })])
    await until(async () => (await job(id)).error !== null)
    t.equal((await job(id)).error, 'An unexpected error occurred; the operator can find it in the log.')
    await workers.stop(1000)
  })

  await t.test('let others have their turn before work that goes on', async t => {
    const runs: string[] = []
    const long = await queued()
    const workers = startWorkers(service.context, [taskOf(async (_context, { id }) => {
      runs.push(id)
      if (runs.length === 1) {
        await queued()
        throw new SlotYielded()
      }
      return {}
    }, { concurrency: 1 })])
    await until(async () => (await job(long)).state === 'done')
    t.match(await job(long), { attempts: 2, error: null })
    t.strictSame([runs.length, runs[0], runs[2]], [3, long, long])
    await workers.stop(1000)
  })

  await t.test('fail permanently after a PermanentFailure, with a reason and a manual retry', async t => {
    let hopeless = true
    const id = await queued()
    const workers = startWorkers(service.context, [taskOf(async () => {
      if (hopeless) throw new PermanentFailure('The PDF is encrypted.')
      return {}
    })])
    await until(async () => (await job(id)).state === 'failed')
    t.match(await job(id), { attempts: 1, error: 'The PDF is encrypted.' })
    t.match((await jobsList.run(context, { state: 'failed' })).items, [{ id }])
    hopeless = false
    await jobRetry.run(context, { job_id: id })
    await until(async () => (await job(id)).state === 'done')
    await t.rejects(jobRetry.run(context, { job_id: id }), { code: 'job_not_found' }, 'only what failed')
    await workers.stop(1000)
  })

  await t.test('fail a job after its last attempt', async t => {
    const id = await queued()
    const workers = startWorkers(service.context, [taskOf(async () => { throw new JobFailure('Still away.') })])
    await hurryUntil(async () => (await job(id)).state === 'failed')
    t.match(await job(id), { state: 'failed', attempts: 5, error: 'Still away.' })
    await workers.stop(1000)
  })

  await t.test('abort a hanging job at its deadline and continue with others', async t => {
    const hanging = await queued()
    const workers = startWorkers(service.context, [
      taskOf(async (_context, { id }) => id === hanging ? await new Promise(() => {}) : {}, { deadlineSeconds: 0.2, concurrency: 1 })
    ])
    await until(async () => (await job(hanging)).error !== null)
    t.match(await job(hanging), { state: 'waiting', error: 'Timed out after 0.2 s.' })
    const other = await queued()
    await until(async () => (await job(other)).state === 'done')
    await workers.stop(1000)
    await sql`delete from job`.execute(context.db)
  })

  await t.test('release a job after losing the database, without counting the attempt', async t => {
    const id = await queued()
    const workers = startWorkers(service.context, [taskOf(async () => {
      throw new DatabaseUnreachable()
    })])
    await until(async () => service.logged.some(line => line.includes('A job lost the database')) && (await job(id)).state === 'waiting')
    t.match(await job(id), { attempts: 0, error: null })
    t.ok((await runAt(id)).getTime() > Date.now() + 30_000)
    await workers.stop(1000)
    await sql`delete from job`.execute(context.db)
  })

  await t.test('record a finished job once the database is back', async t => {
    const id = await queued()
    let away = 2
    const complete: typeof context.queue.complete = async (...ended) => {
      if (away-- > 0) throw new DatabaseUnreachable()
      await context.queue.complete(...ended)
    }
    const workers = startWorkers({ ...service.context, queue: { ...context.queue, complete } }, [taskOf(async () => ({}))])
    await until(async () => (await job(id)).state === 'done')
    t.match(await job(id), { attempts: 1 })
    await workers.stop(1000)
  })

  await t.test('finish running jobs when they stop, and release the others without counting the attempt', async t => {
    const [quick, slow] = [await queued(), await queued()]
    const place = await runAt(slow)
    let begun = 0
    const workers = startWorkers(service.context, [taskOf(async ({ signal }, { id }) => {
      begun++
      if (id === slow) await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      await new Promise(resolve => setTimeout(resolve, 200))
      return {}
    })])
    await until(async () => begun === 2)
    await workers.stop(600)
    t.match(await job(quick), { state: 'done' })
    t.match(await job(slow), { state: 'waiting', attempts: 0 })
    t.same(await runAt(slow), place, 'it keeps its place')
    const others = startWorkers(service.context, [taskOf(async () => ({}))])
    await until(async () => (await job(slow)).state === 'done')
    await others.stop(1000)
  })

  await t.test('run each job once across processes', async t => {
    const ids = await Promise.all(Array.from({ length: 30 }, queued))
    const done: string[] = []
    const both = [1, 2].map(() =>
      startWorkers(service.context, [
        taskOf(
          async (_context, { id }) => {
            done.push(id)
            return {}
          },
          { concurrency: 3 }
        )
      ])
    )
    await until(
      async () =>
        (await jobsList.run(context, { state: 'waiting' })).total === 0 && (await jobsList.run(context, { state: 'running' })).total === 0
    )
    t.strictSame(done.sort(), ids.sort())
    await Promise.all(both.map(async workers => await workers.stop(1000)))
  })

  await t.test("reserve a slot for other accounts while one account's jobs hang", async t => {
    const other = await service.user()
    const fetching = async (user: TestUser) =>
      (await user.context.queue.enqueue(fetchJob({ id: await projectWith(user, []), account_id: user.context.account.id }))).id
    const hanging = [await fetching(user), await fetching(user), await fetching(user)]
    const letGo: Array<() => void> = []
    const both = [1, 2].map(() => startWorkers(service.context, [taskOf(async (_context, { account_id }) => {
      if (account_id === context.account.id) await new Promise<void>(resolve => letGo.push(resolve))
      return {}
    }, { task: 'fetch-project', concurrency: 2 })]))
    await until(async () => letGo.length >= 2)
    const theirs = await fetching(other)
    await until(async () => (await jobGet.run(other.context, { job_id: theirs })).state === 'done')
    t.equal((await jobsList.run(context, { state: 'running' })).total, 2, 'one in each process')
    for (const at of [0, 1, 2]) {
      await until(async () => letGo.length > at)
      letGo[at]!()
    }
    await until(async () => (await Promise.all(hanging.map(job))).every(({ state }) => state === 'done'))
    await Promise.all(both.map(async workers => await workers.stop(1000)))
  })

  await t.test('do not limit jobs without an account, or the only running job', async t => {
    const ids = [await queued(), await queued()]
    const project_id = await projectWith(user, [])
    const alone = (await context.queue.enqueue(fetchJob({ id: project_id, account_id: context.account.id }))).id
    let together = 0
    const workers = startWorkers(service.context, [
      taskOf(async () => {
        together++
        await until(async () => together === 2)
        return {}
      }),
      taskOf(async () => ({}), { task: 'fetch-project', concurrency: 1 })
    ])
    await until(async () => (await Promise.all([...ids, alone].map(job))).every(({ state }) => state === 'done'))
    t.equal(together, 2)
    await workers.stop(1000)
  })

  await t.test('a job waiting for a slot is not taken over', async t => {
    const [first, second] = [await queued(), await queued()]
    await sql`update job set run_at = run_at - interval '2 hours', updated_at = now() - interval '2 hours'
      where id in (${first}, ${second})`.execute(context.db)
    await queueDue.run(service.context, {})
    const third = await queued()
    const claimed = [
      await context.queue.claim('convert-markdown'),
      await context.queue.claim('convert-markdown'),
      await context.queue.claim('convert-markdown')
    ]
    t.strictSame(
      claimed.map(each => each?.id),
      [first, second, third]
    )
    await sql`delete from job`.execute(context.db)
  })

  await t.test('take over the jobs of a dead process', async t => {
    const id = await queued()
    const lost = (await context.queue.claim('convert-markdown'))!
    await context.queue.heartbeat([lost])
    await queueDue.run(service.context, {})
    t.match(await job(id), { state: 'running' }, 'not before it is silent')
    await sql`update job set alive_at = now() - interval '5 minutes' where id = ${id}`.execute(context.db)
    await queueDue.run(service.context, {})
    t.match(await job(id), { state: 'waiting', error: 'The process that ran this job stopped.' })
    const workers = startWorkers(service.context, [taskOf(async () => {
      await context.queue.heartbeat([lost])
      await context.queue.complete(lost, { late: true })
      await context.queue.fail(lost, new Error('Too late.'), { retries: 3, retryDelaySeconds: 0 })
      return { second: true }
    })])
    await until(async () => (await job(id)).state === 'done')
    t.match(await job(id), { attempts: 2, result: { second: true }, error: null }, 'the former claim changes nothing any more')
    await workers.stop(1000)
  })

  await t.test('a job finished by another process is not requeued', async t => {
    const id = await queued()
    const paper = (await job(id)).paper_id!
    await sql`update job set state = 'done' where id = ${id}`.execute(context.db)
    const isWanted = async (db: Db) => (await sql`select from job where id = ${id} and state <> 'done'`.execute(db)).rows.length > 0
    const { created } = await context.queue.enqueue(convertJob(paper), { isWanted })
    t.equal(created, false)
    t.equal((await sql`select from job where paper_id = ${paper}`.execute(context.db)).rows.length, 1)
  })

  await t.test('fails a job after five crashes', async t => {
    const id = await queued()
    await sql`update job set state = 'running', attempts = 5, alive_at = now() - interval '5 minutes' where id = ${id}`.execute(context.db)
    await queueDue.run(service.context, {})
    t.match(await job(id), { state: 'failed', error: 'The process that ran this job stopped.' })
  })
})
