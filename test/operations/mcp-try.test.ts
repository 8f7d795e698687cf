import t from 'tap'
import { injectRequest } from '../../src/app.js'
import { mcpTry } from '../../src/operations/keys/mcp-try.js'
import { formSession } from '../support/forms.js'
import { projectWith, testService } from '../support/service.js'

t.test('trying the endpoint', async t => {
  const service = await testService(t)
  const user = await service.user()
  const context = { ...user.context, request: injectRequest(service.app) }
  await projectWith(user, [], { name: 'Memory' })
  await projectWith(user, [], { name: 'Sleep' })

  t.test('shows the tools and a real answer of one project', async t => {
    const tried = await mcpTry.run(context, { key: user.key })
    t.match(tried, { works: true, status: 200, milliseconds: Number, problem: null })
    t.equal(tried.tools.length, 7)
    t.match(JSON.parse(tried.answer), { items: { length: 1 }, total: 2 })
    t.notMatch(JSON.stringify(tried), user.key)
  })

  t.test('is refused while another test of the account runs, so that tests do not wait for the request slots of each other', async t => {
    const few = await service.sibling(t, { MAX_CONCURRENT_REQUESTS: '2' })
    const session = await formSession(few.app, user)
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => await session.post('/connect', { action: 'test', key: user.key }))
    )
    const connected = answers.filter(({ body }) => body.includes('<b>Connected.</b>'))
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    t.ok(connected.length > 0)
    t.equal(connected.length + refused.length, 6)
    t.ok(refused.every(({ body }) => body.includes('You already have 1 connection test in progress.')))
  })

  t.test('explains a wrong key', async t => {
    t.match(await mcpTry.run(context, { key: 'svcmcp_wrong_key' }), {
      works: false,
      status: 401,
      tools: { length: 0 },
      problem: /key is wrong/
    })
  })

  t.test('logs no key', async t => {
    t.ok(service.logged.some(line => line.includes('/api/mcp')))
    t.notMatch(service.logged.join('\n'), /svcmcp_[0-9A-Za-z]+_[0-9A-Za-z]{32}/)
  })
})
