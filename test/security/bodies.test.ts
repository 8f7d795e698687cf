import t, { type Test } from 'tap'
import { once } from 'node:events'
import { connect } from 'node:net'
import { takesLess } from '../support/event-loop.js'
import { formSession } from '../support/forms.js'
import { logIn, testService } from '../support/service.js'
import { until } from '../support/until.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { parseJson } from '../../src/server/strict-json.js'
import { post } from '../support/mcp.js'

const pdf = '/api/papers/0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11/pdf'
const multipart = 'multipart/form-data; boundary=x'

/** The service, listening, and two people's tokens. */
async function listening (t: Test) {
  const service = await testService(t)
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as { port: number }
  const users = [await service.user(), await service.user()] as const
  const [one, other] = [(await logIn(service, users[0])).access_token, (await logIn(service, users[1])).access_token]
  /** A head that promises 60 MB, and the first bytes of it. */
  const begin = (path: string, headers: Record<string, string>) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    t.teardown(() => socket.destroy())
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}Content-Length: 60000000\r\n\r\n%PDF-1.7`
    )
    return socket
  }
  /** Reads the response that comes before the end of the body. */
  const answerTo = async (path: string, headers: Record<string, string>) => {
    const socket = begin(path, headers)
    const [first] = await once(socket, 'data') as [Buffer]
    socket.destroy()
    return Number(first.toString().split(' ', 2)[1])
  }
  const upload = (token: string) => begin(pdf, { Authorization: `Bearer ${token}`, 'Content-Type': 'application/pdf' })
  /** The answer to a whole upload, which is refused for its paper alone. */
  const send = async (token: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${pdf}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/pdf' },
      body: '%PDF-1.7'
    })
    return { status: response.status, ...((await response.json()) as { detail: string }) }
  }
  return { ...service, users, one, other, answerTo, upload, send }
}

t.test('does not read a body without permission', async t => {
  const { app, users, one, answerTo } = await listening(t)

  await t.test('a PDF without a session', async t => {
    t.equal(await answerTo(pdf, { 'Content-Type': 'application/pdf' }), 401)
  })

  await t.test('a file in a form of a public or private page', async t => {
    t.equal(await answerTo('/login', { 'Content-Type': multipart }), 415)
    t.equal(await answerTo('/papers/abcdefgh', { 'Content-Type': multipart }), 303)
  })

  await t.test('anything except a file on upload routes', async t => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'application/pdfx']) {
      t.equal(await answerTo(pdf, { Authorization: `Bearer ${one}`, 'Content-Type': type }), 415, type)
    }
    const { cookies } = await formSession(app, users[0])
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    t.equal(await answerTo('/papers/abcdefgh', { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' }), 413)
  })
})

t.test('forms and JSON that anyone may send are small', async t => {
  const { app, user, logged } = await testService(t)
  const { cookies } = await formSession(app, await user())
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const form = 'application/x-www-form-urlencoded'
  const send = async (url: string, type: string, payload: string, signedIn = false) =>
    await app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': type, accept: 'text/html', ...(signedIn ? { cookie } : {}) },
      payload
    })
  const manyFields = '&a=1'.repeat(250_000)
  await send('/login', form, 'action=sign-in')
  for (const url of ['/login', '/sign-up', '/forgot-password', '/reset-password', '/unsubscribe/token', '/shared/token']) {
    await takesLess(t, 100, async () => {
      const { statusCode, body } = await send(url, form, manyFields)
      if (statusCode === 404) return t.equal(url, '/shared/token')
      t.equal(statusCode, 413, url)
      t.match(body, /<h1>[^]*The form exceeds the maximum of 16 KiB\. Shorten what you entered\./, url)
    }, url)
    t.equal((await send(url, form, `action=none&a=${'x'.repeat(16_000)}`)).statusCode < 413, true, url)
  }

  const tooMany = await send('/projects/new', form, 'a=1&'.repeat(2001), true)
  t.match([tooMany.statusCode, tooMany.body], [413, /more than 2,000 fields\. Select fewer items/])
  const tooLong = await send('/projects/new', form, `a=${'x'.repeat(1024 * 1024)}`, true)
  t.match([tooLong.statusCode, tooLong.body], [413, /maximum of 1 MiB/])
  t.equal((await send('/projects/new', form, `${'a=1&'.repeat(1999)}b=${encodeURIComponent('注').repeat(100_000)}`, true)).statusCode, 403, 'has no token')

  const part = (name: string, value: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const parts = (count: number, value: string) => `${Array.from({ length: count }, (_each, at) => part(`f${at}`, value)).join('')}--x--\r\n`
  t.equal((await send('/unsubscribe/token', multipart, parts(6, '1'))).statusCode, 413)
  t.equal((await send('/unsubscribe/token', multipart, '--x\r\nContent-Disposition')).statusCode, 400)
  await takesLess(t, 50, async () => {
    const { statusCode, body } = await send('/unsubscribe/token', multipart, parts(20_000, '1'))
    t.match([statusCode, body], [413, /maximum of 16 KiB/])
  }, 'refused before it is parsed')
  for (const name of ['login', 'register', 'refresh', 'password-reset', 'password-reset/confirm']) {
    const url = `/api/auth/${name}`
    const answer = await send(url, 'application/json', JSON.stringify({ email: 'x'.repeat(16 * 1024) }))
    t.match([answer.statusCode, answer.json()], [413, { code: 'payload_too_large', detail: /maximum of 16 KiB\. Send a smaller one/ }], url)
  }
  t.strictSame(logged.filter(line => /"level":50/.test(line)), [])
})

t.test('a malformed form is a client error', async t => {
  const { app, user, logged } = await testService(t)
  const { cookies } = await formSession(app, await user())
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const refused: Array<[string, string, string, number]> = [
    ['/papers/abcdefgh', multipart, '--x\r\nContent-Disposition: form-data; name="action"\r\n\r\nupl', 400],
    ['/papers/abcdefgh', 'multipart/form-data', 'anything', 400],
    [
      '/papers/abcdefgh',
      multipart,
      Array.from({ length: 60 }, (_each, at) => `--x\r\nContent-Disposition: form-data; name="f${at}"\r\n\r\n1\r\n`).join('') + '--x--\r\n',
      413
    ],
    ['/login', 'application/json', '{"action":{"toString":1}}', 415],
    ['/login', 'text/plain', 'action=sign-in', 415],
    ['/login', 'application/x-www-form-urlencoded', 'action=sign-in&action=toString&email=a&email=b&__proto__=1', 403]
  ]
  for (const [url, type, payload, status] of refused) {
    const answer = await app.inject({ method: 'POST', url, headers: { cookie, 'content-type': type, accept: 'text/html' }, payload })
    t.equal(answer.statusCode, status, `${type}: ${payload.slice(0, 40)}`)
  }
  t.strictSame(logged.filter(line => /"level":50/.test(line)), [])
})

t.test('an account can send two files at a time, independently of other accounts', async t => {
  const { one, other, upload, send } = await listening(t)
  const begun = [upload(one)]
  await until(async () => {
    const full = (await send(one)).status === 429
    // One that came while another was looked at was not let in.
    if (!full) begun.push(upload(one))
    return full
  })
  t.match(await send(one), { status: 429, detail: /Your account is already uploading 2 files/ })
  t.match(await send(other), { status: 404 })
  for (const socket of begun) socket.destroy()
  await until(async () => (await send(one)).status === 404)
})

t.test('aborted uploads free their slot and are not reported as database errors', async t => {
  const { one, upload, send, logged } = await listening(t)
  for (let time = 0; time < 10; time++) {
    const socket = upload(one)
    await once(socket, 'connect')
    socket.destroySoon()
  }
  await until(async () => (await send(one)).status === 404)
  t.strictSame(logged.filter(line => /database/.test(line)), [])
})

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
      `[${'1,'.repeat(19_999)}1]`
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
      [`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`, /64 levels/]
    ]
    for (const [text, message] of refused) t.throws(() => parseJson(text), { message }, text.slice(0, 40))
  })

  t.test('is rejected before it is parsed if it has too many values', async t => {
    const parse = JSON.parse
    t.teardown(() => { JSON.parse = parse })
    for (const value of ['""', '{}', '[]', '0', '{"a":0}']) {
      const many = `[${Array(20_001).fill(value).join(',')}]`
      JSON.parse = () => { throw new Error('It was parsed.') }
      t.throws(() => parseJson(many), { message: /more than 20,000 commas and brackets; send fewer values/ }, value)
      JSON.parse = parse
    }
  })

  t.test('is rejected before it is parsed if it has too many members', async t => {
    const named = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_each, at) => [`a:${at}`, at])))
    t.strictSame(parseJson(named(500)), JSON.parse(named(500)))
    t.strictSame(parseJson(named(7000), 7000), JSON.parse(named(7000)))
    const note = JSON.stringify({ note: 'a: b '.repeat(9000) })
    t.strictSame(parseJson(note), JSON.parse(note), 'colons in strings are no members')
    const many = named(501)
    const parse = JSON.parse
    t.teardown(() => { JSON.parse = parse })
    JSON.parse = () => { throw new Error('It was parsed.') }
    t.throws(() => parseJson(many), { message: /more than 500 members; send only the arguments that the call needs/ })
    JSON.parse = parse
  })

  t.test('that has many commas and brackets in strings is parsed', async t => {
    const note = String.raw`a, [b], {c} \"d\", e\\`
    for (const text of [JSON.stringify({ note: note.repeat(30_000) }), JSON.stringify(Array(9000).fill(note))]) {
      t.strictSame(parseJson(text), JSON.parse(text))
    }
    t.throws(() => parseJson(JSON.stringify(Array(20_001).fill(note))), { message: /more than 20,000 commas/ })
    t.throws(() => parseJson(`["${','.repeat(20_001)}`), { message: /not valid JSON/ })
    // Reading strings one by one takes no longer than parsing them.
    for (const text of ['""'.repeat(500_000), `"${','.repeat(20_001)}${'\\'.repeat(900_000)}"`, `["${','.repeat(900_000)}"]`]) {
      await takesLess(t, 150, () => { try { parseJson(text) } catch {} })
    }
    // Nor do escaped quotes: several bodies of a megabyte at once, since one takes a few milliseconds.
    const escapes = `{"a":"${','.repeat(21_000)}${':'.repeat(600)}${String.raw`\"`.repeat(500_000)}"}`
    t.strictSame(parseJson(escapes), JSON.parse(escapes))
    await takesLess(t, 100, () => { for (let body = 0; body < 10; body++) parseJson(escapes) }, 'escaped quotes')
  })

  const service = await testService(t, { LOG_LEVEL: 'warn' })
  const user = await service.user()
  const headers = { authorization: `Bearer ${(await logIn(service, user)).access_token}`, 'content-type': 'application/json' }

  const { api_key: key } = await keyCreate.run(user.context, { name: 'Agent', scope: 'act' })

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

  t.test('with thousands of unknown arguments takes little time', async t => {
    const body = (count: number) => `{${Array.from({ length: count }, (_each, at) => `"unknown${at}":null`).join(',')}}`
    const call = (body: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"project_create","arguments":${body}}}`
    const create = async (payload: string) => await service.app.inject({ method: 'POST', url: '/api/projects', headers, payload })
    t.match((await create(body(400))).json(), { code: 'invalid_arguments', detail: /^The call has too many arguments\. Allowed arguments: name, / })
    t.match((await create(body(19_000))).json(), { code: 'invalid_arguments', detail: /more than 500 members/ })
    t.match((await post(service, key, call(body(19_000)))).json(), { error: { code: -32600, message: /more than 7,000 members/ } })
    const tooMany = call(body(6900))
    await takesLess(t, 40, async () => {
      const { result } = (await post(service, key, tooMany)).json()
      t.match(result, { isError: true, content: [{ text: /^invalid_arguments: The call has too many arguments\. Allowed arguments: name, / }] })
    })
  })

  t.test('of the largest batch of calls is accepted', async t => {
    const sources = Array.from({ length: 50 }, (_each, at) => ({ name: 'feed', query: `https://example.org/${at}` }))
    const batch = Array.from({ length: 50 }, (_each, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'project_create', arguments: { name: '', sources }, _meta: { progressToken: id } }
    }))
    const answer = await post(service, key, batch)
    t.match([answer.statusCode, answer.json().length], [200, 50])
    t.match(answer.json()[49], { result: { isError: true, content: [{ text: /^invalid_arguments: name / }] } })
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

