import t from 'tap'
import { feedAtomUrl } from '../../src/operations/feed/feed-atom-url.js'
import { pages } from '../../src/adapters/web/pages.js'
import { routes } from '../../src/adapters/rest/routes.js'
import { formSession } from '../support/forms.js'
import { post } from '../support/mcp.js'
import { logIn, projectWith, testService } from '../support/service.js'

const isPrivate = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' }

const base = await testService(t)

t.test('all responses are no-store and nosniff', async t => {
  const service = base
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'A paper' }])
  const { access_token } = await logIn(service, user)
  const fill = (url: string) => url.replace(':project_id', project_id).replace(/:\w+/, '3f9a1c20-0000-4000-8000-000000000000')
  for (const { method, url } of routes) {
    for (const headers of [{}, { authorization: `Bearer ${access_token}` }]) {
      const response = await service.app.inject({ method, url: fill(url), headers })
      t.match(response.headers, isPrivate, `${method} ${url}: ${response.statusCode}`)
      // The session must not end before the others are called.
      if (url.endsWith('logout') || url.endsWith('sessions')) break
    }
  }
  const browser = await formSession(service.app, user)
  for (const { url } of pages) {
    t.match((await service.app.inject({ url: fill(url) })).headers, isPrivate, `${url}, signed out`)
    t.match((await browser.get(fill(url))).headers, isPrivate, url)
    t.match((await browser.request('POST', fill(url), {})).headers, isPrivate, `POST ${url}`)
  }
  for (const key of [user.key, 'svcmcp_a_b']) {
    t.match((await post(service, key, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).headers, isPrivate, 'MCP')
  }
  // The routes above have deleted the other project.
  const atom = new URL((await feedAtomUrl.run(user.context, { project_id: await projectWith(user, []) })).url)
  for (const url of [
    `${atom.pathname}${atom.search}`,
    `${atom.pathname}?token=wrong`,
    '/metrics',
    '/healthz',
    '/readyz',
    '/api/openapi.json',
    '/nowhere',
    '/.well-known/oauth-authorization-server'
  ]) {
    t.match((await service.app.inject({ url })).headers, isPrivate, url)
  }
  for (const url of ['/%zz', '/api/projects/%zz']) {
    const { statusCode, headers } = await service.app.inject({ url })
    t.equal(statusCode, 400, url)
    t.match(headers, { ...isPrivate, 'content-security-policy': /^default-src 'none'/ }, `${url}, which the router rejects`)
  }
  const page = (await browser.get('/')).body
  const asset = /href="(\/assets\/[^"]+\.css)"/.exec(page)?.[1] ?? /src="([^"]+\.js)"/.exec(page)![1]!
  t.match((await service.app.inject({ url: asset })).headers['cache-control'], /public.*immutable|immutable/, 'public files stay cacheable')
})

t.test('metrics are served under the address of the service only', async t => {
  const { app } = await base.sibling(t, { BASE_URL: 'https://litfeed.example.org', ALLOWED_ORIGINS: 'https://app.example.org' })
  const statusOf = async (host: string) => (await app.inject({ url: '/metrics', headers: { host } })).statusCode
  for (const host of [
    'litfeed.example.org', 'LITFEED.example.org:443', 'app.example.org', 'localhost:8787', '127.0.0.1:8787', '[::1]:8787', '10.0.0.5:8787',
    'litfeed:8787'
  ]) { t.equal(await statusOf(host), 200, host) }
  for (const host of [
    'evil.example', 'litfeed.example.org.evil.example', '127.0.0.1.evil.example:8787', 'a@127.0.0.1', '[::1].evil.example'
  ]) { t.equal(await statusOf(host), 403, host) }
})

t.test('Atom feed requests are rate limited per address', async t => {
  const service = await base.sibling(t, { RATE_LIMIT: '5' })
  const user = await service.user()
  const url = new URL((await feedAtomUrl.run(user.context, { project_id: await projectWith(user, []) })).url)
  const read = async (token: string, remoteAddress: string) => await service.app.inject({ url: `${url.pathname}${token}`, remoteAddress })
  for (let at = 0; at < 5; at++) t.equal((await read('?token=wrong', '192.0.2.1')).statusCode, 404)
  const refused = await read(url.search, '192.0.2.1')
  t.equal(refused.statusCode, 429)
  t.match(refused.headers['retry-after'], /^\d+$/)
  t.equal((await read(url.search, '192.0.2.2')).statusCode, 200)
})

