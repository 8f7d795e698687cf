import t from 'tap'
import { startWorkers } from '../../src/adapters/jobs/worker.js'
import { trustedProxies } from '../../src/server/proxies.js'
import { readTrace } from '../../src/observability/trace.js'
import { logIn, projectWith, testService } from '../support/service.js'
import { until } from '../support/until.js'

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
  const service = await testService(t)
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
  const { app, logged } = await testService(t, { TRUST_PROXY: '127.0.0.1' })
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
