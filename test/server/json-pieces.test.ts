import t from 'tap'
import { jsonPieces, serializeInPieces } from '../../src/server/json-pieces.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { measureEventLoop } from '../support/event-loop.js'
import { logIn, testService } from '../support/service.js'

t.test('JSON in pieces is that of JSON.stringify', async t => {
  const long = 'Long text, “quoted”\n\\ and 😀. '.repeat(20_000)
  const values: unknown[] = [
    null, 1, 'a', [], {}, [undefined], long, [long, 1, undefined, null], { long, none: undefined, empty: {}, list: [] },
    { items: Array.from({ length: 5000 }, (_each, id) => ({ id, text: 'x'.repeat(100), at: new Date(id) })) },
    { deep: [[[{ long, more: [long, { long }] }]]], last: true, [long]: 1 }, { at: new Date(0), long }, { run: () => 1, long }
  ]
  for (const value of values) t.equal([...jsonPieces(value)].join(''), JSON.stringify(value))
})

t.test('no piece is long, unless a value has escapes alone', async t => {
  const pieces = [...jsonPieces({ items: Array(2000).fill({ text: 'x'.repeat(1000), tags: ['a', 'b'] }), text: 'y'.repeat(1_000_000) })]
  t.ok(Math.max(...pieces.map(({ length }) => length)) < 70_000)
})

t.test('serializing stops at a maximum, which escapes may exceed', async t => {
  t.equal(await serializeInPieces({ text: '\u0001'.repeat(1_000_000) }, 2_000_000), undefined)
  t.equal((await serializeInPieces({ text: 'x'.repeat(1_000_000) }, 2_000_000))?.length, 1_000_011)
})

t.test('a large result over REST is serialized piece by piece', async t => {
  const service = await testService(t)
  const user = await service.user()
  const keywords = Array.from({ length: 100 }, (_each, at) => `${at} ${'“k” '.repeat(48)}`.slice(0, 200))
  const project = {
    interest_description: '“Sleep” \\ '.repeat(1000),
    positive_keywords: keywords,
    negative_keywords: keywords,
    sources: []
  }
  for (let at = 0; at < 60; at++) await projectCreate.run(user.context, { ...project, name: `Project ${at}` })
  const headers = { authorization: `Bearer ${(await logIn(service, user)).access_token}` }
  const stringify = JSON.stringify
  let longest = 0
  JSON.stringify = ((value: unknown, ...others: []) => {
    const json = stringify(value, ...others)
    longest = Math.max(longest, json?.length ?? 0)
    return json
  }) as typeof JSON.stringify
  t.teardown(() => { JSON.stringify = stringify })
  const { result: answer, worstCpu } = await measureEventLoop(async () =>
    await service.app.inject({ url: '/api/projects?limit=100', headers })
  )
  JSON.stringify = stringify
  t.match(answer, { statusCode: 200, headers: { 'content-type': 'application/json; charset=utf-8' } })
  t.equal(Number(answer.headers['content-length']), answer.rawPayload.length)
  t.ok(answer.payload.length > 2_500_000, `${answer.payload.length} characters`)
  t.equal(answer.json().items.length, 60)
  t.ok(longest < 150_000, `${longest} characters at once; ${worstCpu} ms of CPU time in a row`)
  t.match(await service.app.inject({ method: 'HEAD', url: '/api/projects?limit=100', headers }), { statusCode: 200, payload: '' })
})
