import t from 'tap'
import { formSession } from '../../support/forms.js'
import { logIn, testService } from '../../support/service.js'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const base = await testService(t)

t.test('accounts over REST', async t => {
  const service = base
  const { app } = service
  const register = async (email: string, more: object = {}) =>
    await app.inject({ method: 'POST', url: '/api/auth/register', payload: { email, password: 'long enough a one', ...more } })

  await t.test('only the first account can be registered', async t => {
    const both = await Promise.all([register('First@Example.org'), register('second@example.org')])
    t.strictSame(both.map(({ statusCode }) => statusCode).sort(), [201, 403])
    t.match((await register('third@example.org')).json(), { code: 'registration_closed', detail: /litfeed user create/ })
  })

  const user = await service.user('someone@example.org')

  t.test('login returns tokens; the email address is case-insensitive', async t => {
    const response = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: ' Someone@EXAMPLE.org', password: user.password }
    })
    t.equal(response.statusCode, 200)
    t.match(response.json(), { access_token: /^eyJ/, refresh_token: /^svcrt_/, token_type: 'Bearer', expires_in: 900 })
    t.equal(response.headers['cache-control'], 'private, no-store')
    const me = await app.inject({ url: '/api/auth/me', headers: bearer(response.json().access_token) })
    t.strictSame(Object.keys(me.json()), ['id', 'email', 'administrator', 'disabled_at', 'time_zone', 'created_at'])
    t.equal(me.json().email, 'someone@example.org')
  })

  t.test('a wrong password and an unknown address have equal responses', async t => {
    const answers = await Promise.all(
      ['someone@example.org', 'nobody@example.org'].map(
        async email => await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password: 'wrong' } })
      )
    )
    t.strictSame(
      answers.map(({ statusCode }) => statusCode),
      [401, 401]
    )
    t.equal(answers[0]!.body, answers[1]!.body)
  })

  t.test('a reused refresh token ends the session', async t => {
    const first = await logIn(service, user)
    const refresh = async (refresh_token: string) =>
      await app.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refresh_token } })
    const second = (await refresh(first.refresh_token)).json()
    t.match(second, { access_token: /^eyJ/, refresh_token: /^svcrt_/ })
    t.equal((await app.inject({ url: '/api/auth/me', headers: bearer(second.access_token) })).statusCode, 200)
    t.match((await refresh(first.refresh_token)).json(), { code: 'unauthorized' })
    t.equal((await refresh(second.refresh_token)).statusCode, 401)
    t.equal((await app.inject({ url: '/api/auth/me', headers: bearer(second.access_token) })).statusCode, 401)
  })

  t.test('logout ends access and refresh token immediately', async t => {
    const { access_token, refresh_token } = await logIn(service, user)
    t.equal((await app.inject({ method: 'POST', url: '/api/auth/logout', headers: bearer(access_token) })).statusCode, 204)
    t.equal((await app.inject({ url: '/api/auth/me', headers: bearer(access_token) })).statusCode, 401)
    t.equal((await app.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refresh_token } })).statusCode, 401)
  })

  t.test('a forged, unsigned or foreign token is 401', async t => {
    const { SignJWT, UnsecuredJWT } = await import('jose')
    const { access_token } = await logIn(service, user)
    const [head, body] = access_token.split('.') as [string, string]
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
    for (const token of [forged, new UnsecuredJWT(claims).encode(), `${head}.${body}.`, `${access_token}x`, 'nonsense', 'svcmcp_a_b']) {
      t.equal((await app.inject({ url: '/api/auth/me', headers: bearer(token) })).statusCode, 401, token.slice(0, 20))
    }
  })

  t.test('/api/auth rejects the MCP key', async t => {
    for (const [method, url] of [
      ['GET', '/api/auth/me'],
      ['GET', '/api/auth/mcp-key'],
      ['POST', '/api/auth/mcp-key/rotate'],
      ['DELETE', '/api/auth/mcp-key'],
      ['POST', '/api/auth/logout'],
      ['POST', '/api/auth/feed-token/rotate']
    ] as const) {
      const response = await app.inject({ method, url, headers: { 'x-api-key': user.key, ...bearer(user.key) } })
      t.equal(response.statusCode, 401, url)
      t.match(response.json(), { code: 'unauthorized', detail: String })
      t.equal(response.headers['www-authenticate'], 'Bearer realm="litfeed"')
    }
  })

  t.test('names the invalid field', async t => {
    const wrong: Array<[object | string, RegExp]> = [
      [{ email: 'x', password: 'long enough a one' }, /email is "x", which is not an email address/],
      [{ email: 'a@b.org', password: 'short' }, /^password is invalid\. 8 to 256 characters\.$/],
      [{ password: 'long enough a one' }, /email is required/],
      [{ email: 'a@b.org', password: 'long enough a one', admin: true }, /admin is not an argument/],
      [[], /must be a JSON object/],
      ['{', /not valid JSON/]
    ]
    for (const [url, sent] of [
      ['register', { email: 'a@b.org', password: 'dnl' }],
      ['login', { email: 'a@b.org', password: 'dnl'.repeat(100) }],
      ['login', { email: 'a@b.org', password: { dnl: 1 } }],
      ['refresh', { refresh_token: 'dnl'.repeat(200) }],
      ['register', { email: 'a@b.org', password: 'long enough', setup_token: ['dnl'] }]
    ] as const) {
      t.notMatch((await app.inject({ method: 'POST', url: `/api/auth/${url}`, payload: sent })).body, 'dnl', 'a secret is not repeated')
    }
    for (const [payload, detail] of wrong) {
      const response = await app.inject({
        method: 'POST',
        url: '/api/auth/register',
        headers: { 'content-type': 'application/json' },
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload)
      })
      t.equal(response.statusCode, 400)
      t.match(response.json(), { code: 'invalid_arguments', detail })
    }
  })
})

