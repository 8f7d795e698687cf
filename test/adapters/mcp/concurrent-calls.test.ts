import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { post } from '../../support/mcp.js'
import { projectWith, type TestService, testService } from '../../support/service.js'
import { until } from '../../support/until.js'

/** Has all that read projects wait. @returns ends it */
function holdProjects ({ context: { db } }: TestService): () => Promise<void> {
  let release = () => {}
  const held = db.transaction().execute(async transaction => {
    await sql`lock table project in access exclusive mode`.execute(transaction)
    await new Promise<void>(resolve => { release = resolve })
  })
  return async () => {
    release()
    await held
  }
}

t.test('tool calls of an account whose requests all wait get a result, since clients end a connection at a 429', async t => {
  const service = await testService(t, { MAX_CONCURRENT_REQUESTS: '2' })
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Sleep' }])
  const call = (id: number, padding = '') => ({
    jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'feed_get', arguments: { project_id }, _meta: { padding } }
  })
  // Two run and two hundred wait. The others are sent in the same moment, before one of them ends.
  const admitted = Array.from({ length: 202 }, (_each, id) => post(service, user.key, call(id)))
  const messages = [call(900), { jsonrpc: '2.0', id: 1, method: 'tools/list' }, [call(1)], call(1, 'x'.repeat(70_000))]
  const [refused, ...others] = await Promise.all(messages.map(message => post(service, user.key, message)))
  t.equal(refused!.statusCode, 200)
  t.match(refused!.json(), { id: 900, result: { isError: true, content: [{ text: /^rate_limited: .*too many concurrent requests/ }] } })
  for (const { statusCode, headers } of others) t.match({ statusCode, headers }, { statusCode: 429, headers: { 'retry-after': '5' } })
  for (const response of await Promise.all(admitted)) t.match(response.json(), { result: { structuredContent: { total: 1 } } })
})

t.test('of the tool calls that have no place, a hundred at a time are read', async t => {
  const service = await testService(t, { MAX_CONCURRENT_REQUESTS: '2' })
  const user = await service.user()
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'projects_list', arguments: {} } })
  const responses = await Promise.all(Array.from({ length: 202 + 115 }, (_each, id) => post(service, user.key, call(id))))
  t.equal(responses.filter(({ statusCode }) => statusCode === 429).length, 15)
  const results = responses.filter(({ statusCode }) => statusCode === 200).map(response => response.json().result.isError === true)
  t.equal(results.filter(isError => isError).length, 100)
  t.equal(results.length, 302)
})

t.test('calls that their client abandons while they wait take no place of later ones', async t => {
  const service = await testService(t, { MAX_CONCURRENT_REQUESTS: '2' })
  const user = await service.user()
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'projects_list', arguments: {} } })
  // Afterwards, the key is known without the database.
  await post(service, user.key, call(0))
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const release = holdProjects(service)
  const client = new AbortController()
  const abandoned = Array.from({ length: 150 }, async (_each, id) => await fetch(`${url}/api/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.key}`, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(call(id)),
    signal: client.signal
  }).catch(() => {}))
  await sleep(500)
  client.abort()
  await Promise.all(abandoned)
  await sleep(500)
  await release()
  const responses = await Promise.all(Array.from({ length: 202 + 10 }, (_each, id) => post(service, user.key, call(id))))
  t.strictSame(new Set(responses.map(({ statusCode }) => statusCode)), new Set([200]))
})

t.test('a tool that only reads ends once its client has closed the connection, and one that changes something does not', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Sleep' }])
  const { items: [item] } = await feedGet.run(user.context, { project_id })
  const { api_key: key } = await keyCreate.run(user.context, { name: 'Assistant', scope: 'act' })
  const messages = [
    { name: 'feed_get', arguments: { project_id } },
    { name: 'feedback_set', arguments: { paper_id: item!.id, vote: 'star' } }
  ].map((params, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))
  const outcomes = async () => (await service.app.inject({ url: '/metrics' })).body.match(/^litfeed_tool_calls_total.*$/gm)?.sort()
  // Afterwards, the key is known without the database.
  await post(service, key, { jsonrpc: '2.0', id: 0, method: 'tools/list' })
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const release = holdProjects(service)
  const client = new AbortController()
  const abandoned = fetch(`${url}/api/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(messages),
    signal: client.signal
  }).catch(() => {})
  await sleep(500)
  client.abort()
  await abandoned
  await sleep(500)
  await release()
  await until(async () => (await outcomes())?.length === 2)
  t.match(await outcomes(), [
    'litfeed_tool_calls_total{tool="feed_get",outcome="request_abandoned"} 1',
    'litfeed_tool_calls_total{tool="feedback_set",outcome="ok"} 1'
  ])
  t.match(await feedGet.run(user.context, { project_id }), { items: [{ feedback: { vote: 'star' } }] }, 'the vote is stored')
})
