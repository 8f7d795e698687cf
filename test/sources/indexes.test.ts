import t from 'tap'
import { arxiv } from '../../src/sources/arxiv.js'
import { biorxiv } from '../../src/sources/biorxiv.js'
import { crossref } from '../../src/sources/crossref.js'
import { europepmc } from '../../src/sources/europepmc.js'
import { openalex } from '../../src/sources/openalex.js'
import { arxivStandIn, errorFeed } from '../support/stand-ins/arxiv.js'
import { biorxivStandIn } from '../support/stand-ins/biorxiv.js'
import { crossrefStandIn } from '../support/stand-ins/crossref.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import { editing, manyPapers, type Publication } from '../support/stand-ins/papers.js'
import { json, parametersOf, xml } from '../support/stand-ins/server.js'
import { sourceContext, runSearch } from '../support/source-search.js'

t.test('arXiv', async t => {
  t.test('returns journal DOIs, ids without version and single-line titles', async t => {
    const { url } = await arxivStandIn(t, [{ ...editing, publishedDoi: '10.1000/edit.1' }])
    const { records, error } = await runSearch(arxiv, sourceContext(arxiv, url), { query: 'all:editing' })
    t.equal(error, undefined)
    t.match(records, [
      {
        title: 'Base editing of ABCA4 in the retina',
        abstract: 'We edited α & β cells.',
        doi: '10.1000/edit.1',
        external_ids: { arxiv: '2611.01234' },
        published_date: '2026-11-10',
        url: 'https://arxiv.org/abs/2611.01234',
        pdf_url: 'https://arxiv.org/pdf/2611.01234v2',
        metadata: { version: 2 },
        source: { name: 'arxiv' }
      }
    ])
    t.same(records[0]!.authors, [{ name: 'Ana María Núñez de Balboa' }, { name: 'Wei Zhang' }])
  })
  t.test('pages through the window and returns a cursor', async t => {
    const { url, requests } = await arxivStandIn(t, manyPapers(450))
    const { records, cursors } = await runSearch(arxiv, sourceContext(arxiv, url), {
      query: 'all:editing',
      from: '2026-11-01',
      to: '2026-11-20'
    })
    t.equal(new Set(records.map(({ source_paper_id }) => source_paper_id)).size, 450)
    t.same(cursors, ['200', '400', null])
    t.equal(parametersOf(requests[0]!).get('search_query'), '(all:editing) AND submittedDate:[202611010000 TO 202611202359]')
    const rest = await runSearch(arxiv, sourceContext(arxiv, url), { query: 'all:editing', cursor: '400' })
    t.equal(rest.records.length, 50)
  })
  t.test('distinguishes a rejected query from an empty result', async t => {
    const { url, next } = await arxivStandIn(t, [])
    const context = sourceContext(arxiv, url)
    t.same(await runSearch(arxiv, context), { records: [], reasons: [], cursors: [], error: undefined })
    next.push(xml(errorFeed('start must be an integer')))
    t.match((await runSearch(arxiv, context)).error, {
      fault: 'bad_query',
      message: 'arXiv rejected the query. Check its syntax.',
      detail: /start must be an integer/
    })
    t.match((await runSearch(arxiv, context, { query: 'badfield:xyz' })).error, { fault: 'bad_query', message: /badfield/ })
    t.match(arxiv.checkQuery('badfield:xyz'), /no field "badfield"/)
    t.match(arxiv.checkQuery('all:"open'), /quotation mark/)
    t.equal(arxiv.checkQuery('cat:cs.CL AND abs:"a: b" ANDNOT (ti:x OR au:y)'), null)
  })
  t.test('retries after "Rate exceeded.", then gives up', async t => {
    const { url, next, requests } = await arxivStandIn(t, [editing])
    const exceeded = { status: 429, headers: { 'content-type': 'text/plain' }, body: 'Rate exceeded.' }
    next.push(exceeded)
    t.equal((await runSearch(arxiv, sourceContext(arxiv, url))).records.length, 1)
    next.push(exceeded, exceeded, exceeded, exceeded)
    t.match((await runSearch(arxiv, sourceContext(arxiv, url))).error, { fault: 'rate_limited', message: /arXiv/ })
    t.equal(requests.length, 6)
  })
  t.test('bisects a broken page', async t => {
    const { url, next } = await arxivStandIn(t, manyPapers(250))
    const whole = await (await fetch(`${url}/api/query?search_query=all:editing&max_results=200`)).text()
    next.push(xml(whole.slice(0, 40_000)))
    const { records, cursors, error } = await runSearch(arxiv, sourceContext(arxiv, url), { query: 'all:editing' })
    t.equal(new Set(records.map(({ source_paper_id }) => source_paper_id)).size, 250)
    t.equal(cursors.length, 2)
    t.equal(error, undefined)
  })
  t.test('reports an empty page before the last result', async t => {
    const { url, next } = await arxivStandIn(t, manyPapers(250))
    next.push(
      xml((await (await fetch(`${url}/api/query?search_query=all:editing&max_results=1`)).text()).replace(/<entry>[^]*<\/entry>/, ''))
    )
    const { records, error } = await runSearch(arxiv, sourceContext(arxiv, url), { query: 'all:editing' })
    t.strictSame(records, [])
    t.match(error, { fault: 'unavailable', message: /an empty page where it has 250 more papers/ })
  })
  t.test('reports a short page before the last result, and continues there', async t => {
    const { url, next } = await arxivStandIn(t, manyPapers(500))
    const page = async (start: number, size: number) =>
      xml(await (await fetch(`${url}/api/query?search_query=all:editing&start=${start}&max_results=${size}`)).text())
    const [whole, short] = [await page(0, 200), await page(200, 120)]
    next.push(whole, short)
    const { records, cursors, error } = await runSearch(arxiv, sourceContext(arxiv, url), { query: 'all:editing' })
    t.strictSame([records.length, cursors], [200, ['200']])
    t.match(error, { fault: 'unavailable', message: 'arXiv sent 120 papers on a page where it has 200.' })
    const rest = await runSearch(arxiv, sourceContext(arxiv, url), { query: 'all:editing', cursor: '200' })
    t.equal(new Set([...records, ...rest.records].map(({ source_paper_id }) => source_paper_id)).size, 500)
  })
  t.test('reports an HTML error page', async t => {
    const { url, next } = await arxivStandIn(t, [])
    next.push({ body: '<html><head><style>p{}</style></head><body><h1>Down for maintenance</h1></body></html>' })
    t.match((await runSearch(arxiv, sourceContext(arxiv, url))).error, {
      fault: 'wrong_answer',
      message: 'arXiv sent something other than an Atom feed.',
      detail: 'Down for maintenance'
    })
  })
})

