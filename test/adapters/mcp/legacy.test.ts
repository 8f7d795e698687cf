import t from 'tap'
import { call, post } from '../../support/mcp.js'
import { keysList } from '../../../src/operations/keys/keys-list.js'
import { testService } from '../../support/service.js'

t.test('the legacy protocol era', async t => {
  const service = await testService(t)
  const { key } = await service.user()
  const send = async (payload: unknown, headers: Record<string, string> = {}) => await post(service, key, payload, headers)

  t.test('initialize returns the requested revision, or the newest one if unsupported', async t => {
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const { result } = await call(service, key, 'initialize', {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: 'test', version: '1' }
      })
      t.equal(result.protocolVersion, version)
      t.strictSame(Object.keys(result.capabilities).sort(), ['completions', 'extensions', 'prompts', 'resources', 'tools'])
      t.match(result.serverInfo, {
        name: 'litfeed',
        title: 'Litfeed',
        version: String,
        description: String,
        websiteUrl: String,
        icons: [{ src: /^data:/ }]
      })
      t.ok(result.instructions.split('\n').length <= 15)
      t.notOk('resultType' in result)
    }
    t.equal((await call(service, key, 'initialize', { protocolVersion: '1999-01-01' })).result.protocolVersion, '2025-11-25')
    t.match(await call(service, key, 'initialize', {}), { error: { code: -32602 } })
  })

  t.test('ping is exactly {}', async t => {
    t.strictSame(await call(service, key, 'ping'), { jsonrpc: '2.0', id: 1, result: {} })
  })

  t.test('accepts 0 and "" as ids, but not null', async t => {
    t.equal((await send({ jsonrpc: '2.0', id: 0, method: 'ping' })).json().id, 0)
    t.equal((await send({ jsonrpc: '2.0', id: '', method: 'ping' })).json().id, '')
    const response = await send({ jsonrpc: '2.0', id: null, method: 'ping' })
    t.equal(response.statusCode, 400)
    t.match(response.json(), { error: { code: -32600 } })
  })

  t.test('a notification and a response are 202 and empty', async t => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'no/such' },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Unknown' } },
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Not JSON' } },
      { jsonrpc: '2.0', error: { code: -32700, message: 'Not JSON' } }
    ]) {
      const response = await send(message)
      t.equal(response.statusCode, 202)
      t.equal(response.body, '')
    }
  })

  t.test('invalid JSON is 400 with -32700', async t => {
    for (const body of ['', '{', 'nonsense', '{"a":1}}']) {
      const response = await send(body)
      t.equal(response.statusCode, 400)
      t.match(response.json(), { jsonrpc: '2.0', error: { code: -32700 } })
    }
  })

  t.test('an invalid request is 400 with -32600 and the id if readable', async t => {
    const wrong = [
      [1, undefined], ['text', undefined], [null, undefined],
      [{ id: 1, method: 'ping' }, 1], [{ jsonrpc: '1.0', id: 1, method: 'ping' }, 1],
      [{ jsonrpc: '2.0', id: 5 }, 5], [{ jsonrpc: '2.0', id: 'a', method: 7 }, 'a'],
      [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, undefined],
      [{ jsonrpc: '2.0', id: 2 ** 53, method: 'ping' }, undefined], [{ jsonrpc: '2.0', id: {}, method: 'ping' }, undefined],
      [{ jsonrpc: '2.0', id: null, result: {} }, undefined], [{ jsonrpc: '2.0', id: null, method: 'ping', error: {} }, undefined],
      [{ jsonrpc: '2.0', id: 6, method: 'ping', params: [] }, 6], [{ jsonrpc: '2.0', id: 6, method: 'ping', params: null }, 6]
    ]
    for (const [message, id] of wrong) {
      const response = await send(JSON.stringify(message))
      t.equal(response.statusCode, 400, JSON.stringify(message))
      t.match(response.json(), { error: { code: -32600, message: /^[A-Za-z]+ .*must be .+\.$/ } })
      t.equal(response.json().id, id)
    }
  })

  t.test('an unknown method lists the available methods', async t => {
    const { error } = await call(service, key, 'no/such')
    t.equal(error.code, -32601)
    t.match(error.message, /^Method no\/such is unknown\. Methods: initialize, ping, tools\/list, tools\/call, .*\.$/)
  })

  t.test("initialize records the key's client", async t => {
    const { context, key } = await service.user()
    await call(service, key, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'reader', version: '2.0' }
    })
    t.match((await keysList.run(context, {})).items, [{ last_client: { name: 'reader', version: '2.0' } }])
  })

  t.test('an unknown method, even an Object.prototype name, is -32601 with HTTP 200', async t => {
    for (const method of [
      'no/such', 'constructor', '__proto__', 'toString', 'server/discover', 'resources/subscribe', 'logging/setLevel'
    ]) {
      const response = await send({ jsonrpc: '2.0', id: 1, method })
      t.equal(response.statusCode, 200)
      t.match(response.json(), { id: 1, error: { code: -32601 } }, method)
    }
  })

  t.test('an unsupported MCP-Protocol-Version is 400, except on initialize', async t => {
    const response = await send({ jsonrpc: '2.0', id: 4, method: 'ping' }, { 'mcp-protocol-version': '2024-01-01' })
    t.equal(response.statusCode, 400)
    t.match(response.json(), { id: 4, error: { code: -32600, message: /Supported: 2024-11-05, .*, 2025-11-25, 2026-07-28\.$/ } })
    t.equal(
      (
        await send(
          { jsonrpc: '2.0', id: 4, method: 'initialize', params: { protocolVersion: '2025-06-18' } },
          { 'mcp-protocol-version': '2024-01-01' }
        )
      ).statusCode,
      200
    )
    t.equal((await send({ jsonrpc: '2.0', id: 4, method: 'ping' }, { 'mcp-protocol-version': '2025-06-18' })).statusCode, 200)
  })

  t.test('a batch is accepted in revisions that support it', async t => {
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'initialize', params: { protocolVersion: '2025-03-26' } },
      { nonsense: true },
      { jsonrpc: '2.0', id: 3, method: 'no/such' }
    ]
    for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }]) {
      const response = await send(batch, headers)
      t.equal(response.statusCode, 200)
      t.match(response.json(), [
        { id: 1, result: {} },
        { id: 2, error: { code: -32600, message: 'initialize must not be part of a batch. Send it alone.' } },
        { error: { code: -32600 } },
        { id: 3, error: { code: -32601 } }
      ])
      t.equal(response.json().length, 4)
    }
  })

  t.test('a batch of notifications is 202; an empty, long or unsupported batch is 400', async t => {
    t.equal((await send([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).statusCode, 202)
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    t.equal((await send(Array.from({ length: 50 }, () => ping))).statusCode, 200)
    for (const [body, headers] of [
      [[], {}],
      [Array.from({ length: 51 }, () => ping), {}],
      [[ping], { 'mcp-protocol-version': '2025-06-18' }],
      [[ping], { 'mcp-protocol-version': '2026-07-28' }]
    ] as const) {
      const response = await send(body, headers)
      t.equal(response.statusCode, 400)
      t.match(response.json(), { error: { code: -32600, message: /[Ss]end / } })
    }
  })
})
