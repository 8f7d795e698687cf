import t from 'tap'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Value } from 'typebox/value'
import { Type } from 'typebox'
import { sql } from 'kysely'
import { migrations } from '../../db/migrations/index.js'
import { testDatabase, testDatabaseUrl } from '../support/database.js'
import { post } from '../support/mcp.js'
import { proxyTo } from '../support/proxy.js'
import { projectWith, testService } from '../support/service.js'
import { convertJob } from '../../src/jobs/new-jobs.js'
import { startWorkers } from '../../src/adapters/jobs/worker.js'
import { guardedClient } from '../../src/http/guarded-client.js'
import { metered } from '../../src/http/metered-client.js'
import { standIn } from '../support/stand-ins/server.js'
import { until } from '../support/until.js'

const newest = Object.keys(migrations).at(-1)

t.test('health', async t => {
  const service = await testService(t)
  const { app } = service
  const user = await service.user()

  t.test('/healthz reports liveness, /readyz readiness', async t => {
    t.match((await app.inject({ url: '/healthz' })).json(), { status: 'ok', version: String })
    t.match((await app.inject({ url: '/readyz' })).json(), { ready: true, database: true, migrations: true, version: newest })
  })

  t.test('/metrics is Prometheus text, without keys, addresses or ids of users', async t => {
    await app.inject({
      method: 'POST',
      url: `/api/mcp/?key=${user.key}`,
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects_list' } }
    })
    await app.inject({ url: '/api/projects/0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11', headers: { 'x-api-key': user.key } })
    const { body, headers } = await app.inject({ url: '/metrics' })
    t.match(headers['content-type'], /^text\/plain/)
    t.match(body, /litfeed_tool_calls_total\{tool="projects_list",outcome="ok"\} 1/)
    t.match(body, /litfeed_http_request_duration_seconds_count\{method="GET",route="\/api\/projects\/:project_id",status="404"\} 1/)
    t.notMatch(body, new RegExp(`${user.key}|svcmcp_|0b54c2ab|${user.email}`))
  })

  t.test('/api/openapi.json describes every route', async t => {
    const document = (await app.inject({ url: '/api/openapi.json' })).json()
    t.equal(document.openapi, '3.1.0')
    t.match(document.servers, [{ url: /^http:\/\/[^/]+$/ }])
    t.strictSame(app.swagger(), {}, 'only the compressed text stays in memory')
    t.strictSame(await new Validator().validate(document), { valid: true })
    t.strictSame(
      document.paths['/api/projects'].post.security,
      [{ accessToken: [] }, { mcpKey: [] }, { mcpKeyHeader: [] }, { mcpKeyInQuery: [] }],
      'a key that may act can create projects'
    )
    const { routes } = await import('../../src/adapters/rest/routes.js')
    for (const { method, url, operation } of routes) {
      t.equal(document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.operationId, operation.name, url)
    }
    for (const path of ['/healthz', '/readyz', '/metrics', '/api/feed/atom/{project_id}', '/api/shared/atom']) {
      t.match(document.paths[path].get, { operationId: String }, path)
    }
    t.match(document.paths['/metrics'].get.responses[200], { content: { 'text/plain': Object } })
    t.match(document.paths['/api/feed/atom/{project_id}'].get, {
      parameters: [{ name: 'token', in: 'query', required: true }, { name: 'project_id', in: 'path' }],
      responses: { 200: { content: { 'application/atom+xml': Object } }, 304: Object, 404: Object, 429: Object }
    })
    const search = document.paths['/api/projects/{project_id}/feed/search'].get
    t.match(search.parameters.map(({ name }: { name: string }) => name).sort(), [
      'detail', 'feedback_filter', 'limit', 'link', 'must_read', 'offset', 'project_id', 'q', 'saved', 'seen', 'since', 'tag', 'until'
    ])
    t.ok(Value.Check(Type.Object({ 200: Type.Unknown(), 400: Type.Unknown(), 401: Type.Unknown() }), search.responses))
  })
})