t.test('bioRxiv', async t => {
  t.test('filters whole days by topic, whatever the page size', async t => {
    const preprints = manyPapers(100, { preprint: true }).map((paper, at) =>
      at % 2 === 0 ? paper : { ...paper, title: `Sleep ${at}`, abstract: 'On sleep.' }
    )
    const { url, requests } = await biorxivStandIn(t, preprints, { pageSize: 3 })
    const { records, error } = await runSearch(biorxiv, sourceContext(biorxiv, url), { query: 'gene therapy, edit' })
    t.equal(error, undefined)
    t.equal(records.length, 50)
    t.match(records[0], {
      venue_name: 'bioRxiv',
      doi: '10.1000/many.0',
      metadata: { version: 1, preprint: true, jatsxml: /^https:/ },
      authors: [{ name: 'A. Lovelace' }, { name: 'É. Borel' }]
    })
    t.ok(requests.every(({ url }) => /^\/details\/biorxiv\/\d{4}-\d\d-\d\d\/\d{4}-\d\d-\d\d\/\d+\/json$/.test(url.pathname)))
  })
  t.test('resumes within a window', async t => {
    const { url } = await biorxivStandIn(t, manyPapers(60, { preprint: true }), { pageSize: 2 })
    const { cursors } = await runSearch(biorxiv, sourceContext(biorxiv, url), { query: '*' })
    t.equal(cursors.at(-1), null)
    const rest = await runSearch(biorxiv, sourceContext(biorxiv, url), { query: '*', cursor: cursors[10]! })
    const whole = await runSearch(biorxiv, sourceContext(biorxiv, url), { query: '*' })
    t.same(rest.cursors, whole.cursors.slice(11))
  })
  t.test('reports an empty page before the last result', async t => {
    const { url, next } = await biorxivStandIn(t, manyPapers(60, { preprint: true }), { pageSize: 2 })
    const search = { query: '*', from: '2026-11-01', to: '2026-11-03' }
    const page = json(await (await fetch(`${url}/details/biorxiv/2026-11-01/2026-11-03/0/json`)).json() as object)
    next.push(page, json({ messages: [{ status: 'ok', total: '9' }], collection: [] }))
    const { records, cursors, error } = await runSearch(biorxiv, sourceContext(biorxiv, url), search)
    t.strictSame([records.length, cursors], [2, ['2026-11-01:2']])
    t.match(error, { fault: 'unavailable', message: 'bioRxiv sent an empty page where it has 7 more preprints.' })
    const rest = await runSearch(biorxiv, sourceContext(biorxiv, url), { ...search, cursor: cursors[0]! })
    t.strictSame([rest.records.length, rest.error], [7, undefined])
  })
  t.test('links preprints to their journal article', async t => {
    const { url } = await biorxivStandIn(t, [{ ...editing, preprint: true, doi: '10.1101/2026.11.10.1', publishedDoi: '10.1000/edit.1' }])
    const { records } = await runSearch(biorxiv, sourceContext(biorxiv, url))
    t.match(records, [{ doi: '10.1101/2026.11.10.1', metadata: { published_doi: '10.1000/edit.1' } }])
  })
})

