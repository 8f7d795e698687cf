import t from 'tap'
import { sql } from 'kysely'
import { convertJob } from '../../src/jobs/new-jobs.js'
import { startWorkers } from '../../src/adapters/jobs/worker.js'
import { guardedClient } from '../../src/http/guarded-client.js'
import { metered } from '../../src/http/metered-client.js'
import { projectWith, testService } from '../support/service.js'
import { standIn } from '../support/stand-ins/server.js'
import { until } from '../support/until.js'

t.test('/metrics', async t => {
  let ahead = 0
  const service = await testService(t, {}, () => new Date(Date.now() + ahead))
  const { app, context } = service
  const user = await service.user()
  const project = await projectWith(user, [{ title: 'A paper', doi: '10.1000/1' }], {
    sources: [
      { name: 'pubmed', query: 'sleep' },
      { name: 'arxiv', query: 'all:sleep' }
    ]
  })
  /** Metrics as they are now: what is read from the database is believed for a while. */
  const metrics = async (): Promise<string> => {
    ahead += 5100
    return (await app.inject({ url: '/metrics' })).body
  }

  await t.test('has process metrics: memory, descriptors, event loop, version', async t => {
    const { body } = await app.inject({ url: '/metrics' })
    for (const name of [
      'process_resident_memory_bytes',
      'process_open_fds',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_heap_size_used_bytes'
    ]) { t.match(body, new RegExp(`^${name} \\d`, 'm')) }
    t.match(body, /^litfeed_info\{version="\d/m)
  })

  await t.test('has database connections and size', async t => {
    const { body } = await app.inject({ url: '/metrics' })
    t.match(body, /^litfeed_database_up 1$/m)
    t.match(body, /^litfeed_database_writable 1$/m)
    t.match(body, /^litfeed_database_connections\{state="in_use"\} \d+$/m)
    t.match(body, /^litfeed_database_connections\{state="idle"\} [1-9]/m)
    t.match(body, /^litfeed_database_waiting 0$/m)
    t.match(body, /^litfeed_database_bytes [1-9]\d{6,}$/m)
  })

  await t.test('counts successful, failed and rate-limited logins', async t => {
    const login = async (password: string) =>
      await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: user.email, password } })
    await login(user.password)
    for (let tries = 0; tries < 12; tries++) await login('a wrong password')
    const { body } = await app.inject({ url: '/metrics' })
    t.match(body, /^litfeed_logins_total\{outcome="ok"\} 1$/m)
    t.match(body, /^litfeed_logins_total\{outcome="wrong"\} 10$/m)
    t.match(body, /^litfeed_logins_total\{outcome="limited"\} 2$/m)
  })

  await t.test('counts requests to outside services by result', async t => {
    const { url, next } = await standIn(t, () => ({ body: 'fine' }))
    const told: string[] = []
    const http = guardedClient({ userAgent: 'test', trustedOrigins: [url] })
    t.teardown(http.close)
    const client = metered(http, outcome => { told.push(outcome) })
    next.push({ body: 'fine' }, { status: 429, body: '' }, { status: 503, body: '' }, { status: 404, body: '' }, 'break')
    for (let asked = 0; asked < 4; asked++) await client.fetch(url)
    await t.rejects(client.fetch(url))
    await t.rejects(client.fetch('http://127.0.0.1:1/'))
    t.strictSame(told, ['2xx', '429', '5xx', '4xx', 'unreachable', 'refused'])
  })

  await t.test('has waiting jobs, their age, and failing or late sources', async t => {
    await sql`update source_state set failures = 3, last_fetched_at = now() - interval '1 day', next_fetch_at = now() - interval '2 hours'
      where name = 'pubmed'`.execute(context.db)
    await sql`update source_state set next_fetch_at = now() + interval '1 hour' where name = 'arxiv'`.execute(context.db)
    const {
      rows: [row]
    } = await sql<{ paper_id: string }>`select paper_id from project_paper where project_id = ${project}`.execute(context.db)
    const { id } = await context.queue.enqueue(convertJob(row!.paper_id))
    await sql`update job set updated_at = now() - interval '10 minutes' where id = ${id}`.execute(context.db)
    const body = await metrics()
    t.match(body, /^litfeed_jobs\{task="convert-markdown",state="waiting"\} 1$/m)
    t.match(body, /^litfeed_job_oldest_seconds\{task="convert-markdown",state="waiting"\} 6\d\d/m)
    t.match(body, /^litfeed_source_failing\{source="pubmed"\} 1$/m)
    t.match(body, /^litfeed_source_failing\{source="arxiv"\} 0$/m)
    t.match(body, /^litfeed_source_since_success_seconds\{source="pubmed"\} 864\d\d/m)
    t.match(body, /^litfeed_source_overdue_seconds\{source="pubmed"\} 72\d\d/m)
    t.match(body, /^litfeed_source_overdue_seconds\{source="arxiv"\} 0$/m)
    t.notMatch(body, /litfeed_source_since_success_seconds\{source="arxiv"\}/, 'what never succeeded has no age')
    t.notMatch(body, new RegExp(`${user.email}|${project}|${id}|sleep`))

    const workers = startWorkers(context, [
      { task: 'convert-markdown', deadlineSeconds: 30, retries: 0, retryDelaySeconds: 60, concurrency: 1, run: async () => ({}) }
    ])
    await until(async () =>
      (await app.inject({ url: '/metrics' })).body.includes('litfeed_job_duration_seconds_count{task="convert-markdown",outcome="done"} 1')
    )
    await workers.stop(1000)
    t.equal(await context.queue.claim('convert-markdown'), undefined)
    t.notMatch(await metrics(), /^litfeed_jobs\{task="convert-markdown"/m, 'what is done is not shown')
  })
})
