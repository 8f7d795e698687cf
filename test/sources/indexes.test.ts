import t from 'tap'
import { arxiv } from '../../src/sources/arxiv.js'
import { biorxiv } from '../../src/sources/biorxiv.js'
import { crossref } from '../../src/sources/crossref.js'
import { europepmc } from '../../src/sources/europepmc.js'
import { openalex } from '../../src/sources/openalex.js'
import { pubmed } from '../../src/sources/pubmed.js'
import { arxivStandIn, errorFeed } from '../support/stand-ins/arxiv.js'
import { biorxivStandIn } from '../support/stand-ins/biorxiv.js'
import { crossrefStandIn } from '../support/stand-ins/crossref.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import { editing, type Publication } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { json, parametersOf, xml } from '../support/stand-ins/server.js'
import { sourceContext, runSearch } from '../support/source-search.js'

const many = (count: number, part: Partial<Publication> = {}): Publication[] =>
  Array.from({ length: count }, (_, at) => ({
    title: `Editing paper ${at}`,
    abstract: 'On editing.',
    date: `2026-11-${String((at % 20) + 1).padStart(2, '0')}`,
    doi: `10.1000/many.${at}`,
    arxiv: `2611.${String(at).padStart(5, '0')}`,
    pmid: String(42_000_000 + at),
    openalex: `W${5_000_000 + at}`,
    ...part
  }))

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
    const { url, requests } = await arxivStandIn(t, many(450))
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
    const { url, next } = await arxivStandIn(t, many(250))
    const whole = await (await fetch(`${url}/api/query?search_query=all:editing&max_results=200`)).text()
    next.push(xml(whole.slice(0, 40_000)))
    const { records, cursors, error } = await runSearch(arxiv, sourceContext(arxiv, url), { query: 'all:editing' })
    t.equal(new Set(records.map(({ source_paper_id }) => source_paper_id)).size, 250)
    t.equal(cursors.length, 2)
    t.equal(error, undefined)
  })
  t.test('reports an empty page before the last result', async t => {
    const { url, next } = await arxivStandIn(t, many(250))
    next.push(
      xml((await (await fetch(`${url}/api/query?search_query=all:editing&max_results=1`)).text()).replace(/<entry>[^]*<\/entry>/, ''))
    )
    const { records, error } = await runSearch(arxiv, sourceContext(arxiv, url), { query: 'all:editing' })
    t.strictSame(records, [])
    t.match(error, { fault: 'unavailable', message: /an empty page where it has 250 more papers/ })
  })
  t.test('reports a short page before the last result, and continues there', async t => {
    const { url, next } = await arxivStandIn(t, many(500))
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

t.test('PubMed', async t => {
  t.test('splits the days of a query with more papers than it gives', async t => {
    const { url, requests, next } = await pubmedStandIn(t, [])
    next.push(json({ esearchresult: { count: '10000', idlist: [] } }))
    const { error } = await runSearch(pubmed, sourceContext(pubmed, url), { from: '2026-11-01', to: '2026-11-02' })
    t.equal(error, undefined)
    t.strictSame(
      requests.map(request => ['retmax', 'mindate', 'maxdate'].map(name => parametersOf(request).get(name))),
      [['2026/11/01', '2026/11/02'], ['2026/11/01', '2026/11/01'], ['2026/11/02', '2026/11/02']].map(days => ['9999', ...days])
    )
  })
  t.test('returns records with all ids, and only stated PDFs', async t => {
    const { url, requests } = await pubmedStandIn(t, [editing])
    const { records } = await runSearch(pubmed, sourceContext(pubmed, url, { contact: 'me@example.org', apiKey: 'the-key' }))
    t.match(records, [
      {
        doi: '10.1000/edit.1',
        pdf_url: null,
        external_ids: { pmid: '41000001', pmcid: 'PMC12000001' },
        venue_name: 'Journal of Editing',
        published_date: '2026-11-10'
      }
    ])
    const parameters = parametersOf(requests[0]!)
    t.same(
      ['tool', 'email', 'api_key', 'datetype', 'mindate', 'maxdate'].map(name => parameters.get(name)),
      ['litfeed', 'me@example.org', 'the-key', 'edat', '2026/11/01', '2026/11/20']
    )
    t.notMatch(requests.map(({ url }) => url.href).join(' '), 'the-key', 'no key in an address')
  })
  t.test('fetches in batches and resumes at a cursor', async t => {
    const { url } = await pubmedStandIn(t, many(450))
    const { records, cursors } = await runSearch(pubmed, sourceContext(pubmed, url))
    t.equal(new Set(records.map(({ source_paper_id }) => source_paper_id)).size, 450)
    t.same(cursors, ['2026-11-01/2026-11-20:200', '2026-11-01/2026-11-20:400', null])
    const rest = async (cursor: string) => (await runSearch(pubmed, sourceContext(pubmed, url), { cursor })).records.length
    t.equal(await rest('2026-11-01/2026-11-20:400'), 50)
    t.equal(await rest('2026-11-01/2026-11-20:0'), 450)
    t.equal(await rest('2026-11-01:400'), 450, 'a cursor that does not say where its window ends')
  })
  t.test("bisects a window above PubMed's result limit", async t => {
    const papers = many(15_000)
    const { url, requests } = await pubmedStandIn(t, papers)
    const { records, error } = await runSearch(pubmed, sourceContext(pubmed, url))
    t.equal(error, undefined)
    t.equal(new Set(records.map(({ source_paper_id }) => source_paper_id)).size, 15_000)
    t.equal(requests.filter(({ url }) => url.pathname === '/esearch.fcgi').length, 3)
  })
  t.test('resumes in one of several windows with the ids of that window', async t => {
    const early = many(11_000).map((paper, at) => ({ ...paper, date: `2026-11-${String(at % 10 + 1).padStart(2, '0')}` }))
    const late = many(12_000).slice(11_000).map(paper => ({ ...paper, date: '2026-11-15' }))
    const { url } = await pubmedStandIn(t, [...late, ...early])
    const { records, cursors } = await runSearch(pubmed, sourceContext(pubmed, url), { cursor: '2026-11-06/2026-11-10:400' })
    t.equal(records.length, 5500 - 400 + 1000)
    t.equal(new Set(records.map(({ source_paper_id }) => source_paper_id)).size, 6100)
    t.strictSame([cursors[0], cursors[25], cursors.at(-1)], ['2026-11-06/2026-11-10:600', '2026-11-11/2026-11-20:0', null])
  })
  t.test('classifies its errors', async t => {
    const { url, next } = await pubmedStandIn(t, [editing])
    const context = sourceContext(pubmed, url)
    next.push({ body: JSON.stringify({ esearchresult: { ERROR: 'Search Backend failed: timed out' } }) })
    t.match((await runSearch(pubmed, context)).error, { fault: 'unavailable' })
    next.push({ body: '<html>Maintenance</html>' })
    t.match((await runSearch(pubmed, context)).error, {
      fault: 'wrong_answer',
      message: 'PubMed sent something other than its JSON.',
      detail: 'Maintenance'
    })
    next.push({ body: '{"error":"Invalid db name specified"}', status: 400 })
    t.match((await runSearch(pubmed, context)).error, { fault: 'bad_query', message: /status 400/, detail: /Invalid db name/ })
    next.push({ body: '{"error":"API key invalid","api-key":"the-key"}', status: 400 })
    t.match((await runSearch(pubmed, context)).error, {
      fault: 'unavailable',
      message: 'PubMed rejected the API key. The operator can correct PUBMED_API_KEY.',
      detail: 'API key invalid'
    })
  })
  t.test('fails to send records without losing any', async t => {
    const { url, next } = await pubmedStandIn(t, many(450))
    const context = sourceContext(pubmed, url)
    const ids = { body: JSON.stringify({ esearchresult: { count: '450', idlist: many(450).map(({ pmid }) => pmid) } }) }
    const error = (text: string) => `<?xml version="1.0"?><eFetchResult><ERROR>${text}</ERROR></eFetchResult>`
    for (const [answer, detail] of [
      [{ body: error('cannot get document') }, 'cannot get document'],
      [{ body: error('proxy_stream(): Failed to connect to PubOne service'), status: 400 }, /proxy_stream/],
      [{ body: '{"error":"API key invalid"}', status: 400 }, /API key invalid/],
      [{ body: '<?xml version="1.0" ?><PubmedArticleSet></PubmedArticleSet>' }, undefined]
    ] as const) {
      next.push(ids, xml(await (await fetch(`${url}/efetch.fcgi?db=pubmed&id=42000000`)).text()), answer)
      const { records, reasons, cursors, error } = await runSearch(pubmed, context)
      t.strictSame([records.length, reasons, cursors], [1, [], ['2026-11-01/2026-11-20:200']], 'the next fetch continues there')
      t.match(error, { fault: 'unavailable', ...detail === undefined ? {} : { detail } })
    }
    t.equal((await runSearch(pubmed, context, { cursor: '2026-11-01/2026-11-20:200' })).records.length, 250)
  })
  t.test('may not know a single record', async t => {
    const { url, next } = await pubmedStandIn(t, [])
    const context = sourceContext(pubmed, url)
    const find = async () => await pubmed.lookup!.find(context, { kind: 'pmid', value: '00000001' })
    t.strictSame(await find(), [])
    next.push({ body: '<eFetchResult><ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>', status: 400 })
    t.strictSame(await find(), [])
  })
})

t.test('Europe PMC', async t => {
  t.test('reads names of a record that states them in one text', async t => {
    const { url, next } = await europepmcStandIn(t, [])
    const authorString = 'Smith JB, de la Cruz M Jr.'
    const result = { id: '1', source: 'PAT', title: 'A patent.', authorString, firstPublicationDate: '2026-11-10' }
    next.push(json({ hitCount: 1, nextCursorMark: '*', resultList: { result: [result] } }))
    const { records } = await runSearch(europepmc, sourceContext(europepmc, url))
    t.match(records, [{ authors: [{ name: 'JB Smith' }, { name: 'M de la Cruz Jr' }] }])
  })
  t.test('returns records by cursor with open-access PDFs', async t => {
    const { url, requests } = await europepmcStandIn(t, [
      { ...editing, pdfUrl: 'https://europepmc.org/articles/PMC12000001?pdf=render' },
      ...many(250)
    ])
    const { records, cursors } = await runSearch(europepmc, sourceContext(europepmc, url))
    t.equal(records.length, 251)
    t.same(cursors, ['AoJ200', 'AoJ251'])
    t.match(records[0], {
      title: 'Base editing of ABCA4 in the retina',
      abstract: 'Background: We edited α & β cells.',
      pdf_url: 'https://europepmc.org/articles/PMC12000001?pdf=render',
      source_paper_id: 'MED:41000001',
      external_ids: { pmid: '41000001', pmcid: 'PMC12000001' },
      metadata: { open_access: true }
    })
    t.match(parametersOf(requests[0]!).get('query'), '(editing) AND (FIRST_IDATE:[2026-11-01 TO 2026-11-20])')
  })
  t.test('detects errors with status 200', async t => {
    const { url, next } = await europepmcStandIn(t, [])
    next.push({ body: JSON.stringify({ version: '6.9', errCode: 404, errMsg: 'Invalid query' }) })
    t.match((await runSearch(europepmc, sourceContext(europepmc, url))).error, {
      fault: 'bad_query',
      message: 'Europe PMC rejected the query. Check its syntax.',
      detail: 'Invalid query'
    })
  })
})

t.test('bioRxiv', async t => {
  t.test('filters whole days by topic, whatever the page size', async t => {
    const preprints = many(100, { preprint: true }).map((paper, at) =>
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
    const { url } = await biorxivStandIn(t, many(60, { preprint: true }), { pageSize: 2 })
    const { cursors } = await runSearch(biorxiv, sourceContext(biorxiv, url), { query: '*' })
    t.equal(cursors.at(-1), null)
    const rest = await runSearch(biorxiv, sourceContext(biorxiv, url), { query: '*', cursor: cursors[10]! })
    const whole = await runSearch(biorxiv, sourceContext(biorxiv, url), { query: '*' })
    t.same(rest.cursors, whole.cursors.slice(11))
  })
  t.test('links preprints to their journal article', async t => {
    const { url } = await biorxivStandIn(t, [{ ...editing, preprint: true, doi: '10.1101/2026.11.10.1', publishedDoi: '10.1000/edit.1' }])
    const { records } = await runSearch(biorxiv, sourceContext(biorxiv, url))
    t.match(records, [{ doi: '10.1101/2026.11.10.1', metadata: { published_doi: '10.1000/edit.1' } }])
  })
})

t.test('OpenAlex', async t => {
  t.test('rebuilds abstracts, and pages without a key', async t => {
    const { url } = await openalexStandIn(t, [editing, ...many(150)])
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
    const { url, requests } = await openalexStandIn(t, many(150))
    const { records, cursors } = await runSearch(openalex, sourceContext(openalex, url, { apiKey: 'a-key' }))
    t.equal(records.length, 150)
    t.same(cursors, ['I100', null])
    t.ok(requests.every(({ url }) => !url.searchParams.get('filter')!.includes('from_created_date')), 'which is for paying customers')
  })
  t.test('starts again when the key of an open listing was removed', async t => {
    const { url } = await openalexStandIn(t, many(150))
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
    const noise = many(400).map(paper => ({ ...paper, title: paper.title.replace('Editing', 'Retina'), abstract: null }))
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
    const { url, requests, next } = await crossrefStandIn(t, many(450))
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
    const { url, requests, next } = await crossrefStandIn(t, many(250))
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
    const { url, requests } = await crossrefStandIn(t, many(150), { limit: '1', interval: '1s' })
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