t.test('OpenAlex', async t => {
  t.test('rebuilds abstracts, and pages without a key', async t => {
    const { url } = await openalexStandIn(t, [editing, ...manyPapers(150)])
    const { records, cursors } = await runSearch(openalex, sourceContext(openalex, url), { query: '"editing, gene" OR editing' })
    t.equal(records.length, 151)
    t.same(cursors, ['page 2', null])
    t.match(records[0], {
      abstract: 'We edited α & β cells.',
      external_ids: { openalex: 'W4400000001', pmid: '41000001', arxiv: '2611.01234' },
      doi: '10.1000/edit.1'
    })
  })
  t.test('uses cursors with a key', async t => {
    const { url, requests } = await openalexStandIn(t, manyPapers(150))
    const { records, cursors } = await runSearch(openalex, sourceContext(openalex, url, { apiKey: 'a-key' }))
    t.equal(records.length, 150)
    t.same(cursors, ['I100', null])
    t.ok(requests.every(({ url }) => !url.searchParams.get('filter')!.includes('from_created_date')), 'which is for paying customers')
  })
  t.test('reports a first page that has none of the papers it counts', async t => {
    const { url, next } = await openalexStandIn(t, manyPapers(250))
    for (const options of [{}, { apiKey: 'a-key' }]) {
      next.push(json({ meta: { count: 250, next_cursor: null }, results: [] }))
      const { records, error } = await runSearch(openalex, sourceContext(openalex, url, options))
      t.match([records, error], [[], { fault: 'unavailable', message: 'OpenAlex listed none of the 250 papers that it has.' }])
    }
  })
  t.test('starts again when the key of an open listing was removed', async t => {
    const { url } = await openalexStandIn(t, manyPapers(150))
    const { records, cursors, error } = await runSearch(openalex, sourceContext(openalex, url), { cursor: 'I100' })
    t.equal(error, undefined)
    t.strictSame([records.length, cursors], [150, ['page 2', null]])
    t.strictSame((await runSearch(openalex, sourceContext(openalex, url), { cursor: 'page 2' })).records.length, 50)
    const withKey = await runSearch(openalex, sourceContext(openalex, url, { apiKey: 'a-key' }), { cursor: 'page 2' })
    t.strictSame([withKey.records.length, withKey.error], [50, undefined], 'a listing by pages continues with a key')
  })
  t.test('recognizes lists of authors that end before the last one', async t => {
    const { url, next } = await openalexStandIn(t, [])
    const authorship = (at: number, author_position = at === 0 ? 'first' : 'middle') => ({
      author_position,
      author: { display_name: `Author ${at}` },
      institutions: [{ id: `https://openalex.org/I${at}`, display_name: `Institution ${at}` }]
    })
    const authorships = Array.from({ length: 99 }, (_, at) => authorship(at))
    const parsed = async (last: object, more: object = {}) => {
      const work = { id: 'https://openalex.org/W1', display_name: 'Editing', authorships: [...authorships, last], ...more }
      next.push(json({ meta: { count: 1 }, results: [work] }))
      return (await runSearch(openalex, sourceContext(openalex, url))).records[0]!.metadata
    }
    const first = [0, 1, 2].map(at => `I${at} Institution ${at}`)
    t.strictSame(await parsed(authorship(99)), { institutions: first, truncated: ['authors'] })
    t.strictSame(await parsed(authorship(99, 'last')), { institutions: [...first, 'I99 Institution 99'] })
    t.match(await parsed(authorship(99, 'last'), { is_authors_truncated: true }), { truncated: ['authors'] })
  })
  t.test('explains a rejected query', async t => {
    const { url, next } = await openalexStandIn(t, [])
    next.push({ status: 403, body: '{"error":"budget"}' })
    t.match((await runSearch(openalex, sourceContext(openalex, url))).error, { fault: 'unavailable', message: /OPENALEX_API_KEY/ })
  })
})

