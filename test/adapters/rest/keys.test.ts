import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { post } from '../../support/mcp.js'
import { logIn, testService } from '../../support/service.js'

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

t.test('the MCP key over REST', async t => {
  const service = await testService(t, { BASE_URL: 'https://litfeed.example.org/' })
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
      t.match(response.json(), { code: 'forbidden', detail: /read only/ })
    }
  })
})

t.test('a flood of wrong keys does not starve a valid one', async t => {
  const service = await testService(t)
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
