import t from 'tap'
import { briefCards } from '../../../src/adapters/mcp/resources.js'
import { tools } from '../../../src/adapters/mcp/tools.js'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { keysList } from '../../../src/operations/keys/keys-list.js'
import { call, callTool, modernMeta, post, postModern } from '../../support/mcp.js'
import { projectWith, testService } from '../../support/service.js'

/** The capability of clients that show cards. */
const extension = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
const core = ['projects_list', 'projects_get', 'feed_get', 'feed_search', 'feed_atom_url', 'paper_get', 'paper_markdown']
const extensionTools = tools.filter(({ group }) => group === 'extension')
/** Every extension tool in the order of tools/list. */
const extensions = extensionTools.map(({ operation }) => operation.name)
/** Those of a key that reads. */
const readingExtensions = extensionTools.filter(({ operation }) => operation.scope === 'read').map(({ operation }) => operation.name)
const chatgpt = ['search', 'fetch']

const service = await testService(t)

t.test('tools per key', async t => {
  const user = await service.user()
  const { api_key: act } = await keyCreate.run(user.context, { name: 'Agent', scope: 'act' })
  const listed = async (key: string, query = '') => {
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const response = await service.app.inject({
      method: 'POST',
      url: `/api/mcp${query}`,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      payload: request
    })
    return response.statusCode === 200
      ? response.json().result.tools.map(({ name }: { name: string }) => name)
      : [response.statusCode, response.json().error.message]
  }

  t.test('lists seven tools for a read key and more for an act key, in order', async t => {
    t.strictSame(await listed(user.key), core)
    t.strictSame(await listed(act), [...core, ...extensions])
    t.strictSame(tools.map(({ operation }) => operation.name), [...core, ...extensions, ...chatgpt], 'the table is in this order')
  })

  t.test('filters tools by the tools parameter', async t => {
    t.strictSame(await listed(act, '?tools=core'), core)
    t.strictSame(await listed(user.key, '?tools=all'), [...core, ...readingExtensions])
    t.strictSame(await listed(act, '/?tools=all'), [...core, ...extensions])
    for (const key of [user.key, act]) t.strictSame(await listed(key, '?tools=chatgpt'), chatgpt)
    t.strictSame(await listed(user.key, '?tools='), core)
    for (const query of ['?tools=every', '?tools=core&tools=all', '?tools=CORE']) {
      t.match(await listed(act, query), [400, /Allowed: core, all, chatgpt/], query)
    }
  })

  t.test('is privately cacheable', async t => {
    t.match((await postModern(service, user.key, 'tools/list')).json().result, { cacheScope: 'private' })
    t.match((await postModern(service, user.key, 'prompts/list')).json().result, { cacheScope: 'public' })
  })

  t.test('instructions mention only listed tools', async t => {
    const told = async (key: string, query = '') => {
      const initialize = {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      }
      const response = await service.app.inject({
        method: 'POST',
        url: `/api/mcp${query}`,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        payload: initialize
      })
      return response.json().result.instructions as string
    }
    const all = tools.map(({ operation }) => operation.name)
    for (const [key, query] of [
      [user.key, ''],
      [act, ''],
      [act, '?tools=core'],
      [user.key, '?tools=all'],
      [user.key, '?tools=chatgpt'],
      [act, '?tools=chatgpt']
    ] as const) {
      const instructions = await told(key, query)
      const shown = await listed(key, query)
      const named = all.filter(name => new RegExp(`\\b${name}\\b`).test(instructions))
      // "search" and "fetch" are also plain words.
      t.strictSame(named.filter(name => name.includes('_') && !shown.includes(name)), [], query)
      t.match(instructions, /data, never instructions/)
      t.ok(instructions.split('\n').length <= 15)
    }
    t.match(await told(act), /feed_brief[^]*feedback_set[^]*paper_add/)
    t.match(await told(user.key), /Connect page/)
    t.match((await postModern(service, act, 'server/discover')).json().result.instructions, /feed_brief/)
  })

  t.test('the feed_brief card is a resource in both eras', async t => {
    const modern = async (key: string, method: string, params: Record<string, unknown> = {}) =>
      (await postModern(service, key, method, params, typeof params.uri === 'string' ? { 'mcp-name': params.uri } : {})).json()

    for (const [key, scope] of [[user.key, 'read'], [act, 'act']] as const) {
      const { uri } = briefCards[scope]
      const { resources } = (await call(service, key, 'resources/list')).result
      t.match(resources, [{ uri, name: String, title: String, description: String, mimeType: 'text/html;profile=mcp-app' }])
      t.equal(resources.length, 1)
      t.match((await modern(key, 'resources/list')).result, { resources, resultType: 'complete', cacheScope: 'private', ttlMs: Number })
      const { contents } = (await call(service, key, 'resources/read', { uri })).result
      t.match(contents, [
        {
          uri,
          mimeType: 'text/html;profile=mcp-app',
          text: /^<!doctype html>/,
          _meta: { ui: { csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] } } }
        }
      ])
      t.match((await modern(key, 'resources/read', { uri })).result, { contents, resultType: 'complete' })
      t.ok(contents[0].text.length < 30_000, `${contents[0].text.length} characters`)
      t.notMatch(contents[0].text, /{{|src=|@import|url\(/, 'is complete and self-contained')
      t.equal(/data-votes="yes"/.test(contents[0].text), scope === 'act', 'only a key that may act shows voting')
    }

    t.test('reading an unknown resource lists the available ones', async t => {
      for (const uri of [
        briefCards.act.uri,
        'ui://litfeed/',
        'file:///etc/passwd',
        'constructor',
        '',
        'x'.repeat(10_000),
        '\ud800',
        7,
        null,
        ['ui://litfeed/brief'],
        undefined
      ]) {
        t.match(
          (await call(service, user.key, 'resources/read', uri === undefined ? {} : { uri })).error,
          { code: -32602, message: /resources\/list|ui:\/\/litfeed\/brief/ },
          String(uri).slice(0, 30)
        )
      }
      t.match((await call(service, user.key, 'resources/list', { cursor: 'x' })).error, { code: -32602 })
    })

    t.test('a job that a tool queued is a resource in both eras, of its account alone', async t => {
      const { resourceTemplates } = (await call(service, user.key, 'resources/templates/list')).result
      t.match(resourceTemplates, [{ uriTemplate: 'litfeed://jobs/{job_id}', mimeType: 'application/json', title: String }])
      t.equal(resourceTemplates.length, 1)
      const project_id = await projectWith(user, [])
      const add = { project_id, identifier: '10.5555/queued' }
      const { job_id } = (await callTool(service, act, 'paper_add', add)).structuredContent
      const uri = `litfeed://jobs/${job_id}`
      for (const { result } of [await call(service, user.key, 'resources/read', { uri }), await modern(act, 'resources/read', { uri })]) {
        t.match(result.contents, [{ uri, mimeType: 'application/json' }])
        t.match(JSON.parse(result.contents[0].text), { id: job_id, task: 'add-paper', state: 'waiting', project_id })
      }
      t.match((await modern(act, 'resources/read', { uri })).result, { ttlMs: 0, cacheScope: 'private' })
      const stranger = await service.user()
      const unknown = `litfeed://jobs/${project_id}`
      for (const [key, address, message] of [
        [stranger.key, uri, /^Job .* doesn't exist or isn't yours\./],
        [user.key, unknown, /^Job .* doesn't exist or isn't yours\./],
        [user.key, 'litfeed://jobs/x', /^job_id is "x", which is not a UUID/]
      ] as const) t.match((await call(service, key, 'resources/read', { uri: address })).error, { code: -32602, message }, address)
    })

    t.test('tools/list refers to the card for clients that support cards', async t => {
      const metaOf = (tools: Array<{ name: string, _meta?: { ui?: object } }>) =>
        Object.fromEntries(tools.filter(({ _meta }) => _meta?.ui !== undefined).map(({ name, _meta }) => [name, _meta!.ui]))
      const withExtension = { _meta: { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': { extensions: extension } } }
      t.strictSame(metaOf((await modern(act, 'tools/list', withExtension)).result.tools), {
        feed_brief: { resourceUri: briefCards.act.uri }
      })
      for (const extensions of [
        undefined,
        {},
        { 'io.modelcontextprotocol/ui': {} },
        { 'io.modelcontextprotocol/ui': { mimeTypes: 'text/html;profile=mcp-app' } },
        'x'
      ]) {
        const _meta = { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': { extensions } }
        t.strictSame(metaOf((await modern(act, 'tools/list', { _meta })).result.tools), {}, JSON.stringify(extensions))
      }
      t.strictSame(
        metaOf((await call(service, act, 'tools/list')).result.tools),
        { feed_brief: { resourceUri: briefCards.act.uri } },
        'also without a session, where the service cannot know'
      )
      t.strictSame(metaOf((await call(service, user.key, 'tools/list')).result.tools), {}, 'not the seven tools')
    })
  })
})

t.test("shows the key's client to its owner", async t => {
  const user = await service.user()
  const lastClient = async () => (await keysList.run(user.context, {})).items[0]!.last_client
  const initialize = async (clientInfo: unknown) =>
    (
      await post(service, user.key, {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
      })
    ).statusCode

  t.equal(await lastClient(), null)
  await initialize({ name: 'claude-code', version: '2.1.330' })
  t.strictSame(await lastClient(), { name: 'claude-code', version: '2.1.330' })
  const _meta = { ...modernMeta, 'io.modelcontextprotocol/clientInfo': { name: 'codex', version: '0.169' } }
  await postModern(service, user.key, 'tools/list', { _meta })
  t.strictSame(await lastClient(), { name: 'codex', version: '0.169' })
  await initialize({ name: 'a\u0000\u202eb\nc', version: 7 })
  t.strictSame(await lastClient(), { name: 'a b c', version: null }, 'cleaned')
  await initialize({ name: 'x'.repeat(10_000), version: '1' })
  t.match((await lastClient())!.name, /^x{100}$/, 'cut')
  for (const nameless of [undefined, 'text', {}, { name: ' ' }, { name: 5 }]) t.equal(await initialize(nameless), 200)
  t.match((await lastClient())!.name, /^x{100}$/, 'kept where a client does not name itself')
})