t.test('an account whose deletion has not finished cannot be signed in to', async t => {
  const { app, context: { db }, user } = await base.sibling(t)
  const { context: { account: { id } } } = await user()
  const email = `deleted ${id}`
  await db.updateTable('account').set({ email, password_hash: '', deleted_at: new Date() }).where('id', '=', id).execute()
  const response = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password: 'long enough a one' } })
  t.equal(response.statusCode, 401)
})

t.test('logins are rate limited by account and address', async t => {
  const service = await base.sibling(t)
  const user = await service.user()
  const wrong = async (email: string, remoteAddress: string) =>
    await service.app.inject({ method: 'POST', url: '/api/auth/login', remoteAddress, payload: { email, password: 'wrong' } })
  for (let attempt = 0; attempt < 10; attempt++) t.equal((await wrong(user.email, `192.0.2.${attempt}`)).statusCode, 401)
  const refused = await service.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress: '192.0.2.99',
    payload: { email: user.email, password: user.password }
  })
  t.equal(refused.statusCode, 429)
  t.match(refused.json(), { code: 'rate_limited', detail: /Retry after \d+ s/ })
  t.ok(Number(refused.headers['retry-after']) > 0)
  for (let attempt = 0; attempt < 30; attempt++) await wrong(`nobody${attempt}@example.org`, '198.51.100.7')
  t.equal((await wrong('another@example.org', '198.51.100.7')).statusCode, 429)
  t.equal((await wrong('another@example.org', '198.51.100.8')).statusCode, 401)
})

for (const [how, environment] of Object.entries({
  'by itself': { HOST: '0.0.0.0' },
  'through a proxy': { TRUST_PROXY: '127.0.0.1' },
  'by its BASE_URL': { BASE_URL: 'https://litfeed.example.org' }
})) {
  t.test(`a service reachable ${how} requires the setup token for the first account`, async t => {
    const { app, context } = await testService(t, environment)
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/api/auth/register',
      payload: { email: 'a@example.org', password: 'long enough a one' }
    })
    t.equal(statusCode, 403)
    t.type(context.accounts.setupToken, 'string')
  })
}

t.test('on a public host, the first account requires the setup token', async t => {
  const { app, context } = await testService(t, { HOST: '0.0.0.0' })
  const register = async (more: object) =>
    await app.inject({
      method: 'POST',
      url: '/api/auth/register',
      payload: { email: 'a@example.org', password: 'long enough a one', ...more }
    })
  t.match((await register({})).json(), { code: 'forbidden', detail: /setup token/ })
  t.equal((await register({ setup_token: 'wrong' })).statusCode, 403)
  t.equal((await register({ setup_token: context.accounts.setupToken })).statusCode, 201)
})

t.test('an account can be registered with its time zone', async t => {
  const { app } = await testService(t, { REGISTRATION: 'open' })
  const register = async (email: string, time_zone: string) =>
    await app.inject({ method: 'POST', url: '/api/auth/register', payload: { email, password: 'long enough a one', time_zone } })
  t.match((await register('a@example.org', 'Europe/Berlin')).json(), { time_zone: 'Europe/Berlin' })
  t.match((await register('b@example.org', 'Berlin')).json(), { code: 'invalid_arguments', detail: /time_zone "Berlin" is unknown/ })
  const session = await formSession(app)
  const password = 'long enough a one'
  const form = { action: 'create-account', email: 'c@example.org', password, repeated: password, time_zone: 'Mars/Olympus' }
  t.equal((await session.post('/sign-up', form)).statusCode, 303, 'a zone that only the browser knows prevents nothing')
})

t.test('REGISTRATION controls registration', async t => {
  const open = await testService(t, { REGISTRATION: 'open' })
  const closed = await testService(t, { REGISTRATION: 'closed' })
  const register = async ({ app }: typeof open, email: string) =>
    await app.inject({ method: 'POST', url: '/api/auth/register', payload: { email, password: 'long enough a one' } })
  t.equal((await register(open, 'a@example.org')).statusCode, 201)
  t.equal((await register(open, 'b@example.org')).statusCode, 201)
  t.match((await register(open, 'B@example.org')).json(), { code: 'email_taken' })
  const others = await Promise.all(Array.from({ length: 30 }, (_each, at) => register(open, `c${at}@example.org`)))
  t.match(others.map(({ statusCode }) => statusCode).sort(), { 0: 201, 26: 201, 27: 429, 29: 429 }, 'thirty from one address')
  const login = async (email: string) =>
    (await open.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password: 'long enough a one' } })).statusCode
  t.equal(await login('a@example.org'), 200, 'who can still sign in from there')
  t.equal((await register(closed, 'a@example.org')).statusCode, 403)
})
