import t from 'tap'
import { injectRequest } from '../../src/app.js'
import { mcpTry } from '../../src/operations/keys/mcp-try.js'
import { projectWith, testService } from '../support/service.js'

t.test('trying the endpoint', async t => {
  const service = await testService(t)
  const context = { ...service.context, request: injectRequest(service.app) }
  const user = await service.user()
  await projectWith(user, [], { name: 'Sleep' })

  t.test('shows the tools and a real answer', async t => {
    const tried = await mcpTry.run(context, { key: user.key })
    t.match(tried, { works: true, status: 200, milliseconds: Number, problem: null })
    t.equal(tried.tools.length, 7)
    t.match(JSON.parse(tried.answer), { items: [{ name: 'Sleep' }], total: 1 })
    t.notMatch(JSON.stringify(tried), user.key)
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
