import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { hashAtServiceCost } from '../../support/cheap-hashes.js'
import { atEnd } from '../../support/end-of-file.js'
import { formSession } from '../../support/forms.js'
import { post } from '../../support/mcp.js'
import { logIn, projectWith, testService } from '../../support/service.js'

atEnd(t, hashAtServiceCost())

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

const base = await testService(t)

t.test('the MCP key over REST', async t => {
  const service = await base.sibling(t, { BASE_URL: 'https://litfeed.example.org/' })
  const { app, context } = service
  const user = await service.user()
  const { access_token } = await logIn(service, user)
  const headers = { authorization: `Bearer ${access_token}` }
  const works = async (key: string) => (await post(service, key, ping)).statusCode
  const show = async () => (await app.inject({ url: '/api/auth/mcp-key', headers })).json()
  let key = user.key

  t.test('is shown without its secret', async t => {
    t.equal(await works(key), 200)
    const [, prefix, secret] = key.split('_')
    const shown = await show()
    t.match(shown, { key: { prefix, masked: new RegExp(`^svcmcp_${prefix}_`), created_at: /Z$/, last_used_at: /Z$/ } })
    t.notMatch(JSON.stringify(shown), secret!)
  })

  t.test('is rotated: 201, shown once, and the previous key stops within a second', async t => {
    const response = await app.inject({ method: 'POST', url: '/api/auth/mcp-key/rotate', headers })
    t.equal(response.statusCode, 201)
    const { api_key, prefix, created_at, mcp_url } = response.json()
    t.match(api_key, new RegExp(`^svcmcp_${prefix}_[0-9A-Za-z]{32}$`))
    t.match(created_at, /Z$/)
    t.equal(mcp_url, `https://litfeed.example.org/api/mcp/?key=${api_key}`)
    t.equal(await works(api_key), 200)
    await wait(1000)
    t.equal(await works(key), 401)
    key = api_key
  })

  t.test('is revoked within a second: 204, also without a key', async t => {
    t.equal(await works(key), 200)
    for (let time = 0; time < 2; time++) {
      t.equal((await app.inject({ method: 'DELETE', url: '/api/auth/mcp-key', headers })).statusCode, 204)
    }
    await wait(1000)
    t.equal(await works(key), 401)
    t.strictSame(await show(), { key: null })
  })

  t.test('stores only a prefix, an argon2id hash and four bytes', async t => {
    const { api_key } = (await app.inject({ method: 'POST', url: '/api/auth/mcp-key/rotate', headers })).json()
    const row = await context.db.selectFrom('mcp_key').selectAll().executeTakeFirstOrThrow()
    t.match(row.secret_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    t.equal(row.secret_check.length, 4)
    t.notMatch(JSON.stringify(row), api_key.split('_')[2])
  })

  t.test('is read-only over REST', async t => {
    const { api_key } = (await app.inject({ method: 'POST', url: '/api/auth/mcp-key/rotate', headers })).json()
    for (const request of [
      { headers: { 'x-api-key': api_key } },
      { headers: { authorization: `Bearer ${api_key}` } },
      { query: { key: api_key } }
    ]) {
      t.equal((await app.inject({ url: '/api/projects', ...request })).statusCode, 200)
      const response = await app.inject({ method: 'POST', url: '/api/projects', ...request, payload: { name: 'x' } })
      t.equal(response.statusCode, 403)
      t.match(response.json(), { code: 'forbidden', detail: /read-only/ })
    }
  })
})

t.test('keys are managed with the session of a browser', async t => {
  const service = await base.sibling(t, { BASE_URL: 'https://litfeed.example.org/' })
  const { app } = service
  const user = await service.user()
  const { cookies } = await formSession(app, user)
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, { payload, headers }: { payload?: object, headers?: object } = {}) =>
    await app.inject({ method, url, headers: { cookie, ...headers }, ...(payload === undefined ? {} : { payload }) })

  t.test('lists, creates and deletes them', async t => {
    const created = await call('POST', '/api/keys', { payload: { name: 'Agent' }, headers: { 'sec-fetch-site': 'same-origin' } })
    t.equal(created.statusCode, 201)
    t.equal((await post(service, created.json().api_key, ping)).statusCode, 200)
    t.match((await call('GET', '/api/keys')).json().items, [{ name: 'Default' }, { name: 'Agent' }])
    t.equal((await call('DELETE', `/api/keys/${created.json().id}`)).statusCode, 204)
    t.match((await call('GET', '/api/auth/mcp-key')).json(), { key: { prefix: user.key.split('_')[1] } })
  })

  t.test('not for another site, nor beside a key or a wrong token', async t => {
    for (const headers of [
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://other.example.org' },
      { 'sec-fetch-site': 'same-site', origin: 'https://litfeed.example.org' }
    ]) {
      for (const method of ['GET', 'POST'] as const) {
        const refused = await call(method, '/api/keys', { headers, ...(method === 'POST' ? { payload: { name: 'Stolen' } } : {}) })
        t.equal(refused.statusCode, 403, `${method} ${JSON.stringify(headers)}`)
      }
    }
    t.equal((await call('GET', '/api/keys', { headers: { origin: 'https://litfeed.example.org' } })).statusCode, 200)
    for (const headers of [{ 'x-api-key': user.key }, { authorization: `Bearer ${user.key}` }, { authorization: 'Bearer wrong' }]) {
      t.equal((await call('GET', '/api/keys', { headers })).statusCode, 401, JSON.stringify(headers))
    }
    t.notMatch((await call('GET', '/api/keys')).body, 'Stolen')
  })

  t.test('and without any, the error says how to get in', async t => {
    const { statusCode, body } = await app.inject({ url: '/api/keys' })
    t.match({ statusCode, body }, { statusCode: 401, body: /Sign in to the pages of this service in the same browser, or send the access token/ })
  })

  t.test('not other routes', async t => {
    t.equal((await call('GET', '/api/projects')).statusCode, 401)
    t.equal((await call('DELETE', '/api/account', { payload: { password: user.password } })).statusCode, 401)
  })
})

