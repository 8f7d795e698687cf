import t from 'tap'
import { describeUserAgent } from '../../../src/accounts/user-agent.js'
import { logIn, testService } from '../../support/service.js'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

t.test('sessions over REST', async t => {
  const time = { now: new Date('2026-11-23T08:00:00Z') }
  const service = await testService(t, {}, () => time.now)
  const { app } = service
  const user = await service.user()
  const other = await service.user()
  const logInFrom = async (userAgent: string, { email, password } = user) =>
    (
      await app.inject({ method: 'POST', url: '/api/auth/login', headers: { 'user-agent': userAgent }, payload: { email, password } })
    ).json() as { access_token: string, refresh_token: string }
  const list = async (token: string) => (await app.inject({ url: '/api/auth/sessions', headers: bearer(token) })).json()
  const status = async (token: string) => (await app.inject({ url: '/api/auth/me', headers: bearer(token) })).statusCode

  const laptop = await logInFrom('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
  time.now = new Date('2026-11-23T08:10:00Z')
  const script = await logInFrom('curl/8.5.0')

  await t.test('are listed with client and time, most recent first, marking the current one', async t => {
    const listed = await list(laptop.access_token)
    t.match(listed, {
      total: 2,
      items: [
        { kind: 'token', user_agent: /^(curl 8\.5\.0|Firefox on Linux)$/, last_used_at: '2026-11-23T08:10:00.000Z' },
        { kind: 'token', last_used_at: '2026-11-23T08:10:00.000Z' }
      ]
    })
    t.strictSame(Object.keys(listed.items[0]), ['id', 'kind', 'user_agent', 'current', 'created_at', 'last_used_at', 'expires_at'])
    t.strictSame(
      listed.items.filter(({ current }: { current: boolean }) => current).map(({ user_agent }: { user_agent: string }) => user_agent),
      ['Firefox on Linux']
    )
    t.notMatch(JSON.stringify(listed), /svcrt_|hash/)
  })

  await t.test('of another account are 404 and stay active', async t => {
    const { access_token } = await logIn(service, other)
    const { items: [mine] } = await list(access_token)
    const response = await app.inject({ method: 'DELETE', url: `/api/auth/sessions/${mine.id}`, headers: bearer(laptop.access_token) })
    t.equal(response.statusCode, 404)
    t.match(response.json(), { code: 'session_not_found', detail: /GET \/api\/auth\/sessions/ })
    t.equal(await status(access_token), 200)
  })

  await t.test('can be ended from another session', async t => {
    const { items } = await list(laptop.access_token)
    const { id } = items.find(({ user_agent }: { user_agent: string }) => user_agent === 'curl 8.5.0')
    t.equal((await app.inject({ method: 'DELETE', url: `/api/auth/sessions/${id}`, headers: bearer(laptop.access_token) })).statusCode, 204)
    t.equal(await status(script.access_token), 401)
    t.equal(
      (await app.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refresh_token: script.refresh_token } })).statusCode,
      401
    )
    t.equal(await status(laptop.access_token), 200)
  })

  const change = async (token: string, current_password: string, new_password: string) =>
    await app.inject({ method: 'POST', url: '/api/auth/password', headers: bearer(token), payload: { current_password, new_password } })

  await t.test('a password change requires the old password and ends other sessions', async t => {
    const phone = await logInFrom('phone')
    t.match((await change(laptop.access_token, 'not it', 'a longer new one')).json(), {
      code: 'forbidden',
      detail: 'The current password is wrong. Send the password that you log in with as current_password.'
    })
    t.match((await change(laptop.access_token, user.password, 'short')).json(), {
      code: 'invalid_arguments',
      detail: /8 to 256 characters/
    })
    t.equal(await status(phone.access_token), 200)
    t.equal((await change(laptop.access_token, user.password, 'a longer new one')).statusCode, 204)
    t.equal(await status(phone.access_token), 401)
    t.equal(await status(laptop.access_token), 200)
    t.equal(
      (await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: user.email, password: user.password } })).statusCode,
      401
    )
    user.password = 'a longer new one'
    t.notMatch(service.logged.join('\n'), /a longer new one|not it/)
  })

  await t.test('a session cannot be used to guess the password', async t => {
    const guesser = await logIn(service, other)
    for (let guess = 0; guess < 10; guess++) {
      t.equal((await change(guesser.access_token, `guess ${guess}`, 'a longer new one')).statusCode, 403)
    }
    const refused = await change(guesser.access_token, other.password, 'a longer new one')
    t.equal(refused.statusCode, 429)
    t.ok(Number(refused.headers['retry-after']) > 0)
  })

  await t.test('end together when signing out everywhere', async t => {
    const second = await logInFrom('second')
    t.equal((await app.inject({ method: 'DELETE', url: '/api/auth/sessions', headers: bearer(laptop.access_token) })).statusCode, 204)
    t.strictSame([await status(laptop.access_token), await status(second.access_token)], [401, 401])
  })
})

t.test('summarize the user agent', async t => {
  const said: Array<[string | undefined, string | null]> = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
      'Edge on Windows'
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari on macOS'
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 ' +
      'Safari/604.1',
      'Chrome on iPhone'
    ],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['python-requests/2.32.3', 'python-requests 2.32.3'],
    ['node', 'node'],
    ['<script>alert(1)</script>', null],
    ['', null],
    [undefined, null]
  ]
  for (const [header, words] of said) t.equal(describeUserAgent(header), words)
})
