import t from 'tap'
import { post } from '../../support/mcp.js'
import { testService } from '../../support/service.js'

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

const base = await testService(t)

t.test('the MCP endpoint before reading the body', async t => {
  const service = await base.sibling(t, { ALLOWED_ORIGINS: 'https://app.example.org' })
  const { app } = service
  const { key } = await service.user()
  const paths = ['/api/mcp', '/api/mcp/']

  t.test('both addresses respond without a redirect', async t => {
    for (const url of paths) {
      const response = await app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${key}` }, payload: listTools })
      t.equal(response.statusCode, 200)
      t.match(response.headers['content-type'], /^application\/json/)
    }
  })

  t.test('the key is taken from Authorization, X-API-Key and the query', async t => {
    for (const request of [{ headers: { authorization: `bearer ${key}` } }, { headers: { 'x-api-key': key } }, { query: { key } }]) {
      const response = await app.inject({ method: 'POST', url: '/api/mcp/', ...request, payload: listTools })
      t.equal(response.statusCode, 200)
    }
  })

  t.test('OPTIONS is 204 without a key, with the headers that clients send', async t => {
    for (const origin of ['https://app.example.org', undefined]) {
      const response = await app.inject({
        method: 'OPTIONS',
        url: '/api/mcp',
        headers: origin === undefined ? {} : { origin, 'access-control-request-method': 'POST' }
      })
      t.equal(response.statusCode, 204)
      t.match(
        response.headers['access-control-allow-headers'],
        /Authorization, Content-Type, Accept, X-API-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID/
      )
      t.equal(response.headers['access-control-allow-origin'], origin)
    }
  })

  t.test('OPTIONS rejects other origins', async t => {
    const response = await app.inject({
      method: 'OPTIONS',
      url: '/api/mcp',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    })
    t.equal(response.statusCode, 204)
    t.equal(response.headers['access-control-allow-origin'], undefined)
  })

  t.test('a disallowed origin is 403, even with a valid key', async t => {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost:6274',
      'http://127.0.0.1:3000',
      'http://localhost.evil.example',
      'garbage'
    ]) {
      const response = await post(service, key, listTools, { origin })
      t.equal(response.statusCode, 403, origin)
      t.match(response.json(), { jsonrpc: '2.0', error: { code: -32600 } })
    }
  })

  t.test('allowed and own origins pass, under every loopback name, and can read the response', async t => {
    for (const origin of ['https://app.example.org', 'http://localhost:0', 'http://127.0.0.1:0', 'http://[::1]:0']) {
      const response = await post(service, key, listTools, { origin })
      t.equal(response.statusCode, 200, origin)
      t.equal(response.headers['access-control-allow-origin'], origin)
      t.match(response.headers['access-control-expose-headers'], /WWW-Authenticate, Retry-After, .*Link/)
    }
  })

  t.test('a missing key is 401 and says how to send one', async t => {
    const response = await post(service, undefined, listTools)
    t.equal(response.statusCode, 401)
    t.equal(response.headers['www-authenticate'], 'Bearer realm="litfeed"')
    t.equal(response.headers['cache-control'], 'private, no-store')
    t.match(response.json(), { jsonrpc: '2.0', error: { message: /header Authorization[^]*\/connect$/ } })
    t.notOk('id' in response.json())
  })

  t.test('wrong keys of every kind are the same 401, byte for byte', async t => {
    const [, prefix] = key.split('_')
    const bodies = new Set<string>()
    for (const wrong of [
      `svcmcp_${prefix}_${'x'.repeat(32)}`,
      `svcmcp_unknown_${'x'.repeat(32)}`,
      'svcmcp_',
      'nonsense',
      `${key}x`,
      key.toLowerCase()
    ]) {
      const response = await post(service, wrong, listTools)
      t.equal(response.statusCode, 401)
      t.equal(response.headers['www-authenticate'], 'Bearer realm="litfeed", error="invalid_token"')
      bodies.add(response.body)
    }
    t.equal(bodies.size, 1)
  })

  t.test('a key without the scheme of its header is an invalid one', async t => {
    for (const authorization of [key, `Token ${key}`]) {
      const response = await post(service, undefined, listTools, { authorization })
      t.equal(response.statusCode, 401)
      t.equal(response.headers['www-authenticate'], 'Bearer realm="litfeed", error="invalid_token"')
    }
    const other = await post(service, undefined, listTools, { authorization: 'Basic eDp5' })
    t.equal(other.headers['www-authenticate'], 'Bearer realm="litfeed"')
  })

  t.test('checks the key before the method', async t => {
    for (const method of ['GET', 'DELETE', 'PUT', 'TRACE', 'PROPFIND'] as const) {
      const ofMethod = { method: method as 'GET', url: '/api/mcp' }
      const refused = await app.inject(ofMethod)
      t.equal(refused.statusCode, 401, method)
      t.match(refused.json(), { jsonrpc: '2.0' })
      const response = await app.inject({ ...ofMethod, headers: { 'x-api-key': key } })
      t.equal(response.statusCode, 405)
      t.equal(response.headers.allow, 'POST, OPTIONS')
      t.match(response.json(), { error: { code: -32600 } })
    }
  })

  t.test('rejects other content types with 415, ignoring parameters and Accept', async t => {
    t.equal((await post(service, key, 'x', { 'content-type': 'text/plain' })).statusCode, 415)
    t.equal((await post(service, key, 'x', { 'content-type': 'application/jsonp' })).statusCode, 415)
    t.equal(
      (await post(service, key, listTools, { 'content-type': 'application/json; charset=utf-8', accept: 'image/png' })).statusCode,
      200
    )
  })

  t.test('a body over 1 MiB is 413', async t => {
    const response = await post(service, key, ' '.repeat(1024 * 1024 + 1))
    t.equal(response.statusCode, 413)
    t.match(response.json(), { jsonrpc: '2.0', error: { code: -32600 } })
  })
})

t.test('on a public host, loopback origins are disallowed', async t => {
  const service = await base.sibling(t, { HOST: '0.0.0.0', BASE_URL: 'https://litfeed.example.org' })
  const { key } = await service.user()
  t.equal((await post(service, key, listTools, { origin: 'http://localhost:3000' })).statusCode, 403)
  t.equal((await post(service, key, listTools, { origin: 'https://litfeed.example.org' })).statusCode, 200)
})

t.test('OAuth probes are 404 in JSON and explain where to send the key', async t => {
  const { app, logged } = base
  const probes: Array<['GET' | 'POST', string]> = [
    ['GET', '/.well-known/oauth-protected-resource'],
    ['GET', '/.well-known/oauth-protected-resource/api/mcp?key=svcmcp_abc_donotleak'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/.well-known/openid-configuration/api/mcp'],
    ['GET', '/api/mcp/.well-known/openid-configuration'],
    ['POST', '/register'],
    ['GET', '/authorize?key=svcmcp_abc_donotleak'],
    ['POST', '/token']
  ]
  for (const [method, url] of probes) {
    const response = await app.inject({ method, url, ...(method === 'POST' ? { payload: { client_name: 'x' } } : {}) })
    t.equal(response.statusCode, 404, url)
    t.match(response.json(), { error: 'access_denied', error_description: /send your API key in/i })
  }
  t.notMatch(logged.join(), /donotleak/)
})