t.test('the first account needs the setup token if the request came through a proxy or under another host', async t => {
  const service = await testService(t)
  const register = async (headers: Record<string, string>, setup_token?: string) =>
    (
      await service.app.inject({
        method: 'POST',
        url: '/api/auth/register',
        headers,
        payload: { email: 'a@example.org', password: 'long enough a one', setup_token }
      })
    ).statusCode
  for (const headers of [
    { host: 'litfeed.example.org' },
    { 'x-forwarded-for': '203.0.113.1' },
    { forwarded: 'for=203.0.113.1' },
    { via: '1.1 proxy' },
    { host: '127.0.0.1.evil.example' }
  ]) {
    t.equal(await register(headers as Record<string, string>), 403, JSON.stringify(headers))
  }
  const visitor = await formSession(service.app)
  t.match((await visitor.get('/welcome', { host: 'litfeed.example.org' })).body, 'Setup token')
  t.notMatch((await visitor.get('/welcome')).body, 'Setup token')
  t.equal(await register({ host: 'litfeed.example.org' }, service.context.accounts.setupToken), 201)
})

t.test('on loopback, the first account needs no setup token for a local request', async t => {
  const { app } = await testService(t)
  t.equal(
    (await app.inject({ method: 'POST', url: '/api/auth/register', payload: { email: 'a@example.org', password: 'long enough a one' } }))
      .statusCode,
    201
  )
})

t.test('on loopback, an allowed origin is an exact origin', async t => {
  const service = await base.sibling(t, { ALLOWED_ORIGINS: 'http://localhost:6274' })
  const { key } = await service.user()
  const port = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port
  const statusOf = async (origin: string) =>
    (await post(service, key, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { origin })).statusCode
  for (const origin of ['http://localhost:6274', `http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`]) {
    t.equal(await statusOf(origin), 200, origin)
  }
  for (const origin of [
    'http://localhost:3000',
    'http://localhost',
    'https://localhost:6274',
    'http://127.0.0.1:6274',
    `https://127.0.0.1:${port}`,
    `http://127.0.0.2:${port}`
  ]) { t.equal(await statusOf(origin), 403, origin) }
  const host = '192.168.1.5:8787'
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  t.equal((await post(service, key, ping, { host, origin: `http://${host}` })).statusCode, 403, 'an address under which nobody reaches it')
})

t.test('on every interface without BASE_URL, pages are those of the IP address that a request names', async t => {
  const service = await base.sibling(t, { HOST: '0.0.0.0' })
  const user = await service.user()
  const browser = await formSession(service.app, user)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const statusOf = async (host: string, origin: string) =>
    (await browser.post('/account', { action: 'time-zone', time_zone: 'Europe/Berlin' }, { host, origin })).statusCode
  for (const host of ['192.168.1.5:8787', '[fd00::5]:8787']) {
    t.equal(await statusOf(host, `http://${host}`), 303, host)
    const session = { host, origin: `http://${host}`, cookie }
    t.equal((await service.app.inject({ url: '/api/keys', headers: session })).statusCode, 200, `${host}: a browser's session`)
  }
  for (const [host, origin] of [
    ['litfeed.evil.example:8787', 'http://litfeed.evil.example:8787'], ['192.168.1.5:8787', 'http://192.168.1.6:8787'],
    ['192.168.1.5:8787', 'https://192.168.1.5:8787'], ['192.168.1.5:8787', 'null'], ['10.0.0.5.evil.example', 'http://10.0.0.5.evil.example']
  ] as const) t.equal(await statusOf(host, origin), 403, `${host} from ${origin}`)

  const named = await base.sibling(t, { HOST: '0.0.0.0', BASE_URL: 'https://litfeed.example.org' })
  const refused = await post(named, user.key, { jsonrpc: '2.0', id: 1, method: 'ping' }, { host: '10.0.0.5', origin: 'http://10.0.0.5' })
  t.match(refused, { statusCode: 403, body: /set BASE_URL to the address under which people reach the service/ })
})

t.test('a new password can revoke the keys of the account', async t => {
  const service = base
  const user = await service.user()
  const works = async () => (await post(service, user.key, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).statusCode === 200
  const browser = await formSession(service.app, user)
  const change = async (current_password: string, new_password: string, more: Record<string, string>) =>
    (await browser.post('/account', { action: 'change-password', current_password, new_password, repeated: new_password, ...more }))
      .statusCode
  t.equal(await change(user.password, 'another long password', {}), 303)
  t.ok(await works())
  t.equal(await change('another long password', 'a third long password', { revoke_keys: 'on' }), 303)
  await new Promise(resolve => setTimeout(resolve, 1000))
  t.notOk(await works())
})
