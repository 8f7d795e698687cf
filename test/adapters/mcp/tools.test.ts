import t from 'tap'
import { Ajv } from 'ajv'
import { formats } from '../../../schemas/formats.js'
import { tools } from '../../../src/adapters/mcp/tools.js'
import { call, callTool, post } from '../../support/mcp.js'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { projectDelete } from '../../../src/operations/projects/project-delete.js'
import { projectWith, testService } from '../../support/service.js'
import { toolArguments } from '../../support/tool-arguments.js'

/** The same schema, closed everywhere: a field that was not declared is a leak. */
function closed (schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return schema.type === 'object' && schema.properties !== undefined ? { ...copy, additionalProperties: false } : copy
}

t.test('tools/call', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { api_key: key } = await keyCreate.run(user.context, { name: 'Agent', scope: 'act' })
  const project_id = await projectWith(
    user,
    [
      {
        title: 'Sleep spindles',
        abstract: 'x',
        authors: [{ name: 'Ana' }],
        doi: '10.5555/t.1',
        published_date: '2026-01-02',
        pdf_url: 'https://example.org/a.pdf'
      }
    ],
    { positive_keywords: ['Spindles', 'replay'] }
  )
  const { items: [item] } = await feedGet.run(user.context, { project_id })
  const args = toolArguments({ project_id, paper_id: item!.id, doi: '10.5555/T.1' })

  for (const tool of tools) {
    const { operation, dottedName } = tool
    t.test(`${operation.name} matches its output schema and its text content`, async t => {
      const ajv = new Ajv({ strictSchema: false, formats })
      const result = await callTool(service, key, operation.name, args[operation.name])
      const valid = ajv.compile(closed(tool.operation.output))
      t.ok(valid(result.structuredContent), JSON.stringify(valid.errors))
      t.strictSame(JSON.parse(result.content[0].text), result.structuredContent)
      t.equal(result.content.length, 1)
      t.notOk('isError' in result)
    })

    if (dottedName === undefined) continue
    t.test(`${dottedName} is the dotted name of ${operation.name}`, async t => {
      const strip = ({ created, ...rest }: Record<string, unknown>) => rest
      t.strictSame(
        strip((await callTool(service, key, dottedName, args[operation.name])).structuredContent),
        strip((await callTool(service, key, operation.name, args[operation.name])).structuredContent)
      )
    })
  }

  t.test('lists a project created by a tool', async t => {
    const made = (await callTool(service, key, 'projects_list')).structuredContent.items.filter(
      ({ name }: { name: string }) => name === 'New'
    )
    t.equal(made.length, 1)
    await projectDelete.run(user.context, { project_id: made[0].id })
  })

  t.test('a weekly limit can be set, previewed and read', async t => {
    const own = await service.user()
    const { api_key: act } = await keyCreate.run(own.context, { name: 'Agent', scope: 'act' })
    const content = async (name: string, args: object) => {
      const { isError, content: [{ text }], structuredContent } = await callTool(service, act, name, args)
      t.notOk(isError, text)
      return structuredContent
    }
    const { id } = await content('project_create', { name: 'Weekly', sources: [], weekly_limit: 5 })
    t.match(await content('projects_get', { project_id: id }), { weekly_limit: 5 })
    t.match(await content('project_preview', { project_id: id, weekly_limit: 3 }), { compared: 0 })
    t.match(await content('project_update', { project_id: id, weekly_limit: 7 }), { weekly_limit: 7 })
    t.match((await content('projects_list', {})).items, [{ id, weekly_limit: 7 }])
    const headers = { 'x-api-key': act }
    t.match((await service.app.inject({ url: `/api/projects/${id}`, headers })).json(), { weekly_limit: 7 })
    t.notOk('weekly_limit' in await content('project_update', { project_id: id, weekly_limit: 0 }), 'a record without a limit is as before')
  })

  t.test('a caller without projects is told how to create one', async t => {
    const own = await service.user()
    const { api_key: act } = await keyCreate.run(own.context, { name: 'Agent', scope: 'act' })
    const textFor = async (key: string) => (await callTool(service, key, 'projects_get', { project_id: 'x' })).content[0].text
    t.match(await textFor(act), /You have no projects yet; create one with project_create \(POST \/api\/projects\)\.$/)
    t.match(await textFor(own.key), /You have no projects yet; create one on the Projects page\.$/)
  })

  t.test('a domain error is a result with isError and text only', async t => {
    const missing = '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'
    t.strictSame(await callTool(service, key, 'projects_get', { project_id: missing }), {
      isError: true,
      content: [{ type: 'text', text: `project_not_found: Project ${missing} doesn't exist or isn't yours. Your projects: "Changed" is ${project_id}.` }]
    })
  })

  t.test('a queued or unavailable text is not an error', async t => {
    const other = await service.user()
    const { items: [bare] } = await feedGet.run(other.context, { project_id: await projectWith(other, [{ title: 'Without a full text' }]) })
    for (const [callerKey, paper_id, status] of [[key, item!.id, 'queued'], [other.key, bare!.id, 'unavailable']] as const) {
      const result = await callTool(service, callerKey, 'paper_markdown', { paper_id })
      t.equal(result.structuredContent.status, status)
      t.notOk('isError' in result)
    }
  })

  t.test('limits are inclusive', async t => {
    const accepts = async (name: string, args: object) => !('isError' in (await callTool(service, key, name, { project_id, ...args })))
    for (const [name, args] of [
      ['feed_get', {}],
      ['feed_search', { q: 'spindles' }]
    ] as const) {
      for (const [limit, expected] of [
        [0, false],
        [1, true],
        [100, true],
        [101, false],
        [1.5, false]
      ] as const) { t.equal(await accepts(name, { ...args, limit }), expected, `${name}: limit ${limit}`) }
      for (const [offset, expected] of [
        [-1, false],
        [0, true],
        [1000, true],
        [0.5, false]
      ] as const) { t.equal(await accepts(name, { ...args, offset }), expected, `${name}: offset ${offset}`) }
    }
  })

  t.test('invalid arguments are a result with the allowed values', async t => {
    const wrong: Array<[string, unknown, RegExp]> = [
      ['projects_get', {}, /^invalid_arguments: project_id is required\. UUID from projects_list/],
      ['feedback_set', { paper_id: 'x' }, /^invalid_arguments: vote is required; allowed: upvote, downvote, star\. To remove a vote, call feedback_clear\.$/],
      ['feedback_set', { paper_id: 'x', vote: 'none' }, /vote is "none"; allowed: upvote, downvote, star\. To remove a vote, call feedback_clear\.$/],
      ['feedback_set', {}, /vote is required; allowed: upvote, downvote, star\. To remove a vote, .* Allowed arguments: paper_id, vote, /],
      ['projects_get', { project_id: 7 }, /project_id must be a string, not 7/],
      ['projects_get', { project_id: 'abc' }, /^project_not_found: Project abc doesn't exist or isn't yours\. Your projects: "Changed" is /],
      ['feed_get', { project_id: 'abc' }, /^project_not_found: Project abc doesn't exist or isn't yours\. Your projects: "Changed" is /],
      ['projects_list', { page: 1 }, /page is not an argument of this operation; use offset = \(page - 1\) × limit\. Allowed arguments: limit, offset\./],
      ['feed_get', { project_id, limit: '5' }, /limit must be an integer, not "5"/],
      ['feed_get', { project_id, limit: '5', must_read: 'true' }, /must_read must be a boolean, not "true"\..* limit must be an integer, not "5"\./],
      ['feed_get', { project_id, pageSize: 5 }, /pageSize is not an argument of this operation; use limit\./],
      ['feed_get', { project: 'abc', limit: '5' }, /project is not an argument .*; use project_id\..*limit must be an integer, not "5"/],
      ['paper_get', { title: 'Slow waves' }, /title is not an argument .*; to find a paper by its title, call feed_search with q\./],
      ['search', { query: 'IL' }, /query has 2 characters after trimming; allowed: 3 to 2000, or 2 in Chinese, Japanese or Korean\./],
      ['feed_get', { project_id, limit: 101 }, /limit must be at most 100, not 101\./],
      ['feed_get', { project_id, offset: 1e17 }, /offset must be at most /],
      ['feed_get', { project_id, since: 'now' }, /since is "now"\. Allowed: an RFC 3339/],
      ['feed_search', { project_id, q: 'ab' }, /q has 2 characters after trimming; allowed: 3 to 200/],
      [
        'feed_search',
        { project_id, q: 'abc', feedback_filter: 'best' },
        /feedback_filter is "best"; allowed: all, unrated, liked, disliked, starred, not-relevant, low-quality/
      ],
      ['paper_get', { paper_id: 'x'.repeat(500) }, /^paper_not_found: Paper x{79}… doesn't exist or isn't in your feeds\. /],
      ['feed_brief', { consumer: '  ' }, /^invalid_arguments: consumer must not be blank\. Consumer name, such as "weekly digest"\./],
      ['projects_get', { project_id: ' ' }, /^project_not_found: Project " " doesn't exist or isn't yours\. /],
      ['projects_list', [], /The arguments must be an object\. Allowed arguments: limit, offset\.$/],
      [
        'projects_get',
        JSON.stringify({ project_id }),
        /must be an object: a JSON object, not a JSON string\. Allowed arguments: project_id\.$/
      ]
    ]
    for (const [name, given, message] of wrong) {
      const { result } = await call(service, key, 'tools/call', { name, arguments: given })
      t.match(result, { isError: true, content: [{ type: 'text', text: message }] })
      t.notOk('structuredContent' in result)
    }
  })

  t.test('arguments can be omitted if none is required', async t => {
    t.match((await call(service, key, 'tools/call', { name: 'projects_list' })).result, { structuredContent: { total: 1 } })
  })

  t.test('an unknown tool, even an Object.prototype name, is -32602', async t => {
    for (const name of ['nope', 'constructor', '__proto__', '', 7, undefined]) {
      t.match(await call(service, key, 'tools/call', { name, arguments: {} }), { error: { code: -32602, message: /projects_list/ } })
    }
  })

  t.test('a cursor is -32602 because lists have one page', async t => {
    for (const method of ['tools/list', 'prompts/list']) {
      t.match(await call(service, key, method, { cursor: 'x' }), { error: { code: -32602 } })
      for (const none of [null, '']) t.match(await call(service, key, method, { cursor: none }), { result: Object }, 'none')
    }
  })

  t.test('an internal failure is internal_error without its cause', async t => {
    const broken = await testService(t)
    const other = await broken.user()
    await post(broken, other.key, { jsonrpc: '2.0', id: 1, method: 'ping' })
    await broken.context.db.schema.alterTable('project').renameTo('elsewhere').execute()
    const result = await callTool(broken, other.key, 'projects_list')
    t.match(result, { isError: true, content: [{ text: /^internal_error: .*request [0-9a-f-]{36}/ }] })
    t.notMatch(JSON.stringify(result), /relation|elsewhere|select/)
    t.match(broken.logged.join(), /relation \\"project\\" does not exist/)
    const rest = await broken.app.inject({ url: '/api/projects', headers: { 'x-api-key': other.key } })
    t.equal(rest.statusCode, 500)
    t.match(rest.json(), { code: 'internal_error' })
    t.notMatch(rest.body, /relation|stack|select/)
  })

  t.test('prompts/get names the tools to call and the project to search', async t => {
    const get = async (given: unknown, name = 'feed_title_filter') => await call(service, key, 'prompts/get', { name, arguments: given })
    const { result } = await get({ project_id, title_keyword: 'spindle', must_read: 'false', feedback_filter: 'unrated', limit: '5' })
    t.equal(result.messages.length, 1)
    t.equal(result.messages[0].role, 'user')
    t.match(
      result.messages[0].content.text,
      JSON.stringify({ project_id, q: 'spindle', must_read: false, feedback_filter: 'unrated', limit: 5, detail: 'brief' })
    )
    t.match(result.messages[0].content.text, /feed_search[\s\S]*on the server[\s\S]*whole feed/)
    for (const given of [
      {},
      { project_id },
      { title_keyword: 'x' },
      { project_id, title_keyword: 7 },
      { project_id, title_keyword: 'abc', limit: '500' },
      { project_id, title_keyword: 'abc', must_read: 'perhaps' },
      { project_id: 'no such project', title_keyword: 'abc' },
      []
    ]) {
      t.match(await get(given), { error: { code: -32602, message: String } }, JSON.stringify(given))
    }
    t.match(await get({}, 'nope'), { error: { code: -32602 } })
  })

  t.test("completion/complete suggests the caller's own data", async t => {
    const complete = async (name: string, value: string, ref: object = { type: 'ref/prompt', name: 'feed_title_filter' }) =>
      await call(service, key, 'completion/complete', { ref, argument: { name, value } })
    t.strictSame((await complete('project_id', '')).result, { completion: { values: ['Changed'], total: 1, hasMore: false } })
    t.strictSame((await complete('project_id', project_id.slice(0, 5))).result.completion.values, [project_id])
    t.strictSame((await complete('title_keyword', 'spi')).result.completion.values, ['Spindles'])
    t.strictSame((await complete('feedback_filter', 'l')).result.completion.values, ['liked', 'low-quality'])
    t.strictSame((await complete('must_read', '')).result.completion.values, ['true', 'false'])
    for (const wrong of [
      await complete('nope', ''),
      await complete('limit', '', { type: 'ref/resource', uri: 'x' }),
      await call(service, key, 'completion/complete', {})
    ]) { t.match(wrong, { error: { code: -32602 } }) }
  })
})
