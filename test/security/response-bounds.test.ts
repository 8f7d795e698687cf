import { type AddressInfo, connect } from 'node:net'
import t from 'tap'
import { saveMarkdown } from '../../db/queries/markdown.js'
import { listProjects } from '../../db/queries/projects.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { projectsList } from '../../src/operations/projects/projects-list.js'
import { maxResponseLength } from '../../src/server/response-size.js'
import { formSession } from '../support/forms.js'
import { call, callTool, post } from '../support/mcp.js'
import { explainSelects } from '../support/plans.js'
import { type TestService, type TestUser, logIn, projectWith, testService } from '../support/service.js'

/** Creates a paper with a full text of this length. @returns its id */
async function paperWithText (user: TestUser, length: number): Promise<string> {
  const project_id = await projectWith(user, [{ title: 'A long paper' }])
  const paperId = (await feedGet.run(user.context, { project_id })).items[0]!.paper.id
  await saveMarkdown(user.context.db, { paper_id: paperId, markdown: 'Long text. '.repeat(length / 11) })
  return paperId
}

const toolCall = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args }
})

/** Requests a long text and does not read it. */
async function requestUnread () {
  const user = await base.user()
  const paper_id = await paperWithText(user, 3_500_000)
  const address = new URL(await base.app.listen({ port: 0, host: '127.0.0.1' }))
  const body = JSON.stringify(toolCall(1, 'paper_markdown', { paper_id }))
  // On one clock with the service's timers, so that a busy machine delays both.
  const outcome = new Promise<string>(resolve => {
    base.app.server.once('connection', connection => connection.once('close', () => resolve('closed')))
    setTimeout(resolve, 60_000, 'still open').unref()
  })
  const socket = connect(Number(address.port), address.hostname)
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  socket.pause()
  const headers = {
    Host: address.host,
    Authorization: `Bearer ${user.key}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body)
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /api/mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  return { outcome }
}

const base = await testService(t)
// It waits while the other tests run.
const unread = await requestUnread()

t.test('limits batch responses and reports oversized results with instructions', async t => {
  const user = await base.user()
  const paper_id = await paperWithText(user, 1_900_000)
  const response = await post(base, user.key, Array.from({ length: 50 }, (_each, at) => toolCall(at, 'paper_markdown', { paper_id })))
  t.equal(response.statusCode, 200)
  t.ok(response.body.length <= maxResponseLength, `${response.body.length} characters`)
  const answers = response.json() as Array<{ id: number, result?: object, error?: { code: number, message: string } }>
  t.strictSame(answers.map(({ id }) => id), Array.from({ length: 50 }, (_each, at) => at))
  t.ok(answers.some(({ result }) => result !== undefined), 'some fit')
  const refused = answers.filter(({ error }) => error !== undefined)
  t.ok(refused.length >= 45)
  for (const { error } of refused) t.match(error, { code: -32600, message: /too large for one response\. Send this request on its own/ })
})

t.test('limits the concurrency of a batch', async t => {
  const service = await base.sibling(t)
  const { key, context } = await service.user()
  let running = 0
  let maxRunning = 0
  const pool = context.installation.pool
  t.ok(pool().inUse === 0)
  const timer = setInterval(() => {
    running = pool().inUse + pool().waiting
    maxRunning = Math.max(maxRunning, running)
  }, 1)
  const response = await post(service, key, Array.from({ length: 50 }, (_each, at) => toolCall(at, 'projects_list', {})))
  clearInterval(timer)
  t.equal(response.json().length, 50)
  t.ok(maxRunning <= 4, `${maxRunning} connections`)
})

t.test('an oversized result names the arguments that reduce it, over MCP and REST', async t => {
  const user = await base.user()
  const keywords = Array.from({ length: 100 }, (_each, at) => String(at).padStart(200, 'x'))
  const sources = Array.from({ length: 10 }, (_each, at) => ({
    name: 'feed',
    query: `https://example.org/${String(at).padStart(1978, 'x')}`
  }))
  for (let at = 0; at < 100; at++) {
    await projectCreate.run(user.context, {
      name: `Large ${at}`,
      interest_description: 'x'.repeat(10_000),
      positive_keywords: keywords,
      negative_keywords: keywords,
      sources
    })
  }
  const refused = await callTool(base, user.key, 'projects_list', { limit: 100 })
  t.match(refused, {
    isError: true,
    content: [{ text: /^result_too_large: The result is too large for one response\. Reduce limit, and continue with offset\.$/ }]
  })
  const batch = await post(base, user.key, Array.from({ length: 50 }, (_each, at) => toolCall(at, 'projects_list', { limit: 100 })))
  const answers = batch.json() as Array<{ result?: object, error?: object }>
  t.ok(answers.filter(({ result }) => result !== undefined).length <= 2, 'what no response could hold ends a batch like what fills it')
  t.match(answers.at(-1), { error: { message: /Send this request on its own/ } })
  const read: number[] = []
  const recorded = user.context.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult ({ result }) {
      if (result.rows.some(row => 'source_states' in row)) read.push(result.rows.length)
      return result
    }
  })
  t.equal((await projectsList.run({ ...user.context, db: recorded }, { limit: 20 })).items.length, 20)
  t.ok(Math.max(...read) <= 3, `statements of ${read.join(', ')} large projects`)
  const { db, account } = user.context
  const statements = await explainSelects(db, async recorded => await listProjects(recorded, account.id, { limit: 2, offset: 90 }))
  t.ok(statements.every(({ rows }) => rows <= 200), 'reads no states of sources of skipped projects')
  const { structuredContent } = await callTool(base, user.key, 'projects_list', { limit: 3, offset: 99 })
  t.match(structuredContent, { items: [{ name: 'Large 0' }], total: 100 })
  const rest = async (query: object) =>
    await base.app.inject({ url: '/api/projects', query: query as Record<string, string>, headers: { 'x-api-key': user.key } })
  const large = await rest({ limit: '100' })
  t.equal(large.statusCode, 400)
  t.equal(large.json().code, 'result_too_large')
  t.equal((await rest({ limit: '2', offset: '1' })).json().items.length, 2)
})

