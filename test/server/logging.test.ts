import { readFileSync } from 'node:fs'
import t from 'tap'
import { formSession } from '../support/forms.js'
import { logIn, projectWith, testService } from '../support/service.js'
import { startWorkers } from '../../src/adapters/jobs/worker.js'
import { trustedProxies } from '../../src/server/proxies.js'
import { readTrace } from '../../src/observability/trace.js'
import { packageRoot } from '../../src/settings/version.js'
import { until } from '../support/until.js'

const base = await testService(t)

t.test('logs no key, token or password on any path', async t => {
  const service = await base.sibling(t, { LOG_LEVEL: 'trace' })
  const { app, logged } = service
  const user = await service.user()
  const { access_token, refresh_token } = await logIn(service, user)
  const headers = { authorization: `Bearer ${access_token}` }
  const rotated = (await app.inject({ method: 'POST', url: '/api/auth/mcp-key/rotate', headers })).json()
  const feed = (await app.inject({ method: 'POST', url: '/api/auth/feed-token/rotate', headers })).json()
  const secrets = [user.key, rotated.api_key, access_token, refresh_token, feed.feed_token]
  for (const secret of secrets) {
    for (const path of [
      '/',
      '/api/mcp',
      '/api/mcp/',
      '/api/projects',
      '/api/feed/atom/x',
      '/.well-known/x',
      '/nothing',
      '/metrics',
      `/api/papers/${secret}`,
      `/${secret}`
    ]) {
      await app.inject({ url: path, query: { key: secret, token: secret }, headers: { 'x-api-key': secret } })
      await app.inject({ method: 'POST', url: path, query: { key: secret }, payload: { key: secret, password: secret } })
    }
    await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: 'a@example.org', password: secret } })
    await app.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refresh_token: secret } })
  }
  t.ok(logged.length > 100)
  // The end of a secret, 120 bits: base64url has underscores, too, so what follows the last one may be a letter or nothing.
  for (const secret of secrets) t.notMatch(logged.join('\n'), secret.slice(-20))
  // Nothing tells a password from other words: one that is put into an address is logged with it, and nowhere else.
  for (const url of ['register', 'login']) {
    await app.inject({
      method: 'POST',
      url: `/api/auth/${url}`,
      query: { password: user.password },
      payload: { email: 'a@example.org', password: user.password }
    })
  }
  t.notMatch(logged.join('\n'), user.password)
})

t.test('logs one line per request with id, path, status and time', async t => {
  const { app, logged } = base
  await app.inject({ url: '/readyz?x=1' })
  t.match(JSON.parse(logged.at(-1)!), {
    level: 'info',
    name: 'litfeed',
    reqId: /^[0-9a-f-]{36}$/,
    method: 'GET',
    path: '/readyz',
    status: 200,
    milliseconds: Number
  })
})

