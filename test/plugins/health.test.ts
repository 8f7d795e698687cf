import t from 'tap'
import { Value } from 'typebox/value'
import { Type } from 'typebox'
import { post } from '../support/mcp.js'
import { testService } from '../support/service.js'

t.test('health', async t => {
  const service = await testService(t)
  const { app } = service
  const user = await service.user()

  t.test('/healthz tells that the process runs, /readyz that it can answer', async t => {
    t.match((await app.inject({ url: '/healthz' })).json(), { status: 'ok', version: String })
    t.match((await app.inject({ url: '/readyz' })).json(), { ready: true, database: true, migrations: true, version: '2026-11-20-first' })
  })

  t.test('/metrics is Prometheus text, without keys, addresses or ids of users', async t => {
    await app.inject({ method: 'POST', url: `/api/mcp/?key=${user.key}`, payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects_list' } } })
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
    const { routes } = await import('../../src/rest/routes.js')
    for (const { method, url, operation } of routes) t.equal(document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.operationId, operation.name, url)
    for (const path of ['/healthz', '/readyz', '/metrics', '/api/feed/atom/{project_id}']) t.ok(document.paths[path], path)
    const search = document.paths['/api/projects/{project_id}/feed/search'].get
    t.match(search.parameters.map(({ name }: { name: string }) => name).sort(), ['feedback_filter', 'limit', 'must_read', 'offset', 'project_id', 'q'])
    t.ok(Value.Check(Type.Object({ 200: Type.Unknown(), 400: Type.Unknown(), 401: Type.Unknown() }), search.responses))
  })
})

t.test('a database that is away is 503 and comes back by itself', async t => {
  const service = await testService(t)
  const { app, context } = service
  const { key } = await service.user()
  const acquire = context.db.getExecutor().adapter
  t.ok(acquire)
  const executor = context.db.getExecutor() as unknown as { executeQuery: (...args: unknown[]) => Promise<unknown> }
  const before = executor.executeQuery
  executor.executeQuery = async () => { throw Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:5432'), { code: 'ECONNREFUSED' }) }
  const rest = await app.inject({ url: '/api/projects', headers: { 'x-api-key': key } })
  const mcp = await post(service, key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects_list' } })
  const ready = await app.inject({ url: '/readyz' })
  executor.executeQuery = before
  for (const response of [rest, mcp]) {
    t.equal(response.statusCode, 503)
    t.equal(response.headers['retry-after'], '5')
    t.notMatch(response.body, /192\.0\.2\.1|ECONNREFUSED/)
  }
  t.match(rest.json(), { code: 'unavailable', detail: /Retry after 5 s/ })
  t.match(mcp.json(), { jsonrpc: '2.0', error: { code: -32603 } })
  t.equal(ready.statusCode, 503)
  t.equal((await app.inject({ url: '/api/projects', headers: { 'x-api-key': key } })).statusCode, 200)
})
