import { randomUUID } from 'node:crypto'
import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { tools } from '../../../src/adapters/mcp/tools.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { keyDelete } from '../../../src/operations/keys/key-delete.js'
import { call, callTool, post } from '../../support/mcp.js'
import { projectWith, testService } from '../../support/service.js'
import { toolArguments } from '../../support/tool-arguments.js'

const sentence = /^[a-z_]+: [^\n]{20,}[.?!)]$/s
const hostile = [
  'x'.repeat(10_000),
  '\u0000',
  '\u202Eevil',
  '🙂'.repeat(500),
  "'; drop table paper; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%00',
  '{{7*7}}',
  -1,
  0,
  1e308,
  Number.MAX_SAFE_INTEGER,
  0.5,
  true,
  [],
  ['x'],
  {},
  { $ne: null },
  { __proto__: { polluted: true } },
  [[[[]]]]
]

const base = await testService(t)

t.test('invalid input of extension tools', async t => {
  const service = base
  const user = await service.user()
  const stranger = await service.user()
  const project_id = await projectWith(user, [{ title: 'Sleep spindles', abstract: 'On sleep.', doi: '10.5555/bad.1' }], {
    name: 'Sleep',
    sources: []
  })
  const foreign = await projectWith(stranger, [{ title: 'Retina', abstract: 'On sight.' }], { name: 'Sight', sources: [] })
  const { items: [item] } = await feedGet.run(user.context, { project_id })
  const { items: [theirs] } = await feedGet.run(stranger.context, { project_id: foreign })
  const { api_key: key } = await keyCreate.run(user.context, { name: 'Agent', scope: 'act' })
  const all = toolArguments({ project_id, paper_id: item!.id, doi: '10.5555/bad.1' })
  const beyondCore = tools.filter(({ group }) => group !== 'core').map(({ operation }) => operation.name)
  const valid = Object.fromEntries(beyondCore.map(name => [name, all[name]!]))
  const text = (result: any): string => result.content[0].text
  const errorsLogged = () => service.logged.filter(line => JSON.parse(line).level >= 50)

  await t.test('returns a readable error per argument', async t => {
    for (const [tool, args] of Object.entries(valid)) {
      for (const argument of Object.keys(args)) {
        for (const value of hostile) {
          const { result } = await call(service, key, 'tools/call', { name: tool, arguments: { ...args, [argument]: value } })
          const described = `${tool} ${argument} ${JSON.stringify(value).slice(0, 40)}`
          if (result.isError === true) {
            t.match(text(result), sentence, described)
            t.ok(text(result).length < 2000, described)
            t.notMatch(text(result), /^internal_error/, described)
          }
        }
      }
      const { result } = await call(service, key, 'tools/call', { name: tool, arguments: { ...args, surprise: 1 } })
      t.match(text(result), /^invalid_arguments: .*surprise/, tool)
    }
    t.equal(({} as any).polluted, undefined)
    t.strictSame(errorsLogged(), [])
  })

  await t.test('quotes no half of a surrogate pair', async t => {
    for (const [tool, args] of [['feed_brief', { consumer: '🦄'.repeat(101) }], ['paper_get', { paper_id: '\ud800' }]] as const) {
      const { body } = await post(service, key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } })
      t.ok(JSON.parse(body).result.content[0].text.isWellFormed(), tool)
    }
    const unknown = await call(service, key, 'tools/call', { name: `${'x'.repeat(63)}🦄` })
    t.ok(unknown.error.message.isWellFormed())
  })

  await t.test('names the nearest argument', async t => {
    for (const [tool, written, right] of [
      ['feed_get', 'limti', 'limit'],
      ['feed_brief', 'brief_id', 'acknowledge'],
      ['feed_brief', 'name', 'consumer'],
      ['paper_add', 'doi', 'identifier'],
      ['paper_add', 'title', 'identifier'],
      ['project_update', 'status', 'matching_state'],
      ['paper_cite', 'style', 'format'],
      ['feedback_set', 'reason', 'downvote_reason'],
      ['project_create', 'keywords', 'positive_keywords'],
      ['search', 'q', 'query'],
      ['fetch', 'paper_id', 'id']
    ] as const) {
      const { result } = await call(service, key, 'tools/call', { name: tool, arguments: { [written]: 'x' } })
      t.match(text(result), `; use ${right}.`, `${tool} ${written}`)
    }
    for (const [tool, written, hint] of [
      ['feed_get', 'unread', /unread is not an argument of this operation; for papers without a vote, use feedback_filter: "unrated"\./],
      ['feed_search', 'sort', /; it has one order, best match first; for the newest, call feed_get\./],
      ['feed_get', 'reads', /reads is not an argument of this operation\. /]
    ] as const) {
      t.match(text((await call(service, key, 'tools/call', { name: tool, arguments: { [written]: 'x' } })).result), hint)
    }
  })

  await t.test('accepts absent arguments as null, and digits as numbers', async t => {
    t.match(await call(service, key, 'tools/call', { name: 'projects_list', arguments: null }), { result: { structuredContent: {} } })
    const { result } = await call(service, key, 'tools/call', { name: 'paper_markdown', arguments: { paper_id: item!.id, section: 3 } })
    t.notMatch(text(result), /must be a string/)
    const zeros = await projectWith(user, [{ title: 'Zeros' }], { name: 'Zeros', sources: [] })
    await service.context.db
      .updateTable('project_paper')
      .set({ id: '00012345-0000-4000-8000-000000000000' })
      .where('project_id', '=', zeros)
      .execute()
    t.match(await callTool(service, key, 'paper_get', { paper_id: 12345 }), { structuredContent: { title: 'Zeros' } })
    for (const [number, arxiv] of [[2401.0123, '2401.01230'], [1412.698, '1412.6980'], [704.0001, '0704.0001']] as const) {
      t.match(text(await callTool(service, key, 'paper_get', { paper_id: number })), `No paper with arXiv ${arxiv} is in your feeds.`)
    }
    for (const number of [2413.5, 7.4, 0.5, -3]) {
      t.match(text(await callTool(service, key, 'paper_get', { paper_id: number })), /paper_id must be a string/)
    }
    t.match(text(await callTool(service, key, 'feed_search', { project_id, q: 7.4 })), /q must be a string/)
    t.match(text(await callTool(service, key, 'paper_markdown', { paper_id: item!.id, section: 2401.1 })), /section must be a string/)
  })

  await t.test("hides another account's papers and projects", async t => {
    for (const [tool, args] of Object.entries(valid)) {
      for (const [argument, foreignId] of [['project_id', foreign], ['paper_id', theirs!.id], ['id', theirs!.id]] as const) {
        if (args[argument] === undefined) continue
        const answer = async (id: string) =>
          text(await callTool(service, key, tool, { ...args, [argument]: id }))
            .replaceAll(id, 'ID')
            .replaceAll(id.slice(0, 8), 'ID')
        t.equal(await answer(foreignId), await answer(randomUUID()), `${tool} ${argument}`)
        t.match(await answer(foreignId), /^(project|paper)_not_found: /)
      }
    }
  })

  await t.test('lists the sections if one does not exist', async t => {
    const answer = await callTool(service, key, 'paper_markdown', { paper_id: item!.id, section: 'No such section' })
    t.notMatch(text(answer), /^internal_error/)
  })

  await t.test('acknowledges a brief once for a hundred concurrent requests', async t => {
    const { structuredContent: brief } = await callTool(service, key, 'feed_brief', { consumer: 'crowd' })
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'feed_brief', arguments: { consumer: 'crowd', acknowledge: brief.brief_id } }
    }
    const responses = await Promise.all(Array.from({ length: 100 }, async () => await post(service, key, request)))
    const served = responses.filter(({ statusCode }) => statusCode === 200)
    t.strictSame(responses.filter(({ statusCode }) => statusCode !== 200 && statusCode !== 429).map(({ statusCode }) => statusCode), [])
    t.ok(served.length > 0)
    for (const response of served) {
      const { isError, structuredContent, content } = response.json().result
      t.ok(isError === true ? /^rate_limited: /.test(content[0].text) : structuredContent.items.length === 0)
    }
    t.match((await callTool(service, key, 'feed_brief', { consumer: 'crowd' })).structuredContent, { items: { length: 0 }, remaining: 0 })
  })

  await t.test('refuses a revoked key in every tool during a session', async t => {
    const { id, api_key } = await keyCreate.run(user.context, { name: 'Brief life', scope: 'act' })
    for (const [tool, args] of Object.entries(valid)) {
      t.notMatch(text(await callTool(service, api_key, tool, args)), /^(internal_error|forbidden)/, tool)
    }
    await keyDelete.run(user.context, { key_id: id })
    await wait(1000)
    for (const [tool, args] of Object.entries(valid)) {
      const response = await post(service, api_key, {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: tool, arguments: args }
      })
      t.equal(response.statusCode, 401, tool)
      t.match(response.json().error.message, /Connect page/)
    }
  })

  t.strictSame(errorsLogged(), [])
})

t.test('refuses an expired key during a session', async t => {
  let ahead = 0
  const service = await base.sibling(t, {}, () => new Date(Date.now() + ahead))
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Sleep spindles' }], { sources: [] })
  const { api_key } = await keyCreate.run(user.context, {
    name: 'Day pass',
    scope: 'act',
    expires_at: new Date(Date.now() + 3_600_000).toISOString()
  })
  const brief = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'feed_brief', arguments: { project_id } } }
  t.equal((await post(service, api_key, brief)).statusCode, 200)
  ahead = 3_600_000
  await wait(1000)
  const refused = await post(service, api_key, brief)
  t.equal(refused.statusCode, 401)
  t.match(refused.json().error.message, /Connect page/)
})
