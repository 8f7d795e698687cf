import { randomUUID } from 'node:crypto'
import t from 'tap'
import { feedBrief } from '../../src/operations/feed/feed-brief.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { call } from '../support/mcp.js'
import { projectWith, testService } from '../support/service.js'

t.test('feed_brief', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context } = user
  const papers = (name: string, number: number) => Array.from({ length: number }, (_each, at) => ({ title: `${name} ${at + 1}` }))
  const first = await projectWith(user, papers('Spindle', 3), { name: 'Sleep', sources: [] })
  const second = await projectWith(user, papers('Retina', 2), { name: 'Sight', sources: [] })
  const titles = (brief: { items: Array<{ paper_title: string }> }) => brief.items.map(item => item.paper_title).sort()
  const tool = async (key: string, args: object) => (await call(service, key, 'tools/call', { name: 'feed_brief', arguments: args })).result

  await t.test('repeats the items of all feeds until acknowledged', async t => {
    const one = await feedBrief.run(context, { consumer: 'digest', limit: 2 })
    t.match(one, { items: { length: 2 }, remaining: 3 })
    const again = await feedBrief.run(context, { consumer: 'digest', limit: 2 })
    t.strictSame(titles(again), titles(one))
    const next = await feedBrief.run(context, { consumer: 'digest', limit: 3, acknowledge: one.brief_id })
    t.match(next, { items: { length: 3 }, remaining: 0 })
    t.strictSame([...titles(one), ...titles(next)].sort(), ['Retina 1', 'Retina 2', 'Spindle 1', 'Spindle 2', 'Spindle 3'])
    t.match(await feedBrief.run(context, { consumer: 'digest', acknowledge: next.brief_id }), { items: [], remaining: 0 })
  })

  await t.test('delivers everything to each consumer, also by project', async t => {
    t.strictSame(titles(await feedBrief.run(context, { consumer: 'another', project_id: second })), ['Retina 1', 'Retina 2'])
  })

  await t.test('accepts repeated and concurrent acknowledgements', async t => {
    const { brief_id } = await feedBrief.run(context, { consumer: 'busy', limit: 5 })
    const calls = Array.from(
      { length: 100 },
      async () => await feedBrief.run(context, { consumer: 'busy', acknowledge: brief_id, limit: 1 })
    )
    for (const brief of await Promise.all(calls)) t.match(brief, { items: [], remaining: 0 })
  })

  await t.test('serves each key separately over MCP, also with detail: brief', async t => {
    const { api_key } = await keyCreate.run(context, { name: 'Reader' })
    const { api_key: limited } = await keyCreate.run(context, { name: 'Limited', project_ids: [first] })
    const { structuredContent } = await tool(api_key, {})
    t.match(structuredContent, { items: { length: 5 }, remaining: 0, coverage: { complete: true, failing: [] } })
    t.notOk(structuredContent.items[0].matching_details)
    t.strictSame(titles((await tool(limited, {})).structuredContent), ['Spindle 1', 'Spindle 2', 'Spindle 3'])
    t.match((await tool(api_key, { acknowledge: structuredContent.brief_id })).structuredContent, { items: [] })
    t.match(
      (await tool(limited, { acknowledge: structuredContent.brief_id })).content[0].text,
      /^invalid_arguments: acknowledge is not a brief/
    )
    const { structuredContent: shared } = await tool(api_key, { consumer: 'shared' })
    t.match(
      (await tool(limited, { consumer: 'shared', acknowledge: shared.brief_id })).content[0].text,
      /^invalid_arguments: acknowledge is not a brief/,
      'it has items that the key cannot see'
    )
    t.match((await tool(api_key, { consumer: 'shared', project_id: first, acknowledge: shared.brief_id })).structuredContent, { items: [] })
  })

  await t.test('rejects invalid arguments with a message', async t => {
    const text = async (args: object) => (await tool(user.key, args)).content[0].text as string
    t.match(await text({ consumer: 'x'.repeat(10_000) }), /^invalid_arguments: .*consumer/)
    t.match(await text({ consumer: ' ' }), /^invalid_arguments: .*consumer/)
    t.match(await text({ acknowledge: randomUUID() }), /^invalid_arguments: acknowledge is not a brief of this consumer/)
    t.match(await text({ acknowledge: 'x' }), /^invalid_arguments: .*acknowledge/)
    t.match(await text({ project_id: randomUUID() }), /^project_not_found: .*/)
  })

  await t.test('rejects consumers above the limit and serves known ones', async t => {
    const other = await service.user()
    await service.context.db
      .insertInto('brief')
      .values(
        Array.from({ length: 100 }, (_each, at) => ({
          account_id: other.context.account.id,
          consumer: `name ${at}`,
          created_at: new Date()
        }))
      )
      .execute()
    await t.rejects(feedBrief.run(other.context, { consumer: 'new' }), {
      code: 'invalid_arguments',
      message: /maximum number of consumers/
    })
    await t.resolves(feedBrief.run(other.context, { consumer: '99' }))
    t.match(await tool(other.key, {}), { structuredContent: { items: [] } }, 'keys are not counted')
  })
})