t.test("all adapters share an account's request slots", async t => {
  const service = await base.sibling(t, { MAX_CONCURRENT_REQUESTS: '2' })
  const user = await service.user()
  const { access_token } = await logIn(service, user)
  const { get } = await formSession(service.app, user)
  const requests = {
    MCP: async () => await post(service, user.key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects_list' } }),
    'REST with a key': async () => await service.app.inject({ url: '/api/projects', headers: { 'x-api-key': user.key } }),
    'REST with a session': async () =>
      await service.app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${access_token}` } }),
    pages: async () => await get('/')
  }
  for (const [adapter, request] of Object.entries(requests)) {
    // A session or key that is not known yet waits among those of its network.
    await request()
    const responses = await Promise.all(Array.from({ length: 230 }, request))
    // A tool call is refused in its result.
    const refused = responses.filter(({ statusCode, body }) => statusCode === 429 || body.includes('"text":"rate_limited: '))
    t.ok(refused.length > 0 && refused.length <= 28, `${adapter}: ${refused.length} of 230 are refused`)
    t.ok(refused.every(({ statusCode, headers }) => adapter === 'MCP' ? statusCode === 200 : headers['retry-after'] === '5'), adapter)
    t.ok(responses.every(({ statusCode }) => statusCode === 200 || statusCode === 429), adapter)
  }
})

t.test('an account has at most MAX_PROJECTS projects, also when they are created concurrently', async t => {
  const service = await base.sibling(t, { MAX_PROJECTS: '3' })
  const user = await service.user()
  const created = await Promise.allSettled(
    Array.from({ length: 8 }, async (_each, at) => await projectCreate.run(user.context, { name: `Project ${at}` }))
  )
  t.equal(created.filter(({ status }) => status === 'fulfilled').length, 3)
  for (const result of created) {
    if (result.status === 'rejected') {
      t.match(result.reason, { code: 'too_many_projects', message: /Your account has 3 projects, the maximum\./ })
    }
  }
  t.equal((await call(service, user.key, 'tools/call', { name: 'projects_list', arguments: {} })).result.structuredContent.total, 3)
})

t.test('a long text arrives as the text that it was, with its length in bytes', async t => {
  const user = await base.user()
  const paper_id = await paperWithText(user, 1000)
  const markdown = 'Größen in µm — “klein”, 小さい, 🧬. '.repeat(3000)
  await saveMarkdown(user.context.db, { paper_id, markdown })
  const { headers, rawPayload } = await base.app.inject({ url: `/api/papers/${paper_id}/markdown`, headers: { authorization: `Bearer ${user.key}` } })
  t.equal(Number(headers['content-length']), rawPayload.byteLength)
  t.ok(rawPayload.byteLength > markdown.length)
  t.equal(rawPayload.toString(), markdown)
})

/** Requests the API description without a key, and reads only its beginning. @returns the status */
async function requestDocumentUnread (service: TestService, network: number): Promise<number> {
  const address = service.app.server.address() as AddressInfo
  const socket = connect(address.port, address.address)
  t.teardown(() => socket.destroy())
  socket.write(`GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:${address.port}\r\nX-Forwarded-For: 192.0.2.${network}\r\n\r\n`)
  const beginning = await new Promise<string>(resolve => socket.once('readable', () => resolve(String(socket.read(32)))))
  return Number(beginning.split(' ')[1])
}

t.test('unread responses to requests without a key share their memory, and each network has a limit', async t => {
  const service = await base.sibling(t, { TRUST_PROXY: '127.0.0.1', MAX_CONCURRENT_REQUESTS: '4' })
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const before = process.memoryUsage().arrayBuffers
  const many = await Promise.all(Array.from({ length: 100 }, async (_each, at) => await requestDocumentUnread(service, at)))
  const megabytes = (process.memoryUsage().arrayBuffers - before) / 1024 / 1024
  t.ok(many.every(status => status === 200))
  t.ok(megabytes < 25, `${megabytes} MB`)
  const request = async () => await service.app.inject({ url: '/api/openapi.json', remoteAddress: '192.0.2.200' })
  const { length } = (await request()).rawPayload
  t.ok(length > 500_000, `${length} bytes`)
  const statuses = (await Promise.all(Array.from({ length: 230 }, request))).map(({ statusCode }) => statusCode)
  const refused = statuses.filter(status => status === 429)
  t.ok(refused.length > 0 && refused.length <= 26, `${refused.length} of 230 get 429`)
  const limited = await base.sibling(t, { RATE_LIMIT: '2' })
  const limitedStatuses: number[] = []
  for (let at = 0; at < 3; at++) limitedStatuses.push((await limited.app.inject('/api/openapi.json')).statusCode)
  t.strictSame(limitedStatuses, [200, 200, 429])
})

t.test('closes unread responses after 30 s, but not slow operations', async t => {
  t.equal(await unread.outcome, 'closed')
})
