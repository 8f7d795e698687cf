import t from 'tap'
import { logIn, testService } from '../support/service.js'

t.test('logs no key, token or password on any path', async t => {
  const service = await testService(t, { LOG_LEVEL: 'trace' })
  const { app, logged } = service
  const user = await service.user()
  const { access_token, refresh_token } = await logIn(service, user)
  const headers = { authorization: `Bearer ${access_token}` }
  const rotated = (await app.inject({ method: 'POST', url: '/api/auth/mcp-key/rotate', headers })).json()
  const feed = (await app.inject({ method: 'POST', url: '/api/auth/feed-token/rotate', headers })).json()
  const secrets = [user.key, rotated.api_key, access_token, refresh_token, feed.feed_token]
  for (const secret of secrets) {
    for (const path of [
      '/',
      '/api/mcp',
      '/api/mcp/',
      '/api/projects',
      '/api/feed/atom/x',
      '/.well-known/x',
      '/nothing',
      '/metrics',
      `/api/papers/${secret}`,
      `/${secret}`
    ]) {
      await app.inject({ url: path, query: { key: secret, token: secret }, headers: { 'x-api-key': secret } })
      await app.inject({ method: 'POST', url: path, query: { key: secret }, payload: { key: secret, password: secret } })
    }
    await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: 'a@example.org', password: secret } })
    await app.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refresh_token: secret } })
  }
  t.ok(logged.length > 100)
  for (const secret of secrets) t.notMatch(logged.join('\n'), secret.split('_').at(-1))
  // Nothing tells a password from other words: one that is put into an address is logged with it, and nowhere else.
  for (const url of ['register', 'login']) {
    await app.inject({
      method: 'POST',
      url: `/api/auth/${url}`,
      query: { password: user.password },
      payload: { email: 'a@example.org', password: user.password }
    })
  }
  t.notMatch(logged.join('\n'), user.password)
})

t.test('logs one line per request with id, path, status and time', async t => {
  const { app, logged } = await testService(t)
  await app.inject({ url: '/readyz?x=1' })
  t.match(JSON.parse(logged.at(-1)!), {
    level: 'info',
    name: 'litfeed',
    reqId: /^[0-9a-f-]{36}$/,
    method: 'GET',
    path: '/readyz',
    status: 200,
    milliseconds: Number
  })
})
