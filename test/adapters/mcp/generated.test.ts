import fc from 'fast-check'
import t from 'tap'
import { modernMeta, post } from '../../support/mcp.js'
import { projectWith, testService } from '../../support/service.js'

// The same requests every time: a failure can be repeated. `make torture` has others.
const seed = 2026

const methods = [
  'initialize', 'ping', 'tools/list', 'tools/call', 'prompts/list', 'prompts/get', 'completion/complete', 'server/discover',
  'notifications/initialized', '__proto__', ''
]
const names = [
  'projects_list', 'projects.get', 'feed_get', 'feed_search', 'feed_atom_url', 'paper_get', 'paper_markdown', 'feed_title_filter',
  'constructor'
]
const keys = ['project_id', 'q', 'limit', 'offset', 'since', 'must_read', 'feedback_filter', 'paper_id', '__proto__', 'toString']

const value = fc.oneof(
  fc.jsonValue(),
  fc.string(),
  fc.integer(),
  fc.constant('0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'),
  fc.constant('\u0000\ud800'),
  fc.uuid()
)
const args = fc.oneof(fc.dictionary(fc.constantFrom(...keys), value), value)
const params = fc.oneof(
  value,
  fc.record(
    {
      name: fc.oneof(fc.constantFrom(...names), value),
      arguments: args,
      cursor: value,
      ref: value,
      argument: value,
      protocolVersion: value,
      _meta: fc.oneof(fc.constant(modernMeta), value)
    },
    { requiredKeys: [] }
  )
)
const message = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant('2.0'), value),
    id: fc.oneof(fc.integer(), fc.string(), value),
    method: fc.oneof(fc.constantFrom(...methods), value),
    params
  },
  { requiredKeys: [] }
)
const body = fc.oneof(message, fc.array(message, { maxLength: 4 }), fc.jsonValue())
const headers = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom('2025-06-18', '2026-07-28', '2099-01-01', 'x'),
    'mcp-method': fc.constantFrom(...methods.filter(Boolean)),
    'mcp-name': fc.constantFrom(...names, '=?base64?!!?=')
  },
  { requiredKeys: [] }
)

const service = await testService(t, { LOG_LEVEL: 'error' })

t.test('any request with a valid key gets a JSON-RPC response with a status below 500', async t => {
  const { key } = await service.user()

  await t.test('almost valid messages', async t => {
    await fc.assert(fc.asyncProperty(body, headers, async (sent, extra) => {
      const response = await post(service, key, JSON.stringify(sent), extra)
      if (response.statusCode >= 500) throw new Error(`${response.statusCode}: ${response.body}`)
      if (response.body === '') return response.statusCode === 202
      const answers = [response.json()].flat()
      return answers.every(answer => answer.jsonrpc === '2.0' && ('result' in answer) !== ('error' in answer))
    }), { seed, numRuns: 1500 })
    t.pass('1,500 messages')
  })

  await t.test('messages with a byte changed', async t => {
    const valid = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'feed_search', arguments: { project_id: '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11', q: 'sleep' }, _meta: modernMeta }
    })
    await fc.assert(
      fc.asyncProperty(fc.nat(valid.length - 1), fc.nat(255), async (at, byte) => {
        const bytes = Buffer.from(valid)
        bytes[at] = byte
        const { statusCode, body } = await service.app.inject({
          method: 'POST',
          url: '/api/mcp',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'mcp-protocol-version': '2026-07-28' },
          payload: bytes
        })
        return statusCode === 202 ? body === '' : statusCode < 500 && JSON.parse(body).jsonrpc === '2.0'
      }),
      { seed, numRuns: 500 }
    )
    t.pass('500 messages')
  })

  t.strictSame(service.logged, [], 'nothing was an error of the service')
})

t.test('no query causes a server error', async t => {
  const user = await service.user()
  const project = await projectWith(user, [{ title: 'Sleep spindles & (memory) | replay:*', abstract: "It's a \\ test" }])
  const query = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 220 }),
    fc.string({ unit: fc.constantFrom(...'abc \'"\\&|!():*<->%_$\u0000\u202e😀睡é '.split('')), maxLength: 200 })
  )
  await fc.assert(
    fc.asyncProperty(query, async q => {
      const { statusCode } = await service.app.inject({
        url: `/api/projects/${project}/feed/search`,
        query: { q: q.toWellFormed() },
        headers: { 'x-api-key': user.key }
      })
      return statusCode === 200 || statusCode === 400
    }),
    { seed, numRuns: 800 }
  )
  t.strictSame(service.logged, [])
})
