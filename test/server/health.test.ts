import t from 'tap'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Value } from 'typebox/value'
import { Type } from 'typebox'
import { migrations } from '../../db/migrations/index.js'
import { testDatabase, testDatabaseUrl } from '../support/database.js'
import { post } from '../support/mcp.js'
import { proxyTo } from '../support/proxy.js'
import { testService } from '../support/service.js'

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
    for (const path of ['/healthz', '/readyz', '/metrics', '/api/feed/atom/{project_id}']) t.ok(document.paths[path], path)
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
    const service = await testService(t, { DATABASE_URL: proxied.href })
    const { app } = service
    const { key } = await service.user()
    const rest = async () => await app.inject({ url: '/api/projects', headers: { 'x-api-key': key } })
    const mcp = async () => await post(service, key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects_list' } })
    const ready = async () => await app.inject({ url: '/readyz' })
    for (const ask of [rest, mcp, ready]) t.equal((await ask()).statusCode, 200)
    await proxy.away()
    for (const ask of [rest, mcp, ready]) {
      const began = Date.now()
      const response = await ask()
      t.equal(response.statusCode, 503)
      t.ok(Date.now() - began < 3000)
      t.notMatch(response.body, /ECONN|127\.0\.0\.1/)
      if (ask !== ready) t.equal(response.headers['retry-after'], '5')
    }
    t.match((await rest()).json(), { code: 'unavailable', detail: /Retry after 5 s/ })
    t.match((await mcp()).json(), { jsonrpc: '2.0', error: { code: -32603 } })
    await proxy.back()
    for (const ask of [rest, mcp, ready]) t.equal((await ask()).statusCode, 200)
  })
}
