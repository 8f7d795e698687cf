import t from 'tap'
import { feedSearch } from '../../../src/operations/feed/feed-search.js'
import { feedbackClear } from '../../../src/operations/feed/feedback-clear.js'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { projectPaperGet } from '../../../src/operations/papers/project-paper-get.js'
import { post } from '../../support/mcp.js'
import { logIn, projectWith, testService, type TestUser } from '../../support/service.js'

const titles = ['Spindles and memory', 'Spindles and age', 'Soil moisture']
const titlesOf = ({ items }: { items: Array<{ paper_title: string }> }) => items.map(({ paper_title }) => paper_title).sort()
const unmarked = { seen_at: null, saved: false, tags: [], note: null }

t.test('the marks of a feed item', async t => {
  let time = Date.parse('2026-11-20T08:00:00Z')
  const service = await testService(t, {}, () => new Date(time))
  const { app } = service
  const user = await service.user()
  const project_id = await projectWith(user, titles.map((title, at) => ({ title, doi: `10.5555/mark.${at}` })))
  const other = await service.user()
  const callerOf = async (someone: TestUser) => {
    const authorization = `Bearer ${(await logIn(service, someone)).access_token}`
    return async (method: 'GET' | 'PATCH' | 'POST', url: string, payload?: object) =>
      await app.inject({ method, url, headers: { authorization }, ...(payload === undefined ? {} : { payload }) })
  }
  const authorization = `Bearer ${(await logIn(service, user)).access_token}`
  const [call, callAsOther] = [await callerOf(user), await callerOf(other)]
  const itemNamed = async (title: string) => (await feedSearch.run(user.context, { project_id, q: title })).items[0]!
  const [memory, age, soil] = await Promise.all(titles.map(itemNamed))
  const patch = async (ref: string, change: object) => (await call('PATCH', `/api/project-papers/${ref}`, change)).json()
  const listed = async (query: string) =>
    titlesOf((await call('GET', `/api/projects/${project_id}/feed?${query}`)).json())

  await t.test('are unset in a new item', async t => {
    t.match(memory, unmarked)
    t.match((await call('GET', `/api/project-papers/${memory!.id}`)).json(), unmarked)
  })

  await t.test('are those of an item by any reference to its paper', async t => {
    const long = `10.5555/${'long.'.repeat(10)}1`
    await projectWith(user, [{ title: 'Long', doi: long }], { name: 'Long' })
    const url = (ref: string) => `/api/project-papers/${encodeURIComponent(ref)}`
    for (const ref of [long, `https://doi.org/${long}`]) {
      t.match((await call('GET', url(ref))).json(), { paper_title: 'Long' })
      t.match((await call('PATCH', url(ref), { saved: true })).json(), { paper_title: 'Long', saved: true })
    }
    for (const ref of ['1', 'x'.repeat(37), `10.5555/${'none.'.repeat(10)}1`]) {
      for (const method of ['GET', 'PATCH'] as const) {
        const response = await call(method, url(ref), ...method === 'PATCH' ? [{ saved: true }] : [])
        t.equal(response.statusCode, 404, `${method} ${ref}`)
        t.match(response.json(), { code: 'paper_not_found' })
      }
    }
  })

  await t.test('take "" as absent, except in a text', async t => {
    t.match(
      await patch(age!.id, { seen: '', saved: true, tags: '', note: 'Kept' }),
      { seen_at: null, saved: true, tags: { length: 0 }, note: 'Kept' })
    t.match(await patch(age!.id, { saved: '', note: '' }), { saved: true, note: null }, 'it empties a text')
    const vote = async (change: object) => await app.inject({
      method: 'PUT', url: `/api/project-papers/${age!.id}/feedback`, headers: { authorization }, payload: change
    })
    t.match((await vote({ vote: 'star', downvote_reason: '' })).json(), { item: { feedback: { vote: 'star', downvote_reason: null } } })
    t.match((await vote({ vote: '' })).json(), { code: 'invalid_arguments' }, 'a required argument is not optional')
    await feedbackClear.run(user.context, { paper_id: age!.id })
    t.match(await patch(age!.id, { seen: false, saved: false }), unmarked)
  })

  await t.test('are set independently', async t => {
    t.match(await patch(memory!.id, { seen: true }), { id: memory!.id, seen_at: '2026-11-20T08:00:00.000Z', saved: false })
    t.match(await patch(memory!.short_id, { saved: true }), { seen_at: '2026-11-20T08:00:00.000Z', saved: true, tags: { length: 0 } })
    t.match(await patch(memory!.paper.id, { tags: ['  To  cite ', 'Größe'] }), { saved: true, tags: ['To cite', 'Größe'], note: null })
    const noted = await patch(memory!.id, { note: ' Compare with\r\nchapter 2. ' })
    t.match(noted, { tags: ['To cite', 'Größe'], note: 'Compare with\nchapter 2.' })
  })

  await t.test('are set, not toggled', async t => {
    const changes = { seen: true, saved: true, tags: ['A', 'b'], note: 'Once' }
    const once = await patch(age!.id, changes)
    time += 60_000
    for (let count = 0; count < 3; count++) t.strictSame(await patch(age!.id, changes), once)
    const none = { seen: false, saved: false, tags: [], note: '' }
    for (let count = 0; count < 3; count++) t.match(await patch(age!.id, none), unmarked)
    t.strictSame(await patch(age!.id, {}), await patch(age!.id, { seen: null, saved: null, tags: null, note: null }), 'null means absent')
  })

  await t.test('normalize and limit tags, ignoring case', async t => {
    const sent = ['Straße', 'STRASSE', 'Cafe\u0301', 'Café', ' ', 'a\u200bb']
    t.strictSame((await patch(age!.id, { tags: sent })).tags, ['Straße', 'Café', 'ab'])
    const tags = Array.from({ length: 20 }, (_each, at) => `${at} ${'é'.repeat(47)}`.slice(0, 50))
    t.strictSame((await patch(age!.id, { tags })).tags, tags)
    t.match(await patch(age!.id, { tags: [...tags, 'one more'] }), { code: 'invalid_arguments', detail: /tags must have at most 20 items/ })
    t.match(await patch(age!.id, { tags: ['x'.repeat(51)] }), { code: 'invalid_arguments', detail: /at most 50 characters/ })
    const long = await patch(age!.id, { note: 'x'.repeat(10_001) })
    t.match(long, { code: 'invalid_arguments', detail: /note must have at most 10000 characters/ })
    const wrong = [
      { seen: 'yes' }, { saved: 1 }, { tags: 'one' }, { tags: [1] }, { note: 5 }, { note: 'a\0b' }, { pinned: true }, { seen_at: null }
    ]
    for (const change of wrong) {
      t.match(await patch(age!.id, change), { code: 'invalid_arguments' }, JSON.stringify(change))
    }
    t.strictSame((await patch(age!.id, {})).tags, tags, 'a refused change changes nothing')
    t.equal((await patch(age!.id, { note: '😀'.repeat(10_000) })).note.length, 20_000)
    await patch(age!.id, { tags: [], note: '' })
  })

  await t.test('select items of a feed, a search and an export', async t => {
    await patch(age!.id, { tags: ['TO CITE'] })
    t.strictSame(await listed('saved=true'), ['Spindles and memory'])
    t.strictSame(await listed('saved=false'), ['Soil moisture', 'Spindles and age'])
    t.strictSame(await listed('seen=true'), ['Spindles and memory'])
    t.strictSame(await listed('seen=false&feedback_filter=unrated'), ['Soil moisture', 'Spindles and age'])
    t.strictSame(await listed('tag=to%20CITE'), ['Spindles and age', 'Spindles and memory'])
    t.strictSame(await listed('tag=to%20CITE&saved=true'), ['Spindles and memory'])
    t.strictSame(await listed('tag=gr%C3%B6%C3%9Fe'), ['Spindles and memory'])
    t.strictSame(await listed('tag=none'), [])
    t.match((await call('GET', `/api/projects/${project_id}/feed?tag=to%20cite`)).json(), { total: 2 })
    const [first, second] = titles as [string, string]
    const found = {
      'saved=true': [first],
      'saved=false': [second],
      'tag=to%20cite': [second, first],
      'seen=false': [second],
      'seen=true': [first]
    }
    for (const [query, expected] of Object.entries(found)) {
      t.strictSame(titlesOf((await call('GET', `/api/projects/${project_id}/feed/search?q=spindles&${query}`)).json()), expected, query)
    }
    const byDoi = await call('GET', `/api/projects/${project_id}/feed/search?q=10.5555/mark.2&saved=true`)
    t.strictSame(byDoi.json().items, [], 'also where q is an identifier')
    t.match((await call('GET', `/api/projects/${project_id}/feed?seen=perhaps`)).json(), { code: 'invalid_arguments' })
  })

  await t.test('list the tags in use, most used first', async t => {
    t.strictSame((await call('GET', '/api/tags')).json(), { items: [{ tag: 'TO CITE', papers: 2 }, { tag: 'Größe', papers: 1 }] })
    t.strictSame((await call('GET', `/api/tags?project_id=${project_id}`)).json().items.length, 2)
    t.strictSame((await callAsOther('GET', '/api/tags')).json(), { items: [] })
    t.match((await callAsOther('GET', `/api/tags?project_id=${project_id}`)).json(), { code: 'project_not_found' })
  })

  await t.test('count a vote as seen, at the first time', async t => {
    t.match(await patch(soil!.id, {}), { seen_at: null })
    await feedbackSet.run(user.context, { paper_id: soil!.id, vote: 'upvote' })
    const { seen_at, feedback } = await patch(soil!.id, {})
    t.equal(seen_at, feedback.updated_at)
    time += 60_000
    await feedbackSet.run(user.context, { paper_id: soil!.id, vote: 'star' })
    t.match(await patch(soil!.id, {}), { seen_at, feedback: { vote: 'star' } })
    await feedbackClear.run(user.context, { paper_id: soil!.id })
    t.match(await patch(soil!.id, {}), { seen_at, feedback: null }, 'without the vote, it was still seen')
    await patch(soil!.id, { seen: false })
  })

  await t.test('mark a day as seen, with undo', async t => {
    const seenIn = async (payload: object) => (await call('POST', `/api/projects/${project_id}/feed/seen`, payload)).json()
    const at = new Date(time).toISOString()
    t.strictSame(await seenIn({ day: '2026-11-19', at }), { changed: 0 })
    t.strictSame(await seenIn({ day: '2026-11-20', at: '2026-11-20T07:00:00Z' }), { changed: 0 }, 'without what came later')
    t.strictSame(await seenIn({ day: '2026-11-20', at, tag: 'to cite' }), { changed: 1 })
    t.strictSame(await seenIn({ day: '2026-11-20', at, tag: 'to cite' }), { changed: 0 })
    t.strictSame(await listed('seen=false'), ['Soil moisture'])
    t.strictSame(await seenIn({ day: '2026-11-20', at }), { changed: 1 })
    t.match(await patch(memory!.id, {}), { seen_at: '2026-11-20T08:00:00.000Z' }, 'what was seen keeps its time')
    t.strictSame(await seenIn({ day: '2026-11-20', at, seen: false }), { changed: 2 })
    t.strictSame(await listed('seen=true'), ['Spindles and memory'])
    t.match(await seenIn({ day: 'today' }), { code: 'invalid_arguments' })
    const foreign = await callAsOther('POST', `/api/projects/${project_id}/feed/seen`, { day: '2026-11-20' })
    t.match(foreign.json(), { code: 'project_not_found' })
  })

  await t.test('belong to one account', async t => {
    const before = await projectPaperGet.run(user.context, { ref: memory!.id })
    for (const ref of [memory!.id, memory!.short_id, memory!.paper.id]) {
      const response = await callAsOther('PATCH', `/api/project-papers/${ref}`, { note: 'Not mine' })
      t.equal(response.statusCode, 404)
      t.match(response.json(), { code: 'paper_not_found' })
    }
    t.strictSame(await projectPaperGet.run(user.context, { ref: memory!.id }), before)
    const theirs = await projectWith(other, [{ title: titles[0]!, doi: '10.5555/mark.0' }])
    const { items } = await feedSearch.run(other.context, { project_id: theirs, q: 'spindles' })
    t.match(items, [unmarked], 'the same paper of another account has none')
  })

  await t.test('require an act key for the project', async t => {
    const act = (await keyCreate.run(user.context, { name: 'Act', scope: 'act' })).api_key
    const otherProject = await projectWith(user, [{ title: 'Elsewhere' }])
    const limited = (await keyCreate.run(user.context, { name: 'Limited', scope: 'act', project_ids: [otherProject] })).api_key
    const read = user.key
    const change = async (key: string) =>
      await app.inject({ method: 'PATCH', url: `/api/project-papers/${soil!.id}`, headers: { 'x-api-key': key }, payload: { saved: true } })
    t.match((await change(read)).json(), { code: 'forbidden' })
    t.match((await change(limited)).json(), { code: 'paper_not_found' })
    t.match((await change(act)).json(), { saved: true })
    t.strictSame((await app.inject({ url: '/api/tags', headers: { 'x-api-key': limited } })).json(), { items: [] })
    t.equal((await app.inject({ url: '/api/tags', headers: { 'x-api-key': read } })).json().items.length, 2)
  })

  await t.test('are in the items of tools, without new arguments', async t => {
    const tool = async (name: string, args: object) => {
      const params = { name, arguments: { project_id, ...args } }
      return (await post(service, user.key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).json().result
    }
    const { structuredContent: { items } } = await tool('feed_search', { q: titles[0] })
    t.match(items[0], { saved: true, tags: ['To cite', 'Größe'], note: 'Compare with\nchapter 2.', seen_at: '2026-11-20T08:00:00.000Z' })
    for (const args of [{ saved: true }, { seen: false }, { tag: 'x' }]) {
      t.match(await tool('feed_get', args), { isError: true, content: [{ text: /^invalid_arguments: .* is not an argument/ }] })
      t.match(await tool('feed_search', { q: 'spindles', ...args }), { isError: true, content: [{ text: /^invalid_arguments: / }] })
    }
    const { structuredContent: brief } = await tool('feed_search', { q: 'spindles', detail: 'brief' })
    t.match(brief.items.find(({ id }: { id: string }) => id === memory!.id), { saved: true, note: 'Compare with\nchapter 2.' })
    const plain = brief.items.find(({ id }: { id: string }) => id === age!.id)
    t.strictSame(plain.tags, ['TO CITE'])
    for (const name of ['saved', 'note', 'seen_at']) t.notOk(name in plain, 'a brief item has only what is set')
  })
})
