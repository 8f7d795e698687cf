import t from 'tap'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { callTool } from '../../support/mcp.js'
import { logIn, testService } from '../../support/service.js'

const base = await testService(t)

t.test('RATE_LIMIT counts tools and REST together: 429 over REST, in-band over MCP', async t => {
  const service = await base.sibling(t, { RATE_LIMIT: '5' })
  const user = await service.user()
  const rest = async () => await service.app.inject({ url: '/api/projects', headers: { 'x-api-key': user.key } })
  for (let call = 0; call < 3; call++) t.equal((await rest()).statusCode, 200)
  for (let call = 0; call < 2; call++) t.notOk((await callTool(service, user.key, 'projects_list')).isError)
  const refused = await rest()
  t.equal(refused.statusCode, 429)
  t.ok(Number(refused.headers['retry-after']) >= 1)
  t.match(await callTool(service, user.key, 'projects_list'), { isError: true, content: [{ text: /^rate_limited: .*Retry after \d+ s/ }] })
})

t.test('RATE_LIMIT counts each key on its own, and all sessions of an account together', async t => {
  const service = await base.sibling(t, { RATE_LIMIT: '3' })
  const user = await service.user()
  const { api_key: agent } = await keyCreate.run(user.context, { name: 'Agent', scope: 'act' })
  const tokens = [await logIn(service, user), await logIn(service, user)].map(({ access_token }) => access_token)
  const statusOf = async (authorization: string) =>
    (await service.app.inject({ url: '/api/projects', headers: { authorization: `Bearer ${authorization}` } })).statusCode
  for (let call = 0; call < 3; call++) t.notOk((await callTool(service, agent, 'projects_list')).isError)
  t.match(await callTool(service, agent, 'projects_list'), { isError: true, content: [{ text: /^rate_limited: / }] })
  t.equal(await statusOf(agent), 429)
  const [first, second] = tokens as [string, string]
  for (const credentials of [[user.key, user.key, user.key, user.key], [first, second, first, second]]) {
    const statuses: number[] = []
    for (const credential of credentials) statuses.push(await statusOf(credential))
    t.strictSame(statuses, [200, 200, 200, 429])
  }
})

t.test('X-Forwarded-For is accepted only from trusted proxies', async t => {
  const login = async (service: Awaited<ReturnType<typeof testService>>, forwarded: string) =>
    (
      await service.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress: '192.0.2.1',
        headers: { 'x-forwarded-for': forwarded },
        payload: { email: `x${forwarded}@example.org`, password: 'x' }
      })
    ).statusCode
  const untrusting = await base.sibling(t)
  const trusting = await base.sibling(t, { TRUST_PROXY: '192.0.2.0/24' })
  for (let at = 0; at < 30; at++) {
    await login(untrusting, `203.0.113.${at}`)
    await login(trusting, `203.0.113.${at}`)
  }
  t.equal(await login(untrusting, '203.0.113.99'), 429)
  t.equal(await login(trusting, '203.0.113.99'), 401)
})