t.test('Crossref', async t => {
  t.test('keeps works with all topic words and stops after the last match', async t => {
    const noise = manyPapers(400).map(paper => ({ ...paper, title: paper.title.replace('Editing', 'Retina'), abstract: null }))
    const { url, requests } = await crossrefStandIn(t, [editing, ...noise])
    const { records } = await runSearch(crossref, sourceContext(crossref, url), { query: 'retina base editing, nothing like it' })
    t.match(records, [
      {
        doi: '10.1000/edit.1',
        title: 'Base editing of ABCA4 in the retina',
        abstract: 'We edited α & β cells.',
        url: 'https://doi.org/10.1000/edit.1',
        venue_name: 'Journal of Editing',
        published_date: '2026-11-10'
      }
    ])
    t.equal(records.length, 1)
    t.ok(requests.length <= 4, `${requests.length} requests`)
    t.match(parametersOf(requests[0]!).get('filter'), 'from-created-date:2026-11-01,until-created-date:2026-11-20')
  })
  t.test('reads all pages of a topic, whose cursor stays the same or changes', async t => {
    const { url, requests, next } = await crossrefStandIn(t, manyPapers(450))
    const { records, shortfall, error } = await runSearch(crossref, sourceContext(crossref, url))
    t.strictSame([new Set(records.map(({ doi }) => doi)).size, requests.length, shortfall, error], [450, 5, undefined, undefined])
    const page = async (cursor: string) => {
      const answer: any = await (await fetch(`${url}${requests[0]!.url.pathname}${requests[0]!.url.search}`)).json()
      return json({ ...answer, message: { ...answer.message, 'next-cursor': cursor } })
    }
    next.push(await page('first'), await page('second'), json({ status: 'ok', message: { 'next-cursor': 'third', items: [] } }))
    const before = requests.length
    await runSearch(crossref, sourceContext(crossref, url))
    t.strictSame(requests.slice(before).map(each => parametersOf(each).get('cursor')), ['*', 'first', 'second'])
  })
  t.test('reads a topic again from its start after a lost page, which would be skipped', async t => {
    const { url, requests, next } = await crossrefStandIn(t, manyPapers(250))
    const context = sourceContext(crossref, url)
    const lostPage: typeof context = {
      ...context,
      fetch: async (...request) => {
        if (requests.length === 1) next.push({ status: 429, headers: { 'retry-after': '0' }, body: '' }, 'break')
        return await context.fetch(...request)
      }
    }
    const { cursors, error } = await runSearch(crossref, lostPage)
    t.match(error, { fault: 'unavailable' })
    t.strictSame([cursors, requests.length], [['0'], 3], 'after a rate limit, the page is requested again')
    t.equal((await runSearch(crossref, context, { cursor: '0' })).records.length, 250)
  })
  t.test('follows the rate limit of the response headers', async t => {
    const { url, requests } = await crossrefStandIn(t, manyPapers(150), { limit: '1', interval: '1s' })
    await runSearch(crossref, sourceContext(crossref, url))
    t.ok(requests[1]!.at - requests[0]!.at >= 950, 'one a second')
  })
  t.test('recognizes preprints and retractions', async t => {
    const { url } = await crossrefStandIn(t, [{ ...editing, preprint: true, publishedDoi: '10.1000/other', retracted: true }])
    const { records } = await runSearch(crossref, sourceContext(crossref, url))
    t.match(records, [{ venue_name: 'bioRxiv', metadata: { preprint: true, published_doi: '10.1000/other', retracted: true } }])
  })
})

