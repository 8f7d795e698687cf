import t from 'tap'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { addPapers, projectWith, testService } from '../support/service.js'

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

  t.test('pages', async t => {
    t.match(await get({ limit: 1, offset: 3 }), { total: 4, limit: 1, offset: 3, has_more: false, items: [{ paper_title: 'One' }] })
    t.match(await get({ limit: 3 }), { has_more: true })
    t.match(await get({ offset: 100 }), { items: { length: 0 }, total: 4, has_more: false })
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
      message: `You have no project ${project_id}. You have no projects yet; create one on the Projects page.`
    })
    const missing = '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'
    await t.rejects(feedGet.run(stranger.context, { project_id: missing }), {
      message: `You have no project ${missing}. You have no projects yet; create one on the Projects page.`
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