t.test('the documentation shows the line of a request as it is', async t => {
  const { app, logged } = base
  await app.inject('/readyz')
  const shown = JSON.parse(/^\{"level":.*"path":"\/readyz".*$/m.exec(readFileSync(new URL('docs/operations.md', packageRoot), 'utf8'))![0])
  const line = JSON.parse(logged.at(-1)!)
  t.strictSame(Object.keys(shown), Object.keys(line))
  t.strictSame([shown.level, shown.status, shown.msg], [line.level, line.status, line.msg])
})

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736'
const span_id = '00f067aa0ba902b7'
const traceparent = `00-${trace_id}-${span_id}-01`

t.test('traceparent is parsed per W3C Trace Context', async t => {
  t.strictSame(readTrace(traceparent), { trace_id, span_id, trace_flags: '01' })
  t.match(
    readTrace(`01-${trace_id}-${span_id}-01-what-a-later-version-adds`),
    { trace_id },
    'a later version is read as far as it is known'
  )
  const wrong = [
    '',
    'x',
    `ff-${trace_id}-${span_id}-01`,
    `00-${'0'.repeat(32)}-${span_id}-01`,
    `00-${trace_id}-${'0'.repeat(16)}-01`,
    `${traceparent}-more`,
    traceparent.toUpperCase(),
    `00-${trace_id}-${span_id}`,
    undefined,
    [traceparent, traceparent]
  ]
  for (const header of wrong) t.equal(readTrace(header), undefined, String(header))
})

t.test('TRUST_PROXY decides which proxies are trusted', async t => {
  const asked: Array<[Parameters<typeof trustedProxies>[0], string, number, boolean]> = [
    [false, '127.0.0.1', 0, false],
    [true, '203.0.113.9', 5, true],
    [1, '203.0.113.9', 0, true],
    [1, '203.0.113.9', 1, false],
    [['127.0.0.1'], '127.0.0.1', 0, true],
    [['127.0.0.1'], '::ffff:127.0.0.1', 0, true],
    [['127.0.0.1'], '127.0.0.2', 0, false],
    [['10.0.0.0/8', 'fd00::/8'], '10.9.9.9', 3, true],
    [['10.0.0.0/8', 'fd00::/8'], 'fd12::1', 0, true],
    [['10.0.0.0/8'], 'unknown', 1, false]
  ]
  for (const [setting, address, hop, trusted] of asked) {
    t.equal(trustedProxies(setting)(address, hop), trusted, `${String(setting)} ${address}`)
  }
})

t.test('requests', async t => {
  const service = base
  const { app, logged } = service
  const lastLine = () => JSON.parse(logged.at(-1)!)

  t.test("get a server id in response and log, regardless of the client's", async t => {
    for (const url of ['/readyz', '/nothing', '/api/projects', '/%zz']) {
      const { headers } = await app.inject({ url, headers: { 'x-request-id': 'chosen-by-a-stranger' } })
      t.match(headers['x-request-id'], /^[0-9a-f]{8}-[0-9a-f-]{27}$/, url)
      if (url !== '/%zz') t.equal(lastLine().reqId, headers['x-request-id'])
    }
  })

  t.test('are logged with their trace, if they have one', async t => {
    await app.inject({ url: '/readyz', headers: { traceparent, tracestate: 'vendor=1' } })
    t.match(lastLine(), { trace_id, span_id, trace_flags: '01', status: 200 })
    await app.inject({ url: '/readyz', headers: { traceparent: 'nonsense' } })
    t.notOk('trace_id' in lastLine())
  })

  t.test('pass their trace on to jobs that pages queue', async t => {
    const user = await service.user()
    const project = await projectWith(user, [{ title: 'A paper' }])
    const browser = await formSession(app, user)
    const { statusCode } = await browser.post(`/projects/${project}/settings`, { action: 'fetch' }, { traceparent })
    t.equal(statusCode, 303)
    const rows = await service.context.db.selectFrom('job').select('traceparent').where('project_id', '=', project).execute()
    t.ok(rows.some(row => row.traceparent?.includes(trace_id)))
  })

  t.test('pass their trace on to queued jobs', async t => {
    const user = await service.user()
    const project = await projectWith(user, [{ title: 'A paper', doi: '10.1000/1' }])
    const { access_token } = await logIn(service, user)
    const { statusCode } = await app.inject({
      method: 'POST',
      url: `/api/projects/${project}/fetch`,
      headers: { authorization: `Bearer ${access_token}`, traceparent }
    })
    t.equal(statusCode, 202)
    const workers = startWorkers(service.context, [{
      task: 'fetch-project',
      deadlineSeconds: 30,
      retries: 0,
      retryDelaySeconds: 60,
      concurrency: 1,
      async run ({ log }, { trace }) {
        t.strictSame(trace, { trace_id, span_id, trace_flags: '01' })
        log.info({}, 'at work')
        return {}
      }
    }])
    await until(async () => logged.some(line => line.includes('at work')))
    await workers.stop(1000)
    t.match(JSON.parse(logged.find(line => line.includes('at work'))!), { trace_id, task: 'fetch-project', job: String, attempt: 1 })
  })
})

t.test('accepts a valid request id from a trusted proxy', async t => {
  const { app, logged } = await base.sibling(t, { TRUST_PROXY: '127.0.0.1' })
  const { headers } = await app.inject({ url: '/readyz', headers: { 'x-request-id': 'f3a1c0de-named-by-nginx' } })
  t.equal(headers['x-request-id'], 'f3a1c0de-named-by-nginx')
  t.equal(JSON.parse(logged.at(-1)!).reqId, 'f3a1c0de-named-by-nginx')
  for (const id of ['short', 'svcmcp_abcdefghij_abcdefghijklmnop', 'a\tb cdefgh', 'x'.repeat(65)]) {
    t.match(
      (await app.inject({ url: '/readyz', headers: { 'x-request-id': id } })).headers['x-request-id'],
      /^[0-9a-f]{8}-[0-9a-f-]{27}$/,
      id
    )
  }
})

t.test('during shutdown', async t => {
  const { app, user } = await base.sibling(t)
  const { key } = await user()
  let begun = () => {}
  let goOn = () => {}
  const closing = new Promise<void>(resolve => { begun = resolve })
  const asked = new Promise<void>(resolve => { goOn = resolve })
  app.addHook('preClose', async () => {
    begun()
    await asked
  })
  const address = await app.listen({ port: 0 })
  t.equal((await fetch(`${address}/healthz`)).status, 200)
  const closed = app.close()
  await closing
  const refused = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${address}${path}`, init)
    t.equal(response.status, 503, path)
    t.match(Object.fromEntries(response.headers), { 'retry-after': '5', connection: 'close' }, path)
    return response
  }

  await t.test('requests are refused with an error object', async t => {
    for (const path of ['/api/projects', '/healthz', '/nowhere', '/api/feed/atom/x']) {
      t.strictSame(await (await refused(path)).json(), { detail: 'The service is stopping. Retry after 5 s.', code: 'unavailable' }, path)
    }
  })

  await t.test('MCP calls are refused with a JSON-RPC error', async t => {
    const response = await refused('/api/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    })
    t.strictSame(await response.json(), { jsonrpc: '2.0', error: { code: -32603, message: 'The service is stopping. Retry after 5 s.' } })
  })

  await t.test('a browser gets an error page, and allowed origins can read the error', async t => {
    t.match(await (await refused('/login', { headers: { accept: 'text/html' } })).text(), /<html[\s\S]*The service is stopping/)
    t.equal((await refused('/api/projects', { headers: { origin: address } })).headers.get('access-control-allow-origin'), address)
  })

  goOn()
  await closed
})

t.test('logs the start of a long path', async t => {
  const { app, logged } = await base.sibling(t, { LOG_LEVEL: 'trace' })
  await app.inject(`/nothing/${'x'.repeat(5000)}`)
  t.ok(logged.some(line => line.includes('/nothing/xxx')))
  t.ok(logged.every(line => line.length < 1000))
})
