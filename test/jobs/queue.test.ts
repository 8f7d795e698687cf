import t from 'tap'
import { sql } from 'kysely'
import { connect } from '../../db/connection.js'
import { UniqueViolation } from '../../db/errors.js'
import { JobFailure, nextRetry, PermanentFailure } from '../../src/jobs/failures.js'
import { type ClaimedJob, openJobQueue } from '../../src/jobs/queue.js'
import { connectionTimeoutMs, lendDatabase } from '../support/database.js'

const policy = { retries: 3, retryDelaySeconds: 60 }

t.test('the job queue', async t => {
  const { databaseUrl, dataDir } = await lendDatabase(t)
  const open = async () => await connect({ databaseUrl, dataDir, name: 'test', share: true, connectionTimeoutMs })
  const { db, close } = await open()
  t.teardown(close)
  const queue = openJobQueue(db)
  const enqueue = async (once_key: string, account_id: string | null = null) =>
    (await queue.enqueue({ task: 'convert-markdown', once_key, account_id })).id
  const claim = async () => (await queue.claim('convert-markdown'))!
  const row = async (id: string) => await db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const makeSourcesDue = async (id: string) => await db.updateTable('job').set({ run_at: new Date(0) }).where('id', '=', id).execute()
  t.beforeEach(async () => { await db.deleteFrom('job').execute() })

  t.test('gives each job to one of several concurrent processes', async t => {
    const ids = await Promise.all(Array.from({ length: 60 }, async (_each, at) => await enqueue(`key ${at}`)))
    const others = await Promise.all(Array.from({ length: 4 }, open))
    const claimed = await Promise.all(others.map(async ({ db }) => {
      const own: string[] = []
      for (let job: ClaimedJob | undefined; (job = await openJobQueue(db).claim('convert-markdown')) !== undefined;) own.push(job.id)
      return own
    }))
    t.strictSame(claimed.flat().sort(), ids.sort())
    for (const { close } of others) await close()
  })

  t.test('keeps one unfinished job per task and key', async t => {
    const added = await Promise.all(
      Array.from({ length: 20 }, async () => await queue.enqueue({ task: 'convert-markdown', once_key: 'same' }))
    )
    t.equal(new Set(added.map(({ id }) => id)).size, 1)
    t.equal(added.filter(({ created }) => created).length, 1)
    const job = await claim()
    t.match(await queue.enqueue({ task: 'convert-markdown', once_key: 'same' }), { id: job.id, created: false }, 'while it runs')
    t.match(await queue.enqueue({ task: 'score-project', once_key: 'same' }), { created: true }, 'of another task')
    await queue.complete(job, {})
    t.match(await queue.enqueue({ task: 'convert-markdown', once_key: 'same' }), { created: true })
  })

  t.test('claims the longest overdue job and skips accounts', async t => {
    const {
      rows: [account]
    } = await sql<{ id: string }>`insert into account (email, password_hash) values ('a@example.org', '') returning id`.execute(db)
    const [own, everybodys] = [await enqueue('own', account!.id), await enqueue('everybodys')]
    t.equal((await queue.claim('convert-markdown', [account!.id]))?.id, everybodys)
    t.equal(await queue.claim('convert-markdown', [account!.id]), undefined)
    t.equal((await claim()).id, own)
    t.equal(await queue.claim('convert-markdown'), undefined)
  })

  t.test('retries with exponential backoff and jitter, then fails', async t => {
    const id = await enqueue('retried')
    for (const delay of [60, 120, 240]) {
      const before = Date.now()
      t.equal(await queue.fail(await claim(), new JobFailure('Away.'), policy), 'retried')
      const { state, error, run_at, locked_by, alive_at } = await row(id)
      t.strictSame({ state, error, locked_by, alive_at }, { state: 'waiting', error: 'Away.', locked_by: null, alive_at: null })
      const [least, most] = [before, Date.now()].map(time => (run_at.getTime() - time) / 1000)
      t.ok(least! > delay - 1 && most! < 2 * delay + 1, `${least} s`)
      t.equal(await queue.claim('convert-markdown'), undefined, 'not before it is due')
      await makeSourcesDue(id)
    }
    t.equal(await queue.fail(await claim(), new JobFailure('Away.'), policy), 'failed')
    t.match(await row(id), { state: 'failed', error: 'Away.', attempts: 4 })
    t.equal(nextRetry(new PermanentFailure('Never.'), 1, policy), undefined)
  })

  t.test('requeues a failed job with all its attempts', async t => {
    const id = await enqueue('failed')
    await queue.fail(await claim(), new PermanentFailure('Never.'), policy)
    t.equal(await queue.retry(null, id), true)
    t.match(await claim(), { id, attempts: 1 })
    t.equal(await queue.retry(null, id), false, 'only what failed')
  })

  t.test('requeues one of two failed jobs of a key, also when both are retried at one moment', async t => {
    const ids: string[] = []
    for (let count = 0; count < 2; count++) {
      ids.push(await enqueue('same'))
      await queue.fail(await claim(), new PermanentFailure('Never.'), policy)
    }
    // As if the other was requeued between the check and the update.
    const taken = openJobQueue(db.withPlugin({
      transformQuery ({ node }) { if (node.kind === 'UpdateQueryNode') throw new UniqueViolation(); return node },
      transformResult: async ({ result }) => result
    }))
    t.equal(await taken.retry(null, ids[0]!), false)
    t.strictSame((await Promise.all(ids.map(async id => await queue.retry(null, id)))).sort(), [false, true])
  })

  t.test('releases a job without counting the attempt', async t => {
    const id = await enqueue('released')
    const { run_at } = await row(id)
    await queue.release(await claim())
    t.match(await row(id), { state: 'waiting', attempts: 0, run_at, locked_by: null })
    await queue.release(await claim(), 3600)
    t.equal(await queue.claim('convert-markdown'), undefined, 'not before its delay is over')
  })

  t.test('ignores delays set before the clock was set back', async t => {
    const [delayed, ordinary] = [await enqueue('delayed'), await enqueue('ordinary')]
    await db
      .updateTable('job')
      .set({ run_at: sql`now() + interval '1 hour'`, updated_at: sql`now() + interval '1 hour'` })
      .where('id', '=', delayed)
      .execute()
    await db
      .updateTable('job')
      .set({ run_at: sql`now() + interval '1 hour'` })
      .where('id', '=', ordinary)
      .execute()
    t.match(await claim(), { id: delayed })
    t.equal(await queue.claim('convert-markdown'), undefined, 'an ordinary delay still applies')
  })

  t.test("requeues a stopped process's job with a heartbeat in the future", async t => {
    const id = await enqueue('stopped')
    await claim()
    await db.updateTable('job').set({ alive_at: sql`now() + interval '1 hour'` }).execute()
    await queue.requeueSilent()
    t.match(await row(id), { state: 'waiting' })
  })

  t.test('keeps the trace of the enqueuing request and notifies this process', async t => {
    const trace = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), trace_flags: '01' }
    let wakeUps = 0
    const unsubscribe = queue.onEnqueued('convert-markdown', () => { wakeUps++ })
    await queue.enqueue({ task: 'convert-markdown', once_key: 'traced' }, { trace })
    await queue.enqueue({ task: 'convert-markdown', once_key: 'traced' })
    t.strictSame((await claim()).trace, trace)
    unsubscribe()
    await enqueue('later')
    t.equal(wakeUps, 1)
  })
})
