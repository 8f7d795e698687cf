import t from 'tap'
import type { Db } from '../../db/connection.js'
import { browserTokens } from '../../src/accounts/session-tokens.js'
import { logIn, testService, type TestService } from '../support/service.js'

/** The most connections to the database that are in use while something runs. */
async function mostInUse ({ service }: TestService, work: () => Promise<unknown>): Promise<number> {
  let most = 0
  const end = new AbortController()
  const done = work().finally(() => { end.abort() })
  while (!end.signal.aborted) {
    most = Math.max(most, service.connection.pool().inUse)
    await new Promise(resolve => { setImmediate(resolve) })
  }
  await done
  return most
}

/** Holds connections until it is called again. */
async function hold (...databases: Db[]): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>(resolve => { release = resolve })
  let held = 0
  const holding = Promise.all(databases.map(async db => await db.connection().execute(async () => {
    held++
    await released
  })))
  while (held < databases.length) await new Promise(resolve => { setTimeout(resolve, 5) })
  return async () => {
    release()
    await holding
  }
}

t.test('requests of unknown callers', async t => {
  const service = await testService(t)
  const { app } = service
  const { key } = await service.user()
  const [, prefix] = key.split('_')
  const secret = (at: number) => String(at).padStart(32, 'x')
  type Request = { url: string, method?: 'GET' | 'POST', headers?: Record<string, string>, payload?: object }
  const requests: Record<string, (at: number) => Request> = {
    'MCP with a wrong key': at => ({ method: 'POST', url: `/api/mcp/?key=svcmcp_unknown${at}_${secret(at)}`, payload: {} }),
    'REST with a wrong secret': at => ({ url: '/api/projects', headers: { 'x-api-key': `svcmcp_${prefix}_${secret(at)}` } }),
    'a page with an unknown session': () => ({ url: '/', headers: { cookie: `litfeed=${browserTokens.mint().token}` } }),
    'a page without a session': () => ({ url: '/login' }),
    'an unknown share link': at => ({ url: `/shared?token=svcsh_${secret(at)}` }),
    'an unknown Atom feed': () => ({ url: `/api/feed/atom/${crypto.randomUUID()}?token=x` }),
    'an unknown refresh token': () => ({
      method: 'POST',
      url: '/api/auth/refresh',
      payload: { refresh_token: service.context.accounts.refreshTokens.mint().token }
    })
  }
  const flood = (name: string, addressOf: (at: number) => string) => async () =>
    await Promise.all(Array.from({ length: 60 }, async (_each, at) =>
      await app.inject({ ...requests[name]!(at), remoteAddress: addressOf(at) })))

  for (const name of Object.keys(requests)) {
    t.test(`${name} use two connections of a network at a time`, async t => {
      const most = await mostInUse(service, flood(name, () => '203.0.113.7'))
      t.ok(most >= 1 && most <= 2, `${most} connections`)
    })
  }

  t.test('use as many of all networks as those of an account', async t => {
    const most = await mostInUse(service, flood('MCP with a wrong key', at => `203.0.113.${at}`))
    t.ok(most > 2 && most <= 5, `${most} connections`)
  })

  t.test('count by the network of an IPv6 address', async t => {
    const most = await mostInUse(service, flood('MCP with a wrong key', at => `2001:db8::${at.toString(16)}`))
    t.ok(most <= 2, `${most} connections`)
  })
})

t.test('while unknown callers use all that they may of the database', async t => {
  const service = await testService(t, {}, undefined, { connectionTimeoutMs: 500 })
  const { app } = service
  const user = await service.user()
  const { dbForNetwork } = service.context
  const { access_token } = await logIn(service, user)
  const get = async (headers: Record<string, string>) => await app.inject({ url: '/api/projects', headers })
  t.equal((await get({ 'x-api-key': user.key })).statusCode, 200)
  const networks = ['192.0.2.1', '192.0.2.2'].flatMap(network => [dbForNetwork(network), dbForNetwork(network)])
  const release = await hold(...networks, ...service.service.connection.kind === 'embedded' ? [] : [dbForNetwork('192.0.2.3')])

  await t.test('keys that were verified before and access tokens work', async t => {
    await new Promise(resolve => { setTimeout(resolve, 1000) })
    t.equal((await get({ 'x-api-key': user.key })).statusCode, 200, 'a key whose row is read again')
    t.equal((await get({ authorization: `Bearer ${access_token}` })).statusCode, 200)
  })

  await t.test('others wait, then get 503', async t => {
    const { statusCode, headers, body } = await get({ 'x-api-key': 'svcmcp_unknown_x' })
    t.equal(statusCode, 503)
    t.equal(headers['retry-after'], '5')
    t.match(body, 'Too many requests are waiting for the database. Retry after 5 s.')
  })

  await t.test('others work again afterwards', async t => {
    await release()
    t.equal((await get({ 'x-api-key': 'svcmcp_unknown_x' })).statusCode, 401)
  })
})