t.test('JSON must be UTF-8, with or without a byte order mark', async t => {
  const { app, user } = await testService(t)
  const { context } = await user()
  const { api_key: act } = await keyCreate.run(context, { name: 'Act', scope: 'act' })
  const send = async (url: string, payload: Buffer) =>
    await app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json', 'x-api-key': act }, payload })
  const call = (q: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"${q}"}}}`
  // A Latin-1 ü, half of a pair, and an overlong slash.
  for (const bytes of [[0xfc], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
    const broken = (text: string) => {
      const [before, after] = text.split('#') as [string, string]
      return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
    }
    const mcp = await send('/api/mcp', broken(call('spindles #')))
    t.equal(mcp.statusCode, 400)
    t.match(mcp.json(), { jsonrpc: '2.0', error: { code: -32700, message: /UTF-8/ } })
    const rest = await send('/api/projects', broken('{"name":"Sleep #"}'))
    t.equal(rest.statusCode, 400)
    t.match(rest.json(), { code: 'invalid_arguments', detail: /UTF-8/ })
  }
  const marked = (text: string) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])
  t.match((await send('/api/mcp', marked(call('Größe')))).json(), { id: 1, result: { structuredContent: { results: { length: 0 } } } })
  t.match((await send('/api/projects', marked('{"name":"Größe","sources":[]}'))).json(), { name: 'Größe' })
})
