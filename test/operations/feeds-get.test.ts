import t from 'tap'
import { sql } from 'kysely'
import { StatementTimeout } from '../../db/errors.js'
import { saveMarkdown } from '../../db/queries/markdown.js'
import { withTimeLimit } from '../../db/queries/time-limit.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { feedsGet } from '../../src/operations/feed/feeds-get.js'
import { scanFeeds } from '../../src/papers/all-feeds/scan.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { exportFormats } from '../../src/papers/citations/export-formats.js'
import { addPapers, projectWith, testService } from '../support/service.js'

const service = await testService(t)

t.test('the feed of all projects', async t => {
  const user = await service.user()
  const stranger = await service.user()
  const sleep = await projectWith(user, [
    { title: 'Sleep spindles', authors: [{ name: 'Ada Müller' }], venue_name: 'Journal of 100% Sleep', published_date: '2020-12-31' },
    { title: 'Sleep and memory', authors: [{ name: 'Bo Li' }], venue_name: 'Neuron', published_date: '2021-01-01' }
  ], { name: 'Sleep' })
  const retina = await projectWith(user, [
    { title: 'Retina editing', authors: [{ name: 'Bo Li' }, { name: 'Cy Twombly' }], venue_name: 'eLife', published_date: '2024-06-01' },
    { title: 'A sleep of the retina', venue_name: 'neuron reports' }
  ], { name: 'Retina' })
  await projectWith(stranger, [{ title: 'Their sleep', venue_name: 'Neuron' }], { name: 'Theirs' })
  const titles = async (input: object) =>
    (await feedsGet.run(user.context, { limit: 100, ...input })).items.map(({ paper_title }) => paper_title).sort()

  await t.test("names each item's project and hides other accounts", async t => {
    const { items, total, has_more, query } = await feedsGet.run(user.context, {})
    t.strictSame(Object.fromEntries(items.map(({ paper_title, project_name }) => [paper_title, project_name])), {
      'Sleep spindles': 'Sleep', 'Sleep and memory': 'Sleep', 'Retina editing': 'Retina', 'A sleep of the retina': 'Retina'
    })
    t.strictSame([total, has_more, query], [4, false, null])
  })

  await t.test('is exported over REST in every format, as far as a key can see', async t => {
    const { api_key: key } = await keyCreate.run(user.context, { name: 'Retina only', scope: 'read', project_ids: [retina] })
    const get = async (query: Record<string, string>, headers: object = { 'x-api-key': user.key }) =>
      await service.app.inject({ url: '/api/feed/export', query, headers: { ...headers } })
    for (const { name, type, extension } of exportFormats) {
      const { statusCode, headers, body } = await get({ format: name })
      t.strictSame([statusCode, headers['content-type']], [200, type], name)
      t.match(headers['content-disposition'], `all-projects.${extension}`)
      for (const title of ['Sleep spindles', 'Retina editing']) t.match(body, title)
      t.notMatch(body, 'Their sleep')
    }
    const limited = await get({ format: 'ris' }, { 'x-api-key': key })
    t.match(limited.body, /Retina editing/)
    t.notMatch(limited.body, /Sleep spindles/)
    const { items } = await feedsGet.run(user.context, { project_id: sleep })
    const chosen = items.map(({ id }) => id).join(',')
    t.match((await get({ format: 'ris', items: chosen })).body, /Sleep spindles/)
    t.notMatch((await get({ format: 'ris', items: chosen }, { 'x-api-key': key })).body, /Sleep/, 'also when the items are named')
    t.equal((await get({ format: 'ris' }, {})).statusCode, 401)
  })

  await t.test('is exported with each paper once, and as CSV with a row for each project', async t => {
    const owner = await service.user()
    const [one, other] = [await projectWith(owner, [], { name: 'One' }), await projectWith(owner, [], { name: 'Other' })]
    for (const project_id of [one, other]) await addPapers(owner.context, project_id, [{ title: 'In both', doi: '10.5555/both' }])
    const get = async (format: string) =>
      (await service.app.inject({ url: `/api/feed/export?format=${format}`, headers: { 'x-api-key': owner.key } })).body
    t.equal(JSON.parse(await get('csl')).length, 1)
    for (const [format, start] of [['ris', /^TY/gm], ['bibtex', /^@/gm]] as const) t.equal((await get(format)).match(start)?.length, 1, format)
    const [, ...rows] = (await get('csv')).trim().split('\r\n')
    t.strictSame(rows.map(row => row.split(',').at(-2)).sort(), ['One', 'Other'])
  })

  await t.test('stops a filter that no index answers when it takes too long, and says how to narrow it', async t => {
    const { db } = user.context
    const slow = new Proxy(db, {
      get (target, name) {
        if (name === 'transaction') return () => ({ execute: async () => { throw new StatementTimeout() } })
        const value = Reflect.get(target, name) as unknown
        return typeof value === 'function' ? value.bind(target) : value
      }
    })
    // Only scans use this one.
    const context = { ...user.context, sharedDb: slow }
    await t.rejects(feedsGet.run(context, { has_full_text: true }), {
      code: 'invalid_arguments',
      message: /^The filter by has_full_text took longer than 10 s: .*Select one project with project_id, or search with q/,
      userMessage: 'This filter took longer than 10 s. Select one project, or search for words.'
    })
    t.equal((await feedsGet.run(context, { year_from: 2024 })).total, 1)
    let time = 0
    const later = () => {
      time += 11_000
      return time
    }
    const { restore } = t.intercept(performance, 'now', { configurable: true, value: later })
    const tooSlow = { message: /^The filter by author and venue took longer than 10 s/ }
    const byNames = { projectIds: [retina], papers: { author: 'Li', venue: 'Neuron' } }
    await t.rejects(scanFeeds(user.context, byNames, { limit: 10, offset: 0, sort: 'best' }), tooSlow, 'many short statements')
    restore()
    if (user.context.installation.databaseKind === 'embedded') return
    const limited = user.context.dbFor(user.context.account.id)
    let open = () => {}
    const gate = new Promise<void>(resolve => { open = resolve })
    const transactions = Array.from({ length: 5 }, () => limited.transaction().execute(async () => await gate))
    const filter = { projectIds: [retina], papers: { author: 'Li' } }
    const { ids } = await scanFeeds(user.context, filter, { limit: 10, offset: 0, sort: 'best' })
    t.equal(ids.length, 1, 'a scan does not wait for the connections of its account, with the turn of others')
    open()
    await Promise.all(transactions)
    const sleep = withTimeLimit(db, 50, async transaction => await sql`select pg_sleep(20)`.execute(transaction))
    await t.rejects(sleep, StatementTimeout)
  })

  await t.test('pages through all items once, in every order', async t => {
    for (const sort of ['day', 'best', 'newest', 'published'] as const) {
      const seen: string[] = []
      for (let offset = 0; offset < 4; offset++) {
        seen.push(...(await feedsGet.run(user.context, { sort, limit: 1, offset })).items.map(({ id }) => id))
      }
      t.equal(new Set(seen).size, 4, sort)
    }
    t.equal((await feedsGet.run(user.context, { sort: 'published', limit: 1 })).items[0]!.paper_title, 'Retina editing')
  })

  await t.test('states the total on every page, and counts only where others follow', async t => {
    for (const [input, total, has_more] of [
      [{ limit: 3 }, 4, true], [{ limit: 4 }, 4, false], [{ limit: 3, offset: 3 }, 4, false], [{ offset: 4 }, 4, false],
      [{ year_from: 2030 }, 0, false]
    ] as const) t.match(await feedsGet.run(user.context, input), { total, has_more }, JSON.stringify(input))
  })

  await t.test('filters by record fields, also in a search', async t => {
    const cases: ReadonlyArray<[filter: object, listed: string[]]> = [
      [{ year_from: 2021 }, ['Retina editing', 'Sleep and memory']],
      [{ year_to: 2020 }, ['Sleep spindles']],
      [{ year_from: 2020, year_to: 2021 }, ['Sleep and memory', 'Sleep spindles']],
      [{ venue: 'NEURON' }, ['A sleep of the retina', 'Sleep and memory']],
      [{ venue: '100%' }, ['Sleep spindles']],
      [{ venue: '%' }, ['Sleep spindles']],
      [{ venue: '_' }, []],
      [{ author: 'bo li' }, ['Retina editing', 'Sleep and memory']],
      [{ author: 'MÜLLER' }, ['Sleep spindles']],
      [{ author: 'twombly', year_from: 2024 }, ['Retina editing']],
      [{ project_id: retina }, ['A sleep of the retina', 'Retina editing']],
      [{ author: 'bo li', venue: 'neuron' }, ['Sleep and memory']],
      [{ author: 'li', has_full_text: false }, ['Retina editing', 'Sleep and memory']],
      [{ author: 'li', has_full_text: true }, []],
      [{ has_full_text: true }, []],
      [{ must_read: true }, []]
    ]
    for (const [filter, listed] of cases) {
      t.strictSame(await titles(filter), listed, JSON.stringify(filter))
      t.equal((await feedsGet.run(user.context, filter)).total, listed.length)
      t.strictSame(
        await titles({ ...filter, q: 'sleep' }),
        listed.filter(title => /sleep/i.test(title)),
        `${JSON.stringify(filter)}, searched`
      )
    }
    const {
      items: [item]
    } = await feedsGet.run(user.context, { project_id: sleep, venue: 'neuron' })
    await saveMarkdown(service.context.db, {
      paper_id: item!.paper.id,
      account_id: stranger.context.account.id,
      markdown: 'text',
      origin: 'upload'
    })
    t.strictSame(await titles({ has_full_text: true }), [], 'the upload of another account does not count')
    await saveMarkdown(service.context.db, { paper_id: item!.paper.id, account_id: null, markdown: 'text', origin: 'jats' })
    t.strictSame(await titles({ has_full_text: true }), ['Sleep and memory'])
    t.equal((await titles({ has_full_text: false })).length, 3)
  })

  await t.test('filters by ids that sources stated', async t => {
    const scholar = await service.user()
    await projectWith(scholar, [
      {
        title: 'By print ISSN',
        authors: [{ name: 'Ada Lovelace', orcid: '0000-0002-1825-0097', openalex: 'A5023888391' }],
        metadata: { issn: '0028-0836' }
      },
      {
        title: 'By web ISSN',
        authors: [{ name: 'Bo Li' }, { name: 'A. Lovelace', orcid: '0000-0002-1825-0097' }],
        metadata: { issns: ['1476-4687', '0028-0836'] }
      },
      { title: 'By name', authors: [{ name: 'Ada Lovelace' }], venue_name: 'Nature' }
    ])
    const found = async (filter: object) =>
      (await feedsGet.run(scholar.context, filter)).items.map(({ paper_title }) => paper_title).sort()
    const both = ['By print ISSN', 'By web ISSN']
    t.same(await found({ author: '0000-0002-1825-0097' }), both)
    t.same(await found({ author: 'https://orcid.org/0000-0002-1825-0097' }), both)
    t.same(await found({ author: 'a5023888391' }), ['By print ISSN'])
    t.same(await found({ venue: '0028-0836' }), both)
    t.same(await found({ venue: '1476-4687', author: 'lovelace' }), ['By web ISSN'])
    t.same(await found({ author: '0000-0002-1825-0097', q: 'print' }), ['By print ISSN'])
    t.same(await found({ author: '0000-0001-5109-3700' }), [])
  })

  await t.test('lists full matches first, interleaving projects', async t => {
    const { items, query, total } = await feedsGet.run(user.context, { q: 'sleep retina' })
    t.equal(items[0]!.paper_title, 'A sleep of the retina')
    t.strictSame([items.length, total, query], [4, null, 'sleep OR retina'])
    const seen: string[] = []
    for (let offset = 0; offset < 4; offset++) {
      seen.push(...(await feedsGet.run(user.context, { q: 'sleep retina', limit: 1, offset })).items.map(({ id }) => id))
    }
    t.strictSame(
      seen,
      items.map(({ id }) => id),
      'pages keep the order'
    )
  })

  await t.test('shows votes and filters by them', async t => {
    const { items: [item] } = await feedsGet.run(user.context, { project_id: sleep })
    await feedbackSet.run(user.context, { paper_id: item!.id, vote: 'star' })
    t.match((await feedsGet.run(user.context, { feedback_filter: 'starred' })).items, [{ id: item!.id, feedback: { vote: 'star' } }])
  })

  await t.test('rejects other projects and invalid filters', async t => {
    await t.rejects(feedsGet.run(stranger.context, { project_id: sleep }), { code: 'project_not_found' })
    await t.rejects(feedsGet.run(user.context, { year_from: 2022, year_to: 2021 }), { code: 'invalid_arguments', message: /after year_to/ })
    await t.rejects(feedsGet.run(user.context, { year_from: 20 }), { code: 'invalid_arguments' })
    await t.rejects(feedsGet.run(user.context, { offset: 10_001 }), { code: 'invalid_arguments', message: /10,000.*Narrow the filter/ })
    t.match(await feedsGet.run(user.context, { offset: 10_000 }), { items: { length: 0 }, total: 4, has_more: false })
    await t.rejects(feedsGet.run(user.context, { q: 'ab' }), { code: 'invalid_arguments' })
  })

  await t.test('limits a key to its projects over REST', async t => {
    const { api_key } = await keyCreate.run(user.context, { name: 'Limited', project_ids: [retina] })
    for (const query of ['', '?q=sleep']) {
      const answer = await service.app.inject({ url: `/api/feed${query}`, headers: { 'x-api-key': api_key } })
      t.strictSame([...new Set(answer.json().items.map(({ project_name }: { project_name: string }) => project_name))], ['Retina'])
    }
    t.equal((await service.app.inject({ url: `/api/feed?project_id=${sleep}`, headers: { 'x-api-key': api_key } })).statusCode, 404)
  })
})

