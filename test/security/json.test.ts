import t from 'tap'
import { parseJson } from '../../src/server/strict-json.js'
import { post } from '../support/mcp.js'
import { logIn, testService } from '../support/service.js'

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

t.test('untrusted JSON', async t => {
  t.test('is parsed like JSON.parse if unambiguous', async t => {
    for (const text of [
      'null',
      '0',
      '"a:\\"b"',
      '[]',
      '{}',
      '{"":1}',
      '{"a":{"a":1},"b":[{"a":":"},{"a":"{\\"a\\":1}"}]}',
      '{"constructor":1,"toString":2}',
      ' {"a" : 1 , "b":"\\\\" } ',
      '{"\\u0061":1,"b":"\\\\\\""}',
      deep(64),
      `{"a":"${'\\"'.repeat(500_000)}"}`,
      `{"a":"${'x'.repeat(1_000_000)}"}`,
      `[${'1,'.repeat(400_000)}1]`
    ]) {
      t.strictSame(parseJson(text), JSON.parse(text), text.slice(0, 40))
    }
  })

  t.test('is rejected with a reason otherwise', async t => {
    const refused: Array<[string, RegExp]> = [
      ['', /not valid JSON/],
      ['{', /not valid JSON/],
      ['{"a":1}x', /not valid JSON/],
      ['{"a":01}', /not valid JSON/],
      ['\u0000', /not valid JSON/],
      ['"\u0000"', /not valid JSON/],
      ["{'a':1}", /not valid JSON/],
      ['['.repeat(10_000), /not valid JSON/],
      ['{"a":1,"a":1}', /duplicate name/],
      ['{"a":1,"\\u0061":2}', /duplicate name/],
      ['[{"b":{"a":1,"c":":","a":[]}}]', /duplicate name/],
      ['{"":0,"":0}', /duplicate name/],
      ['{"__proto__":{"a":1}}', /__proto__/],
      ['[{"a":{"__proto__":1}}]', /__proto__/],
      ['{"\\u005f_proto__":null}', /__proto__/],
      [deep(65), /64 levels/],
      [deep(10_000), /64 levels/],
      [deep(500_000), /64 levels/],
      [`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, /64 levels/]
    ]
    for (const [text, message] of refused) t.throws(() => parseJson(text), { message }, text.slice(0, 40))
  })

  const service = await testService(t, { LOG_LEVEL: 'warn' })
  const user = await service.user()
  const headers = { authorization: `Bearer ${(await logIn(service, user)).access_token}`, 'content-type': 'application/json' }

  t.test('that is rejected is 400 over REST and MCP, with a reason', async t => {
    for (const [body, reason] of [
      ['{"name":"a","name":"b"}', /duplicate name/],
      ['{"__proto__":{"name":"a"}}', /__proto__/],
      [`{"name":${deep(10_000)}}`, /64 levels/],
      ['{"name":', /not valid JSON/]
    ] as const) {
      const rest = await service.app.inject({ method: 'POST', url: '/api/projects', headers, payload: body })
      t.match([rest.statusCode, rest.json()], [400, { code: 'invalid_arguments', detail: reason }])
      const mcp = await post(
        service,
        user.key,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"projects_list","arguments":${body}}}`
      )
      t.match(
        [mcp.statusCode, mcp.json()],
        [400, { jsonrpc: '2.0', error: { code: body === '{"name":' ? -32700 : -32600, message: reason } }]
      )
    }
    t.equal((await service.app.inject({ url: '/api/projects', headers })).json().total, 0)
  })

  t.test('with NUL in any text is rejected', async t => {
    const refused = async (answer: Promise<{ statusCode: number, body: string }>) =>
      t.match(await answer, { statusCode: 400, body: /NUL|Allowed|not a|not an/ })
    await refused(service.app.inject({ method: 'POST', url: '/api/projects', headers, payload: '{"name":"a\\u0000b"}' }))
    await refused(
      service.app.inject({ method: 'POST', url: '/api/projects', headers, payload: '{"name":"a","positive_keywords":["a\\u0000b"]}' })
    )
    await refused(
      service.app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: '{"email":"a\\u0000@example.org","password":"x"}' })
    )
    await refused(
      service.app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: '{"email":"a@example.org","password":"x\\u0000"}' })
    )
    await refused(service.app.inject({ url: '/api/papers/%00', headers }))
    await refused(service.app.inject({ url: '/api/projects/ffffffff-ffff-4fff-8fff-ffffffffff%00', headers }))
    t.equal((await service.app.inject({ url: '/api/feed/atom/%00?token=%00' })).statusCode, 404)
    for (const params of [
      '{"name":"a\\u0000"}',
      '{"name":"projects_get","arguments":{"project_id":"\\u0000"}}',
      '{"name":"projects_list","arguments":{"\\u0000":1}}'
    ]) {
      t.ok((await post(service, user.key, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)).statusCode < 500)
    }
    const completion = await post(
      service,
      user.key,
      '{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"feed_title_filter"},' +
      '"argument":{"name":"project_id","value":"\\u0000"}}}'
    )
    t.match(completion.json(), { result: { completion: { values: { length: 0 } } } })
  })

  t.strictSame(service.logged, [], 'and nothing of it was an error of the service')
})