t.test('a flood of wrong keys does not starve a valid one', async t => {
  const service = base
  const user = await service.user()
  const [, prefix] = user.key.split('_')
  const wrong = Array.from(
    { length: 300 },
    async (_each, at) => (await post(service, `svcmcp_${prefix}_${String(at).padStart(32, 'x')}`, ping)).statusCode
  )
  const right = (await post(service, user.key, ping)).statusCode
  t.equal(right, 200)
  t.strictSame([...new Set(await Promise.all(wrong))], [401])
})

t.test('named keys over REST', async t => {
  let ahead = 0
  const service = await base.sibling(t, { BASE_URL: 'https://litfeed.example.org/' }, () => new Date(Date.now() + ahead))
  const { app } = service
  const user = await service.user()
  const stranger = await service.user()
  const project = await projectWith(user, [])
  const headers = { authorization: `Bearer ${(await logIn(service, user)).access_token}` }
  const create = async (payload: object) => await app.inject({ method: 'POST', url: '/api/keys', headers, payload })
  const list = async () => (await app.inject({ url: '/api/keys', headers })).json().items
  const works = async (key: string) => (await post(service, key, ping)).statusCode

  t.test('lists the Default key, which can read everything', async t => {
    t.match(await list(), [
      {
        name: 'Default',
        scope: 'read',
        project_ids: null,
        expires_at: null,
        last_used_at: null,
        last_client: null,
        masked: /^svcmcp_\w{10}_•+$/
      }
    ])
  })

  t.test('creates a key with its grant: 201, shown once', async t => {
    const response = await create({ name: ' Agent ', scope: 'act', project_ids: [project.toUpperCase()], expires_at: '2099-01-01' })
    t.equal(response.statusCode, 201)
    const { api_key, mcp_url, ...key } = response.json()
    t.match(key, { name: 'Agent', scope: 'act', project_ids: [project], expires_at: '2099-01-01T00:00:00.000Z' })
    t.equal(mcp_url, `https://litfeed.example.org/api/mcp/?key=${api_key}`)
    t.equal(await works(api_key), 200)
    const [, second] = await list()
    t.match(second, { ...key, last_used_at: /Z$/ })
    t.notMatch(JSON.stringify(await list()), api_key.split('_')[2])
  })

  t.test('accepts null as no limit; rejects duplicate names, foreign projects and past expiries', async t => {
    t.match((await create({ name: 'Open', project_ids: null, expires_at: null })).json(), {
      scope: 'read',
      project_ids: null,
      expires_at: null
    })
    t.match((await create({ name: 'Open' })).json(), { code: 'key_exists' })
    t.match((await create({ name: 'Other', project_ids: [await projectWith(stranger, [])] })).json(), { code: 'project_not_found' })
    t.match((await create({ name: 'Other', expires_at: '2020-01-01' })).json(), { code: 'invalid_arguments', detail: /in the past/ })
    t.match((await create({ name: 'Other', expires_at: 'tomorrow' })).json(), { code: 'invalid_arguments' })
    t.match((await create({ name: 'Other', project_ids: [] })).json(), { code: 'invalid_arguments' })
    t.match((await create({ name: 'Other', scope: 'admin' })).json(), { code: 'invalid_arguments' })
  })

  t.test('renames a key unless the name is taken', async t => {
    const { id } = (await list())[1]
    const rename = async (name: string) => await app.inject({ method: 'PATCH', url: `/api/keys/${id}`, headers, payload: { name } })
    t.match((await rename('Default')).json(), { code: 'key_exists' })
    t.match((await rename('Reader')).json(), { id, name: 'Reader', scope: 'act' })
  })

  t.test('rotates the secret and keeps the grant', async t => {
    const {
      api_key: former,
      mcp_url: _address,
      ...key
    } = (await create({ name: 'Laptop', scope: 'act', project_ids: [project], expires_at: '2099-01-01' })).json()
    const replace = async (id: string, by = headers) => await app.inject({ method: 'POST', url: `/api/keys/${id}/rotate`, headers: by })
    t.equal(await works(former), 200)
    const response = await replace(key.id)
    t.equal(response.statusCode, 201)
    const { api_key, mcp_url, ...replaced } = response.json()
    t.match(replaced, {
      id: key.id,
      name: 'Laptop',
      scope: 'act',
      project_ids: [project],
      expires_at: key.expires_at,
      last_used_at: null,
      last_client: null
    })
    t.not(api_key, former)
    t.equal(mcp_url, `https://litfeed.example.org/api/mcp/?key=${api_key}`)
    t.equal(await works(api_key), 200)
    await wait(1000)
    t.equal(await works(former), 401)
    const theirs = { authorization: `Bearer ${(await logIn(service, stranger)).access_token}` }
    t.match((await replace(key.id, theirs)).json(), { code: 'key_not_found' })
    t.equal(await works(api_key), 200)
    t.equal((await app.inject({ method: 'DELETE', url: `/api/keys/${key.id}`, headers })).statusCode, 204)
  })

  t.test('shows the last client of a key, with bounded writes', async t => {
    const { id, api_key } = (await create({ name: 'Script' })).json()
    const call = async (program: string) =>
      await app.inject({ url: '/api/projects', headers: { 'x-api-key': api_key, 'user-agent': program } })
    const clientOf = async () => (await list()).find((key: { id: string }) => key.id === id).last_client
    await call('curl/8.5.0')
    t.strictSame(await clientOf(), { name: 'curl', version: '8.5.0' })
    await call('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
    t.strictSame(await clientOf(), { name: 'Firefox on Linux', version: null })
    await call('\u0007')
    t.strictSame(await clientOf(), { name: 'Firefox on Linux', version: null })
    for (let at = 0; at < 20; at++) t.equal((await call(`script-${at}/1.0`)).statusCode, 200)
    t.strictSame(await clientOf(), { name: 'script-3', version: '1.0' })
    t.equal((await app.inject({ method: 'DELETE', url: `/api/keys/${id}`, headers })).statusCode, 204)
  })

  t.test('revokes a key within a second, in the middle of a session', async t => {
    const { id, api_key } = (await create({ name: 'Gone' })).json()
    t.equal(await works(api_key), 200)
    t.equal((await app.inject({ method: 'DELETE', url: `/api/keys/${id}`, headers })).statusCode, 204)
    await wait(1000)
    t.equal(await works(api_key), 401)
    t.match((await app.inject({ method: 'DELETE', url: `/api/keys/${id}`, headers })).json(), { code: 'key_not_found' })
  })

  t.test('refuses an expired key in the middle of a session', async t => {
    const { api_key } = (await create({ name: 'Short', expires_at: new Date(Date.now() + 600_000).toISOString() })).json()
    t.equal(await works(api_key), 200)
    ahead = 600_000
    t.teardown(() => { ahead = 0 })
    // Keys are cached for almost a second.
    await wait(1000)
    t.equal(await works(api_key), 401)
    const { id } = (await list()).find(({ name }: { name: string }) => name === 'Short')
    const replaced = await app.inject({ method: 'POST', url: `/api/keys/${id}/rotate`, headers })
    t.equal(replaced.statusCode, 400)
    t.match(replaced.json(), { code: 'invalid_arguments', detail: 'This key has expired. Create a new one.' })
    t.equal((await app.inject({ method: 'DELETE', url: `/api/keys/${id}`, headers })).statusCode, 204)
  })

  t.test('rotates the Default key only', async t => {
    const { api_key } = (await create({ name: 'Stays' })).json()
    const before = await list()
    const rotated = (await app.inject({ method: 'POST', url: '/api/auth/mcp-key/rotate', headers })).json()
    t.strictSame((await list()).map(({ name }: { name: string }) => name).sort(), before.map(({ name }: { name: string }) => name).sort())
    t.strictSame([await works(api_key), await works(rotated.api_key)], [200, 200])
    await app.inject({ method: 'DELETE', url: '/api/auth/mcp-key', headers })
    t.notOk((await list()).some(({ name }: { name: string }) => name === 'Default'))
    t.equal(await works(api_key), 200)
  })

  t.test('keys cannot manage keys', async t => {
    const { api_key } = (await create({ name: 'Powerful', scope: 'act' })).json()
    for (const [method, url] of [
      ['GET', '/api/keys'],
      ['POST', '/api/keys'],
      ['DELETE', `/api/keys/${(await list())[0].id}`]
    ] as const) {
      t.equal(
        (
          await app.inject({
            method,
            url,
            headers: { authorization: `Bearer ${api_key}` },
            ...(method === 'POST' ? { payload: { name: 'x' } } : {})
          })
        ).statusCode,
        401
      )
    }
  })
})
