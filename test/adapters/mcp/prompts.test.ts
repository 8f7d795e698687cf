import t from 'tap'
import { takesLess } from '../../support/event-loop.js'
import { call } from '../../support/mcp.js'
import { projectWith, testService } from '../../support/service.js'

const service = await testService(t)

t.test('completes the names of projects that a prompt tells apart, and the ids of others', async t => {
  const user = await service.user()
  for (const name of ['Sleep', 'sleep', 'Dreams']) await projectWith(user, [], { name })
  const { result: { completion: { values } } } = await call(service, user.key, 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'triage' },
    argument: { name: 'project_id', value: '' }
  })
  t.equal(values.length, 3)
  for (const value of values) {
    t.match(await call(service, user.key, 'prompts/get', { name: 'triage', arguments: { project_id: value } }), {
      result: { messages: [{}] }
    })
  }
})

t.test('completes and finds hostile names of many projects in little time', async t => {
  const user = await service.user()
  const names = Array.from({ length: 200 }, (_each, at) => `${at} ${'\ufdfa'.repeat(190)}`)
  await user.context.db.insertInto('project')
    .values(names.map(name => ({ account_id: user.context.account.id, name, interest_description: 'Sleep' }))).execute()
  const argument = { name: 'project_id', value: '' }
  const completed = () => call(service, user.key, 'completion/complete', { ref: { type: 'ref/prompt', name: 'triage' }, argument })
  t.equal((await completed()).result.completion.total, 200)
  await takesLess(t, 300, completed)
  const unknown = () => call(service, user.key, 'prompts/get', { name: 'triage', arguments: { project_id: 'x' } })
  await takesLess(t, 300, unknown)
})

t.test('a prompt takes numbers as such, and has the papers read in pages that fit a model', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, [], { name: 'Paged' })
  const textFor = async (limit: unknown) => {
    const answer = await call(service, user.key, 'prompts/get', { name: 'triage', arguments: { project_id, limit } })
    return answer.result.messages[0].content.text as string
  }
  t.match(await textFor(50), /"limit":20\}, and again with offset 20 and so on, until you have 50 papers/)
  t.match(await textFor('10'), /"limit":10\}\n/)
})

t.test('prompts and completions count as calls', async t => {
  const limited = await service.sibling(t, { RATE_LIMIT: '2' })
  const user = await limited.user()
  const [ref, argument] = [{ type: 'ref/prompt', name: 'triage' }, { name: 'project_id', value: '' }]
  const complete = () => call(limited, user.key, 'completion/complete', { ref, argument })
  const get = () => call(limited, user.key, 'prompts/get', { name: 'triage', arguments: { project_id: 'x' } })
  t.match(await complete(), { result: { completion: {} } })
  t.match(await get(), { error: { code: -32602 } })
  for (const refused of [await complete(), await get()]) t.match(refused, { error: { message: /Retry after|rate limit/i } })
})
