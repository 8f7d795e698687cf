import t from 'tap'
import { sql } from 'kysely'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { feedbackClear } from '../../src/operations/feed/feedback-clear.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { paperGet } from '../../src/operations/papers/paper-get.js'
import { pastedIdentifier } from '../../src/papers/pasted-identifier.js'
import { projectWith, testService } from '../support/service.js'
import { dayMs } from '../../schemas/durations.js'

const now = new Date('2026-11-22T12:00:00Z')

const base = await testService(t)

t.test('arguments of feed tools', async t => {
  const service = await base.sibling(t, {}, () => now)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [
    { title: 'Spindles today', doi: '10.5555/today', external_ids: { pmid: '12345678', pmcid: 'PMC7654321' } },
    { title: 'Spindles three days ago', doi: '10.5555/three(1)', external_ids: { arxiv: '2401.01234' } },
    { title: 'Spindles last month', abstract: 'Cites 10.5555/today.' }
  ])
  for (const [title, days, score] of [
    ['Spindles today', 0, 0.2],
    ['Spindles three days ago', 3, 0.9],
    ['Spindles last month', 30, 0.5]
  ] as const) {
    await sql`update project_paper set ready_at = ${new Date(now.getTime() - days * dayMs)}, relevance_score = ${score}
      where paper_id = (select id from paper where title = ${title})`.execute(context.db)
  }
  const titles = async (request: object) =>
    (await feedGet.run(context, { project_id, ...request })).items.map(({ paper_title }) => paper_title.replace('Spindles ', ''))
  const found = async (request: object) =>
    (await feedSearch.run(context, { project_id, q: 'spindles', ...request })).items
      .map(({ paper_title }) => paper_title.replace('Spindles ', ''))
      .sort()

  t.test('since and until take durations and dates, and until is exclusive', async t => {
    t.strictSame(await titles({ since: '24h' }), ['today'])
    t.strictSame(await titles({ since: '7d' }), ['today', 'three days ago'])
    t.strictSame(await titles({ since: '2026-11-21T23:59:60Z' }), ['today'], 'a leap second')
    t.strictSame(await titles({ since: '2026-11-22T01:59:59 02:00' }), ['today'], 'a plus sign that was not encoded in an address')
    t.strictSame(await titles({ since: ' 5W ' }), ['today', 'three days ago', 'last month'])
    t.strictSame(await titles({ until: '1d' }), ['three days ago', 'last month'])
    t.strictSame(await titles({ since: '2026-11-19', until: '2026-11-22T12:00:00Z' }), ['three days ago'])
    t.strictSame(await found({ since: '7d' }), ['three days ago', 'today'])
    t.strictSame(await found({ until: '7d' }), ['last month'])
    t.strictSame(await found({ since: '7d', until: '1d', limit: 1 }), ['three days ago'])
  })

  t.test('rejects an invalid period with current examples', async t => {
    for (const since of ['last week', '7 days', '99999d', '-1d', '', '2026-02-30', 'x'.repeat(60)]) {
      await t.rejects(
        feedGet.run(context, { project_id, since }),
        {
          code: 'invalid_arguments',
          message: /Allowed: an RFC 3339 date like 2026-11-15, .* or how long ago, like 24h, 7d or 2w\. Today is 2026-11-22\./
        },
        since
      )
    }
    await t.rejects(feedSearch.run(context, { project_id, q: 'spindles', until: 'soon' }), { message: /^until is "soon"/ })
    const inverted = {
      code: 'invalid_arguments',
      message: 'since is "1d", which is after until, "7d". since is the older end of the period: swap them.'
    }
    await t.rejects(feedGet.run(context, { project_id, since: '1d', until: '7d' }), inverted)
    await t.rejects(feedSearch.run(context, { project_id, q: 'spindles', since: '1d', until: '7d' }), inverted)
    for (const [since, until, next] of [
      ['2026-11-20', '2026-11-20', 'For that day, send until "2026-11-21".'],
      ['2026-12-31T00:00:00Z', '2026-12-31', 'For that day, send until "2027-01-01".'],
      ['1d', '1d', 'Send a later until.']
    ]) {
      await t.rejects(feedGet.run(context, { project_id, since, until }), {
        code: 'invalid_arguments',
        message: `until is "${until}", which is also since. until is exclusive, so no paper can be in this period. ${next}`
      })
    }
  })

  t.test('sort and feedback_filter', async t => {
    t.strictSame(await titles({ sort: 'relevance' }), ['three days ago', 'last month', 'today'])
    const { items: [item] } = await feedGet.run(context, { project_id })
    await feedbackSet.run(context, { paper_id: item!.id, vote: 'star' })
    t.strictSame(await titles({ feedback_filter: 'starred' }), ['today'])
    t.strictSame(await titles({ feedback_filter: 'unrated', sort: 'relevance' }), ['three days ago', 'last month'])
    t.equal((await feedGet.run(context, { project_id, feedback_filter: 'starred' })).total, 1)
  })

  t.test('an identifier in any form finds only its paper', async t => {
    const forms = [
      '10.5555/today',
      'doi:10.5555/TODAY',
      'https://doi.org/10.5555/today',
      'http://dx.doi.org/10.5555/today',
      'doi.org/10.5555/today',
      'DOI: 10.5555/today',
      '12345678',
      'PMID:12345678',
      'PMID 12345678',
      'https://pubmed.ncbi.nlm.nih.gov/12345678/',
      'PMC7654321',
      'PMCID: PMC7654321',
      'https://pmc.ncbi.nlm.nih.gov/articles/PMC7654321/',
      'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7654321',
      'https://europepmc.org/article/MED/12345678',
      'https://doi.org/10.5555/today?utm_source=mail',
      'https://doi.org/10.5555/today#abstract',
      'https://doi.org/10.5555/today/',
      'info:doi/10.5555/today',
      'urn:doi:10.5555/today',
      '"10.5555/today"',
      '(10.5555/today)',
      '[a paper](https://doi.org/10.5555/today)'
    ]
    const arxiv = [
      '2401.01234',
      'arXiv:2401.01234v2',
      'arxiv 2401.01234',
      'https://arxiv.org/abs/2401.01234v1',
      'https://arxiv.org/pdf/2401.01234.pdf',
      'arxiv.org/abs/2401.01234',
      'arXiv:2401.01234 [q-bio.NC]',
      'https://arxiv.org/abs/2401.01234?context=cs',
      '10.48550/arXiv.2401.01234',
      'https://doi.org/10.5555/three(1)'
    ]
    for (const [title, all] of [
      ['Spindles today', forms],
      ['Spindles three days ago', arxiv]
    ] as const) {
      for (const form of all) {
        t.equal((await paperGet.run(context, { paper_id: form })).title, title, form)
        const page = await feedSearch.run(context, { project_id, q: form })
        t.strictSame([page.items.map(item => item.paper_title), page.has_more], [[title], false], form)
        t.strictSame(Object.keys(page).sort(), ['has_more', 'items', 'limit', 'offset', 'query'])
      }
    }
    t.strictSame(
      (await feedSearch.run(context, { project_id, q: '10.5555/today', since: '1h', must_read: true })).items,
      [],
      'filters apply'
    )
    t.strictSame((await feedSearch.run(context, { project_id, q: '10.5555/today', offset: 1 })).items, [])
  })

  t.test('text around an identifier, or an unknown identifier, is a search', async t => {
    t.equal(pastedIdentifier('see 10.5555/today please'), undefined)
    for (const text of [
      '',
      'spindles',
      '2024',
      'https://example.org/x',
      'x'.repeat(10_000),
      '10.5555',
      'doi:',
      'PMID:',
      'arxiv',
      '<>',
      'https://',
      '\ud800'
    ]) { t.equal(pastedIdentifier(text), undefined, text.slice(0, 20)) }
    t.ok((await feedSearch.run(context, { project_id, q: '10.9999/absent' })).items.length >= 0)
    await t.rejects(paperGet.run(context, { paper_id: 'Spindles today' }), {
      code: 'paper_not_found',
      message: /To find a paper by its title, call feed_search/
    })
  })

  t.test('an identifier that no paper has leads to adding the paper', async t => {
    const fact = 'No paper with DOI 10.9999/absent is in your feeds.'
    for (const [key, message] of [
      [undefined, `${fact} paper_add adds it to a project.`],
      [{ scope: 'act', projectIds: null }, `${fact} paper_add adds it to a project.`],
      [{ scope: 'read', projectIds: null }, `${fact} The user can add it in the dashboard.`]
    ] as const) {
      const keyed = { ...context, ...(key === undefined ? {} : { key: { id: 'x', name: 'x', ...key } }) }
      const expected = { code: 'paper_not_found', message, userMessage: fact }
      await t.rejects(paperGet.run(keyed, { paper_id: 'https://doi.org/10.9999/absent' }), expected)
    }
    await t.rejects(paperGet.run(context, { paper_id: '87654321' }), { message: /^Paper 87654321 doesn't exist/ }, 'perhaps a short id')
  })

  t.test("the address of a publisher's page finds its paper, or none", async t => {
    const pages = await projectWith(user, [
      { title: 'Array programming', doi: '10.1038/s41586-020-2649-2' },
      { title: 'Articles of www.nature.com', abstract: 'https://www.nature.com/articles/ is an address.' }
    ])
    const page = 'https://www.nature.com/articles/s41586-020-2649-2'
    t.equal((await paperGet.run(context, { paper_id: page })).title, 'Array programming')
    const found = async (q: string) =>
      (await feedSearch.run(context, { project_id: pages, q })).items.map(({ paper_title }) => paper_title)
    t.strictSame(await found(page), ['Array programming'])
    t.strictSame(await found('https://www.nature.com/articles/s41586-020-9999-9'), [], 'parts of the address are no words')
  })

  t.test("does not find another account's paper by identifier", async t => {
    const stranger = await service.user()
    await t.rejects(paperGet.run(stranger.context, { paper_id: '10.5555/today' }), { code: 'paper_not_found' })
  })
})

t.test('detail: brief has no abstract, three authors, and a bounded length whatever the paper says', async t => {
  const service = base
  const user = await service.user()
  const authors = Array.from({ length: 12 }, (_, at) => ({ name: `Given Family-Name ${at}` }))
  const abstract =
    ('We recorded 120 sleepers over two nights in three laboratories. Spindle density rose by 12 % (95 % CI 4 to 20). These results ' +
      'suggest that spindles support consolidation. ').repeat(
      8
    )
  const project_id = await projectWith(
    user,
    Array.from({ length: 20 }, (_, at) => ({
      title: `Sleep spindles and the consolidation of declarative memory in older adults, part ${at}`,
      abstract,
      authors,
      doi: `10.5555/brief.${at}`,
      venue_name: 'Journal of Sleep Research',
      published_date: '2026-11-02',
      metadata: { volume: '12', issue: '3', keywords: ['sleep', 'memory'] }
    })),
    { positive_keywords: ['spindles'] }
  )
  const { items } = await feedGet.run(user.context, { project_id, detail: 'brief', limit: 20 })
  const sizes = items.map(item => JSON.stringify(item).length)
  t.ok(sizes.reduce((sum, size) => sum + size, 0) / sizes.length <= 1000, `${sizes[0]} characters`)
  const [item] = items as unknown as Array<Record<string, any>>
  t.match(item, {
    id: String,
    paper_title: String,
    relevance_score: Number,
    personalized_note: String,
    feedback: null,
    ready_at: String,
    paper: {
      published_date: '2026-11-02',
      venue_name: 'Journal of Sleep Research',
      reference_label: /^DOI 10/,
      index_url: /^https:\/\/doi.org/
    }
  })
  t.strictSame(
    item!.paper.authors.map(({ name }: { name: string }) => name),
    ['Given Family-Name 0', 'Given Family-Name 1', 'Given Family-Name 2', 'et al.']
  )
  t.notOk('abstract' in item!.paper)
  t.ok(item!.summary.length <= 280 && item!.summary.split('. ').length <= 3)
  const full = await paperGet.run(user.context, { paper_id: '10.5555/brief.1' })
  t.match(await paperGet.run(user.context, { paper_id: '10.5555/brief.1', detail: 'brief' }), {
    ...full, authors: [...full.authors.slice(0, 3), { name: 'et al.' }], metadata: {}
  })
  const voted = await feedbackSet.run(user.context, { paper_id: items[0]!.id, vote: 'star', detail: 'brief' })
  const cleared = await feedbackClear.run(user.context, { paper_id: items[0]!.id, detail: 'brief' })
  t.match([voted.item.feedback, cleared.item.feedback], [{ vote: 'star' }, null])
  t.match([voted.item.seen_at, cleared.item.seen_at], [String, undefined], 'a vote that is taken back leaves the paper unseen')
  for (const { item } of [voted, cleared]) t.notOk('abstract' in item.paper, 'also after a vote')
  const hostile = await projectWith(user, [
    { title: 'x'.repeat(5000), abstract: `${'y'.repeat(9000)}`, authors: [{ name: 'z'.repeat(900) }], venue_name: 'v'.repeat(900) }
  ])
  const { items: [long] } = await feedGet.run(user.context, { project_id: hostile, detail: 'brief' })
  t.ok(JSON.stringify(long).length < 2000, 'bounded whatever the paper says')
})