t.test('a search of all projects ends at the maximum offset', async t => {
  const user = await service.user()
  for (const name of ['One', 'Other']) {
    await projectWith(user, Array.from({ length: 510 }, (_, at) => ({ title: `Sleep ${name} ${at}` })), { name })
  }
  const pages = [[890, 100, true], [900, 100, false], [990, 10, false], [1000, 0, false], [1010, 0, false]] as const
  for (const [offset, count, has_more] of pages) {
    const page = await feedsGet.run(user.context, { q: 'sleep', limit: 100, offset })
    t.strictSame([page.items.length, page.has_more], [count, has_more], `offset ${offset}`)
  }
})

t.test('deep pages of a search are those of all results, however few each project gives', async t => {
  const user = await service.user()
  const titles = (count: number, words: (at: number) => string) =>
    Array.from({ length: count }, (_each, at) => ({ title: `${words(at)} ${at}` }))
  await projectWith(user, titles(300, at => at < 200 ? 'Sleep of rats' : 'Rats'), { name: 'Many' })
  await projectWith(user, titles(130, at => at % 2 === 0 ? 'Sleep' : 'Rats and sleep'), { name: 'Some' })
  for (let at = 0; at < 6; at++) await projectWith(user, titles(10, () => `Sleep ${at}`), { name: `Few ${at}` })
  const page = async (limit: number, offset: number) =>
    (await feedsGet.run(user.context, { q: 'sleep rats', limit, offset })).items.map(({ id }) => id)
  const seen: string[] = []
  for (let offset = 0; offset < 490; offset += 70) seen.push(...await page(70, offset))
  t.equal(new Set(seen).size, 490)
  for (const offset of [0, 60, 120, 255, 390]) t.strictSame(await page(100, offset), seen.slice(offset, offset + 100), `from ${offset}`)
})