t.test('Crossref: chapters name their book, not its series, articles without pages their number, and groups are authors', async t => {
  const { url, next } = await crossrefStandIn(t, [])
  const parsed = async (type: string, more: object = {}) => {
    const work = { DOI: '10.1000/a', type, title: ['Editing'], 'container-title': ['A Series', 'The Book'], ...more }
    next.push(json({ message: { items: [work] } }))
    return (await runSearch(crossref, sourceContext(crossref, url))).records[0]
  }
  const ISBN = ['9783319245737', 'http://id.crossref.org/isbn/9783319245744']
  for (const type of ['book-chapter', 'proceedings-article']) {
    t.match(await parsed(type, { ISBN }), { venue_name: 'The Book', metadata: { isbn: ['9783319245737', '9783319245744'] } })
  }
  t.match(await parsed('journal-article', { 'article-number': '1587', author: [{ name: 'World Bank' }] }), {
    authors: [{ name: 'World Bank', group: true }],
    venue_name: 'A Series',
    metadata: { pages: '1587' }
  })
})

t.test('Crossref: a preprint that is named by its arXiv id has the DOI that arXiv derives from it', async t => {
  const { url, next } = await crossrefStandIn(t, [])
  const relation = { 'has-preprint': [{ 'id-type': 'arxiv', id: 'arXiv:2401.01234v2' }] }
  next.push(json({ message: { items: [{ DOI: '10.1000/a', type: 'journal-article', title: ['Editing'], relation }] } }))
  t.match((await runSearch(crossref, sourceContext(crossref, url))).records, [{ metadata: { preprint_doi: '10.48550/arxiv.2401.01234' } }])
})

t.test('records state which parts of a date the source knows', async t => {
  const dated = (date: string, part: Partial<Publication> = {}) => [{ ...editing, date, ...part }]
  const from = '2000-01-01'
  for (const [date, published] of [['2026', '2026'], ['2026-05', '2026-5'], ['2026-05-01', '2026-5-1']] as const) {
    const { url } = await crossrefStandIn(t, dated(date))
    t.match((await runSearch(crossref, sourceContext(crossref, url), { from })).records, [{ metadata: { published } }], `Crossref: ${date}`)
  }
  for (const [date, published] of [['2026-01-01', '2026'], ['2026-05-01', '2026-05'], ['2026-05-03', '2026-05-03']] as const) {
    const { url } = await openalexStandIn(t, dated(date))
    t.match((await runSearch(openalex, sourceContext(openalex, url), { from })).records, [{ metadata: { published } }], `OpenAlex: ${date}`)
  }
  const { url, next } = await europepmcStandIn(t, dated('2026-05-01'))
  const context = sourceContext(europepmc, url)
  t.match((await runSearch(europepmc, context, { from })).records, [{ metadata: { published: '2026-05-01' } }])
  const query = new URLSearchParams({ query: 'DOI:10.1000/edit.1' })
  const { resultList: { result: [result] } } = await (await fetch(`${url}/search?${query.toString()}`)).json() as any
  result.journalInfo = { ...result.journalInfo, dateOfPublication: '2026 May', printPublicationDate: '2026-05-01' }
  next.push(json({ version: '6.9', hitCount: 1, nextCursorMark: '*', resultList: { result: [result] } }))
  t.match((await runSearch(europepmc, context, { from })).records, [{ published_date: '2026-05-01', metadata: { published: '2026 May' } }])
})
