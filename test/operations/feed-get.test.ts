import t from 'tap'
import { randomUUID } from 'node:crypto'
import { deleteUnusedBriefs } from '../../db/queries/unused-briefs.js'
import { dayMs } from '../../schemas/durations.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { addPapers, projectWith, testService } from '../support/service.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'
import { feedBrief } from '../../src/operations/feed/feed-brief.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { call, callTool } from '../support/mcp.js'

t.test('feed_get', async t => {
  let time = new Date('2026-11-01T10:00:00.000Z')
  const service = await testService(t, {}, () => time)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [{ title: 'One' }])
  time = new Date('2026-11-02T10:00:00.000Z')
  await addPapers(context, project_id, [{ title: 'Two' }])
  time = new Date('2026-11-03T10:00:00.000Z')
  await addPapers(context, project_id, [{ title: 'Three' }, { title: 'Four' }])
  const get = async (more: object = {}) => await feedGet.run(context, { project_id, ...more })

  t.test('returns the newest first, with a total', async t => {
    const result = await get()
    t.match(result, { total: 4, limit: 10, offset: 0, has_more: false })
    t.strictSame(result.items.slice(2).map(({ paper_title }) => paper_title), ['Two', 'One'])
    const [a, b] = result.items
    t.ok(a!.id < b!.id, 'ties are ordered by id')
  })

  t.test('a page states the total and whether more follow, also past the end', async t => {
    t.match(await get({ limit: 1, offset: 3 }), { total: 4, limit: 1, offset: 3, has_more: false, items: [{ paper_title: 'One' }] })
    t.match(await get({ limit: 3 }), { has_more: true })
    for (const offset of [100, Number.MAX_SAFE_INTEGER]) t.match(await get({ offset }), { items: { length: 0 }, total: 4, has_more: false })
  })

  t.test('since is inclusive, as a date or a date-time with any offset', async t => {
    for (const [since, total] of [
      ['2026-11-02', 3],
      ['2026-11-02T10:00:00Z', 3],
      ['2026-11-02T10:00:00.001Z', 2],
      ['2026-11-02T12:00:00+02:00', 3],
      ['2026-11-04', 0]
    ] as const) {
      t.equal((await get({ since })).total, total, since)
    }
  })

  t.test('an invalid since is rejected with the allowed values', async t => {
    for (const since of [
      'yesterday', '2026-13-01', '2026-02-30', '2026-11-02T25:00:00Z', '2026-11-02T10:00:00', '1234567890', '', '20261102'
    ]) {
      await t.rejects(get({ since }), { code: 'invalid_arguments', message: /^since is .*RFC 3339/ }, since)
    }
  })

  t.test('filters by must_read', async t => {
    t.equal((await get({ must_read: true })).total, 0)
    t.equal((await get({ must_read: false })).total, 4)
  })

  t.test("another account's project equals a missing one", async t => {
    const stranger = await service.user()
    await t.rejects(feedGet.run(stranger.context, { project_id }), {
      code: 'project_not_found',
      message: `Project ${project_id} doesn't exist or isn't yours. You have no projects yet; create one with project_create (POST /api/projects).`
    })
    const missing = '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'
    await t.rejects(feedGet.run(stranger.context, { project_id: missing }), {
      message: `Project ${missing} doesn't exist or isn't yours. You have no projects yet; create one with project_create (POST /api/projects).`
    })
  })

  t.test('an item has every documented field, with null for unknown values', async t => {
    const { items: [item] } = await get({ limit: 1 })
    t.strictSame(Object.keys(item!).sort(), [
      'feedback', 'id', 'matching_details', 'must_read', 'note', 'paper', 'paper_title', 'personalized_note', 'project_id', 'ready_at',
      'relevance_class', 'relevance_score', 'saved', 'seen_at', 'short_id', 'slug', 'summary', 'summary_origin', 'tags'
    ])
    t.strictSame(Object.keys(item!.paper).sort(), [
      'abstract', 'authors', 'doi', 'external_ids', 'id', 'index_url', 'markdown_ready', 'metadata', 'pdf_url', 'published_date',
      'reference_label', 'short_id', 'slug', 'source', 'source_paper_id', 'title', 'url', 'venue_name'
    ])
    t.match(item, {
      feedback: null,
      summary: null,
      ready_at: '2026-11-03T10:00:00.000Z',
      paper: { doi: null, pdf_url: null, abstract: null }
    })
    t.equal(item!.short_id, item!.id.slice(0, 8))
  })
})

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
    t.match(await feedBrief.run(context, { consumer: 'digest', acknowledge: next.brief_id }), { items: { length: 0 }, remaining: 0 })
  })

  await t.test('says which project an item is in if the call names none', async t => {
    const shared = { title: 'Sleep and the retina', doi: '10.5555/shared' }
    const [one, two] = [await projectWith(user, [shared], { name: 'Nights' }), await projectWith(user, [shared], { name: 'Eyes' })]
    for (const detail of ['brief', 'full'] as const) {
      const { items } = await feedBrief.run(context, { consumer: `projects ${detail}`, detail })
      const named = items.filter(({ paper_title }) => paper_title === shared.title)
      t.strictSame(
        named.map(({ project_id, project_name }) => [project_id, project_name]).sort(([, a], [, b]) => a! < b! ? -1 : 1),
        [[two, 'Eyes'], [one, 'Nights']]
      )
      const { items: [item] } = await feedBrief.run(context, { consumer: `project ${detail}`, detail, project_id: one })
      t.notOk('project_name' in item!)
      t.equal('project_id' in item!, detail === 'full')
    }
    await projectDelete.run(context, { project_id: one })
    await projectDelete.run(context, { project_id: two })
  })

  await t.test('stores nothing when a call is repeated, and each acknowledged item once', async t => {
    const other = await service.user()
    const project_id = await projectWith(other, papers('Cortex', 5))
    const brief = async (limit: number, more: object = {}) => await feedBrief.run(other.context, { consumer: 'digest', limit, ...more })
    const count = async () => {
      const [briefs, items] = await Promise.all([
        service.context.db.selectFrom('brief').select('id').where('account_id', '=', other.context.account.id).execute(),
        service.context.db.selectFrom('brief_item').select('brief_id').where('project_id', '=', project_id).execute()
      ])
      return { briefs: briefs.length, items: items.length }
    }

    const { brief_id } = await brief(5)
    for (let call = 0; call < 3; call++) t.equal((await brief(5)).brief_id, brief_id)
    t.strictSame(await count(), { briefs: 1, items: 5 })

    const smaller = await Promise.all([4, 3, 2, 1].map(async limit => (await brief(limit)).brief_id))
    t.strictSame(await count(), { briefs: 5, items: 15 })
    const last = await brief(1, { acknowledge: smaller[0] })
    t.match(last, { items: { length: 1 }, remaining: 0 })
    t.equal(new Set(titles(await brief(5))).size, 1, 'acknowledged items do not come again')
    for (const acknowledge of [...smaller, brief_id, last.brief_id]) t.match(await brief(5, { acknowledge }), { remaining: 0 })
    t.match(await count(), { items: 5 }, 'each item is kept in the first brief that it was acknowledged in')
    const empty = await brief(5)
    t.strictSame(titles(empty), [])
    for (let call = 0; call < 3; call++) t.equal((await brief(5, { acknowledge: empty.brief_id })).brief_id, empty.brief_id)
  })

  await t.test('forgets the oldest of very many unacknowledged briefs, whose items come again', async t => {
    const other = await service.user()
    await projectWith(other, papers('Cortex', 25))
    const brief = async (more: object) => await feedBrief.run(other.context, { consumer: 'digest', ...more })
    const { brief_id: oldest } = await brief({ limit: 25 })
    for (let limit = 1; limit <= 20; limit++) await brief({ limit })
    await t.rejects(brief({ acknowledge: oldest }), { code: 'invalid_arguments' })
    t.match(await brief({ limit: 25 }), { items: { length: 25 } })
  })

  await t.test('forgets no brief with items of projects that a key cannot see', async t => {
    const other = await service.user()
    const seen = await projectWith(other, papers('Cortex', 25))
    await projectWith(other, papers('Retina', 5))
    const limited = { ...other.context, key: { id: randomUUID(), name: 'Limited', scope: 'read', projectIds: [seen] } as const }
    const brief = async (caller: typeof other.context, more: object) => await feedBrief.run(caller, { consumer: 'digest', ...more })
    const { brief_id: ofAll } = await brief(other.context, { limit: 30 })
    const { brief_id: oldest } = await brief(limited, { limit: 25 })
    for (let limit = 1; limit <= 20; limit++) await brief(limited, { limit })
    await t.rejects(brief(limited, { acknowledge: oldest }), { code: 'invalid_arguments' }, 'its own are limited')
    t.match(await brief(other.context, { acknowledge: ofAll, limit: 30 }), { items: { length: 0 } })
  })

  await t.test('delivers everything to each consumer, also by project', async t => {
    t.strictSame(titles(await feedBrief.run(context, { consumer: 'another', project_id: second })), ['Retina 1', 'Retina 2'])
  })

  await t.test('accepts repeated and concurrent acknowledgements', async t => {
    const { brief_id } = await feedBrief.run(context, { consumer: 'busy', limit: 5 })
    // As requests do: an account waits for a few connections as long as it takes, and leaves others to the rest.
    const request = { ...context, db: context.dbFor(context.account.id) }
    const calls = Array.from(
      { length: 100 },
      async () => await feedBrief.run(request, { consumer: 'busy', acknowledge: brief_id, limit: 1 })
    )
    for (const brief of await Promise.all(calls)) t.match(brief, { items: { length: 0 }, remaining: 0 })
  })

  await t.test('serves each key separately over MCP, also with detail: brief', async t => {
    const { api_key } = await keyCreate.run(context, { name: 'Reader' })
    const { api_key: limited } = await keyCreate.run(context, { name: 'Limited', project_ids: [first] })
    const { structuredContent } = await tool(api_key, {})
    t.match(structuredContent, { items: { length: 5 }, remaining: 0, coverage: { complete: true, failing: { length: 0 } } })
    t.notOk(structuredContent.items[0].matching_details)
    t.strictSame(titles((await tool(limited, {})).structuredContent), ['Spindle 1', 'Spindle 2', 'Spindle 3'])
    t.match((await tool(api_key, { acknowledge: structuredContent.brief_id })).structuredContent, { items: { length: 0 } })
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
    const repeated = await tool(api_key, { consumer: 'shared', project_id: first, acknowledge: shared.brief_id })
    t.match(repeated.structuredContent, { items: { length: 0 } })
  })

  await t.test('rejects invalid arguments with a message', async t => {
    const text = async (args: object) => (await tool(user.key, args)).content[0].text as string
    t.match(await text({ consumer: 'x'.repeat(10_000) }), /^invalid_arguments: .*consumer/)
    t.match(await text({ consumer: ' ' }), /^invalid_arguments: .*consumer/)
    t.match(await text({ acknowledge: randomUUID() }), /^invalid_arguments: acknowledge is not a brief of this consumer\. Pass the same consumer as in the call that returned/)
    t.match(await text({ acknowledge: 'x' }), /^invalid_arguments: .*acknowledge/)
    t.match(await text({ project_id: randomUUID() }), /^project_not_found: .*/)
  })

  await t.test('keeps what a key has read as long as the key exists', async t => {
    const { db } = service.context
    const other = await service.user()
    await projectWith(other, papers('Thalamus', 3))
    const account = { account_id: other.context.account.id }
    t.match(await tool(other.key, {}), { structuredContent: { items: { length: 3 } } })
    await feedBrief.run(other.context, {})
    const consumers = async () => (await db.selectFrom('brief').select('consumer').where('account_id', '=', account.account_id)
      .orderBy('consumer').execute()).map(({ consumer }) => consumer.split(' ')[0])
    const year = { emptyBefore: new Date(), consumersBefore: new Date(Date.now() - 365 * dayMs) }
    await deleteUnusedBriefs(db, year)
    t.strictSame(await consumers(), ['account', 'key'])
    await db.deleteFrom('mcp_key').where('account_id', '=', account.account_id).execute()
    await deleteUnusedBriefs(db, year)
    t.strictSame(await consumers(), ['account'])
  })

  await t.test('rejects consumers above the limit and serves known ones', async t => {
    const other = await service.user()
    await service.context.db
      .insertInto('brief')
      .values(
        Array.from({ length: 20 }, (_each, at) => ({
          account_id: other.context.account.id,
          consumer: `name ${at}`,
          created_at: new Date()
        }))
      )
      .execute()
    await t.rejects(feedBrief.run(other.context, { consumer: 'new' }), {
      code: 'invalid_arguments',
      message: /maximum number of consumers\. Use one of them, in the same case \("0", "1", /
    })
    await t.rejects(feedBrief.run(other.context, { consumer: 'Nineteen 19' }), { message: /\("19", "0", / }, 'nearest first')
    const { api_key } = await keyCreate.run(other.context, { name: 'Some', project_ids: [await projectWith(other, [])] })
    t.match(await callTool(service, api_key, 'feed_brief', { consumer: 'new' }), {
      isError: true, content: [{ text: /number of consumers\. Use a former name, or omit consumer\.$/ }]
    }, 'a key of some projects learns no names')
    await t.resolves(feedBrief.run(other.context, { consumer: '19' }))
    t.match(await tool(other.key, {}), { structuredContent: { items: { length: 0 } } }, 'keys are counted by themselves')
  })

  await t.test('rejects keys above the limit until one of those that read is deleted', async t => {
    const { db } = service.context
    const other = await service.user()
    const account_id = other.context.account.id
    const keys = Array.from({ length: 50 }, (_each, at) => ({
      id: randomUUID(),
      account_id,
      name: `Reader ${at}`,
      prefix: `reader${at}`,
      secret_hash: '',
      secret_check: Buffer.alloc(4),
      created_at: new Date()
    }))
    await db.insertInto('mcp_key').values(keys).execute()
    await db.insertInto('brief').values(keys.map(({ id, created_at }) => ({ account_id, consumer: `key ${id}`, created_at }))).execute()
    t.match(await tool(other.key, {}), { content: [{ text: /^invalid_arguments: .*maximum number of keys/ }] })
    t.match(await tool(other.key, { consumer: 'new' }), { structuredContent: { items: { length: 0 } } })
    await db.deleteFrom('mcp_key').where('id', '=', keys[25]!.id).execute()
    t.match(await tool(other.key, {}), { structuredContent: { items: { length: 0 } } })
  })
})