// The embedded database is away only with the whole process.
if (testDatabaseUrl !== undefined) {
  t.test('an unreachable database is 503 within three seconds, and recovers without a restart', async t => {
    const { databaseUrl } = await testDatabase(t)
    const proxied = new URL(databaseUrl!)
    const proxy = await proxyTo(new URL(databaseUrl!))
    proxied.port = String(proxy.port)
    t.teardown(proxy.close)
    const service = await testService(t, { DATABASE_URL: proxied.href }, undefined, {})
    const { app } = service
    const { key } = await service.user()
    const rest = async () => await app.inject({ url: '/api/projects', headers: { 'x-api-key': key } })
    const mcp = async () => await post(service, key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects_list' } })
    const ready = async () => await app.inject({ url: '/readyz' })
    for (const ask of [rest, mcp, ready]) t.equal((await ask()).statusCode, 200)
    await proxy.away()
    for (const ask of [rest, mcp, ready]) {
      // One that is slow can be chance.
      let fastestMs = Infinity
      for (let tries = 0; tries < 3 && fastestMs >= 3000; tries++) {
        const began = Date.now()
        const response = await ask()
        fastestMs = Math.min(fastestMs, Date.now() - began)
        t.equal(response.statusCode, 503)
        t.notMatch(response.body, /ECONN|127\.0\.0\.1/)
        if (ask !== ready) t.equal(response.headers['retry-after'], '5')
      }
      t.ok(fastestMs < 3000, `${fastestMs} ms`)
    }
    t.match((await rest()).json(), { code: 'unavailable', detail: /Retry after 5 s/ })
    t.match((await mcp()).json(), { jsonrpc: '2.0', error: { code: -32603 } })
    await proxy.back()
    for (const ask of [rest, mcp, ready]) t.equal((await ask()).statusCode, 200)
  })
}

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
  /** Current metrics: moves the clock past the expiry of those that are cached from the database, and waits for a slow database. */
  const metrics = async (): Promise<string> => {
    ahead += 5100
    let body = ''
    await until(async () => {
      body = (await app.inject({ url: '/metrics' })).body
      return body.includes('litfeed_database_up 1')
    })
    return body
  }

  await t.test('has process metrics: memory, descriptors, event loop, version', async t => {
    const body = await metrics()
    for (const name of [
      'process_resident_memory_bytes',
      'process_open_fds',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_heap_size_used_bytes'
    ]) { t.match(body, new RegExp(`^${name} \\d`, 'm')) }
    t.match(body, /^litfeed_info\{version="\d/m)
  })

  await t.test('has database connections and size', async t => {
    const body = await metrics()
    t.match(body, /^litfeed_database_up 1$/m)
    t.match(body, /^litfeed_database_writable 1$/m)
    t.match(body, /^litfeed_database_connections\{state="in_use"\} \d+$/m)
    t.match(body, /^litfeed_database_connections\{state="idle"\} [1-9]/m)
    t.match(body, /^litfeed_database_waiting 0$/m)
    t.match(body, /^litfeed_database_bytes [1-9]\d{6,}$/m)
  })

  await t.test('is written once for all requests within a second', async t => {
    await metrics()
    ahead += 1000
    const { registry } = context.metrics
    const { metrics: write } = registry
    let written = 0
    registry.metrics = async () => {
      written++
      return await write.call(registry)
    }
    t.teardown(() => { registry.metrics = write })
    const bodies = await Promise.all(Array.from({ length: 5 }, async () => (await app.inject({ url: '/metrics' })).body))
    t.equal(new Set(bodies).size, 1)
    t.equal(written, 1)
  })

  await t.test('has one series of all requests without credentials, and one of those without a route', async t => {
    const { routes } = await import('../../src/adapters/rest/routes.js')
    for (const { method, url, access } of routes) {
      if (access !== 'anyone') t.equal((await app.inject({ method, url })).statusCode, 401, url)
    }
    for (const method of ['DELETE', 'PUT', 'PATCH'] as const) await app.inject({ method, url: '/no-such-route' })
    const body = await metrics()
    const seriesOf = (status: number) =>
      [...body.matchAll(new RegExp(`^litfeed_http_request_duration_seconds_count\\{(.*),status="${status}"\\}`, 'gm'))].map(([, labels]) => labels)
    t.strictSame(seriesOf(401), ['method="none",route="none"'])
    t.strictSame(seriesOf(404), ['method="none",route="none"'])
  })

  await t.test('has a limit per network', async t => {
    const limited = await service.sibling(t, { RATE_LIMIT: '2' })
    const statuses: number[] = []
    for (let at = 0; at < 3; at++) statuses.push((await limited.app.inject('/metrics')).statusCode)
    t.strictSame(statuses, [200, 200, 429])
  })

  await t.test('counts successful, failed and rate-limited logins', async t => {
    const login = async (password: string) =>
      await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: user.email, password } })
    await login(user.password)
    for (let tries = 0; tries < 12; tries++) await login('a wrong password')
    const body = await metrics()
    t.match(body, /^litfeed_logins_total\{outcome="ok"\} 1$/m)
    t.match(body, /^litfeed_logins_total\{outcome="wrong"\} 10$/m)
    t.match(body, /^litfeed_logins_total\{outcome="limited"\} 2$/m)
  })

  await t.test('counts requests to outside services by result', async t => {
    const { url, next } = await standIn(t, () => ({ body: 'fine' }))
    const outcomes: string[] = []
    const http = guardedClient({ userAgent: 'test', trustedOrigins: [url] })
    t.teardown(http.close)
    const client = metered(http, outcome => { outcomes.push(outcome) })
    next.push({ body: 'fine' }, { status: 429, body: '' }, { status: 503, body: '' }, { status: 404, body: '' }, 'break')
    for (let asked = 0; asked < 4; asked++) await client.fetch(url)
    await t.rejects(client.fetch(url))
    await t.rejects(client.fetch('http://127.0.0.1:1/'))
    t.strictSame(outcomes, ['2xx', '429', '5xx', '4xx', 'unreachable', 'refused'])
  })

  await t.test('has the interval of scheduled backups', async t => {
    const { app } = await testService(t, { BACKUP_DIR: t.testdir(), BACKUP_EVERY: '72' })
    let body = ''
    await until(async () => {
      body = (await app.inject({ url: '/metrics' })).body
      return body.includes('litfeed_database_up 1')
    })
    t.match(body, /^litfeed_backup_interval_seconds 259200$/m)
    t.notMatch(await metrics(), /^litfeed_backup_interval_seconds /m, 'absent without BACKUP_DIR')
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
    t.match(body, /^litfeed_source_queries\{source="pubmed"\} 1$/m)
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
    t.notMatch(await metrics(), /^litfeed_jobs\{task="convert-markdown"/m, 'finished jobs are not counted')
  })
})
