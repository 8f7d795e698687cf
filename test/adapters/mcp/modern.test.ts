import t from 'tap'
import { modernMeta, post, postModern } from '../../support/mcp.js'
import { projectWith, testService } from '../../support/service.js'

t.test('the modern protocol era (2026-07-28)', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { key } = user

  t.test('server/discover returns revisions and capabilities', async t => {
    const response = await postModern(service, key, 'server/discover')
    t.equal(response.statusCode, 200)
    const { result } = response.json()
    t.match(result, {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, prompts: {}, completions: {} },
      instructions: String,
      ttlMs: 300_000,
      cacheScope: 'private'
    })
    t.match(result._meta['io.modelcontextprotocol/serverInfo'], { name: 'litfeed', version: String })
  })

  t.test('lists are cacheable, and every result states its type', async t => {
    for (const method of ['tools/list', 'prompts/list']) {
      t.match((await postModern(service, key, method)).json().result, {
        resultType: 'complete',
        ttlMs: Number,
        cacheScope: method === 'tools/list' ? 'private' : 'public',
        _meta: Object
      })
    }
    const { result } = (await postModern(service, key, 'tools/call', { name: 'projects_list', arguments: {} })).json()
    t.match(result, { resultType: 'complete', structuredContent: { items: { length: 0 }, total: 0 } })
    t.notOk('ttlMs' in result)
  })

  t.test('legacy methods are 404 with -32601', async t => {
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'no/such', 'constructor']) {
      const response = await postModern(service, key, method)
      t.equal(response.statusCode, 404, method)
      t.match(response.json(), { id: 1, error: { code: -32601 } })
    }
  })

  t.test('missing or mistyped _meta is 400 with -32602', async t => {
    const wrong = [
      undefined,
      {},
      'text',
      { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': 'x' },
      { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': 7 },
      { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    ]
    for (const _meta of wrong) {
      const response = await postModern(service, key, 'tools/list', { _meta })
      t.equal(response.statusCode, 400, JSON.stringify(_meta))
      t.match(response.json(), { id: 1, error: { code: -32602 } })
    }
  })

  t.test('a missing or mismatched header is 400 with -32020', async t => {
    const wrong = [
      { 'mcp-protocol-version': undefined }, { 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-method': undefined }, { 'mcp-method': 'tools/list' },
      { 'mcp-name': undefined }, { 'mcp-name': 'projects_get' }
    ]
    for (const headers of wrong) {
      const response = await postModern(service, key, 'tools/call', { name: 'projects_list', arguments: {} }, headers)
      t.equal(response.statusCode, 400, JSON.stringify(headers))
      const [name = ''] = Object.keys(headers)
      t.match(response.json(), { id: 1, error: { code: -32020, message: new RegExp(`^The header ${name} `, 'i') } })
    }
    t.equal(
      (await postModern(service, key, 'prompts/get', { name: 'feed_title_filter', arguments: {} }, { 'mcp-name': undefined })).json().error
        .code,
      -32020
    )
  })

  t.test('accepts an encoded Mcp-Name', async t => {
    const encoded = `=?base64?${Buffer.from('projects_list').toString('base64')}?=`
    t.equal(
      (await postModern(service, key, 'tools/call', { name: 'projects_list', arguments: {} }, { 'mcp-name': encoded })).statusCode,
      200
    )
  })

  t.test('an unsupported revision is 400 with -32022 and lists the supported ones', async t => {
    const _meta = { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const response = await postModern(service, key, 'tools/list', { _meta }, { 'mcp-protocol-version': '2099-01-01' })
    t.equal(response.statusCode, 400)
    t.strictSame(response.json().error.data, { supported: ['2026-07-28'], requested: '2099-01-01' })
    t.equal(response.json().error.code, -32022)
    t.match(response.json().error.message, /Supported: 2024-11-05, .*, 2025-11-25, 2026-07-28\.$/)
  })

  t.test('errors of tools and prompts are HTTP 200', async t => {
    const response = await postModern(service, key, 'tools/call', { name: 'no_such', arguments: {} })
    t.equal(response.statusCode, 200)
    t.match(response.json(), { error: { code: -32602 } })
  })

  t.test('a notification is 202, a response 400', async t => {
    const headers = { 'mcp-protocol-version': '2026-07-28' }
    t.equal((await post(service, key, { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} }, headers)).statusCode, 202)
    t.equal((await post(service, key, { jsonrpc: '2.0', id: 1, result: {} }, headers)).statusCode, 400)
  })

  t.test('a tool returns the same result as in the legacy era', async t => {
    const project_id = await projectWith(user, [{ title: 'Sleep spindles' }])
    const params = { name: 'feed_search', arguments: { project_id, q: 'spindl' } }
    const modern = (await postModern(service, key, 'tools/call', params)).json().result.structuredContent
    const legacy = (await post(service, key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).json().result.structuredContent
    t.strictSame(modern, legacy)
  })
})
