import t from 'tap'
import { europepmc } from '../../src/sources/europepmc.js'
import { pubmed } from '../../src/sources/pubmed.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { editing, manyPapers } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { json, parametersOf, xml } from '../support/stand-ins/server.js'
import { sourceContext, runSearch } from '../support/source-search.js'

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
    const { url } = await pubmedStandIn(t, manyPapers(450))
    const { records, cursors } = await runSearch(pubmed, sourceContext(pubmed, url))
    t.equal(new Set(records.map(({ source_paper_id }) => source_paper_id)).size, 450)
    t.same(cursors, ['2026-11-01/2026-11-20:200', '2026-11-01/2026-11-20:400', null])
    const rest = async (cursor: string) => (await runSearch(pubmed, sourceContext(pubmed, url), { cursor })).records.length
    t.equal(await rest('2026-11-01/2026-11-20:400'), 50)
    t.equal(await rest('2026-11-01/2026-11-20:0'), 450)
    t.equal(await rest('2026-11-01:400'), 450, 'a cursor that does not say where its window ends')
  })
  t.test("bisects a window above PubMed's result limit", async t => {
    const papers = manyPapers(15_000)
    const { url, requests } = await pubmedStandIn(t, papers)
    const { records, error } = await runSearch(pubmed, sourceContext(pubmed, url))
    t.equal(error, undefined)
    t.equal(new Set(records.map(({ source_paper_id }) => source_paper_id)).size, 15_000)
    t.equal(requests.filter(({ url }) => url.pathname === '/esearch.fcgi').length, 3)
  })
  t.test('reports parts of a query that it ignored, also where it finds nothing', async t => {
    const { url, next } = await pubmedStandIn(t, manyPapers(2))
    const nothing = json({ esearchresult: { count: '0', idlist: [], warninglist: { quotedphrasesnotfound: ['"gene editting"'] } } })
    next.push(nothing)
    const search = { query: '"gene editting" OR editing' }
    const { records, cursors, shortfall } = await runSearch(pubmed, sourceContext(pubmed, url), search)
    t.strictSame([records, cursors], [[], [null]])
    t.match(shortfall, /ignored parts of the query .*gene editting/)
    next.push(nothing)
    const inTwo = await runSearch(pubmed, sourceContext(pubmed, url), { ...search, cursor: '2026-10-01/2026-10-20:0' })
    t.strictSame([inTwo.records.length, inTwo.cursors], [2, ['2026-10-21/2026-11-20:0', null]], 'and goes on with the next window')
  })
  t.test('resumes in one of several windows with the ids of that window', async t => {
    const early = manyPapers(11_000).map((paper, at) => ({ ...paper, date: `2026-11-${String(at % 10 + 1).padStart(2, '0')}` }))
    const late = manyPapers(12_000).slice(11_000).map(paper => ({ ...paper, date: '2026-11-15' }))
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
    const { url, next } = await pubmedStandIn(t, manyPapers(450))
    const context = sourceContext(pubmed, url)
    const ids = { body: JSON.stringify({ esearchresult: { count: '450', idlist: manyPapers(450).map(({ pmid }) => pmid) } }) }
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
  t.test('reports a list that has none of the ids it counts', async t => {
    const { url, next } = await pubmedStandIn(t, manyPapers(300))
    next.push(json({ esearchresult: { count: '300', idlist: [] } }))
    const { records, error } = await runSearch(pubmed, sourceContext(pubmed, url))
    t.match([records, error], [[], { fault: 'unavailable', message: 'PubMed listed none of the 300 papers that it has.' }])
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
      ...manyPapers(250)
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
  t.test('reports a first page that has none of the papers it counts', async t => {
    const { url, next } = await europepmcStandIn(t, manyPapers(500))
    const context = sourceContext(europepmc, url)
    const empty = json({ hitCount: 500, nextCursorMark: '*', resultList: { result: [] } })
    next.push(empty)
    const message = 'Europe PMC listed none of the 500 papers that it has.'
    t.match(await runSearch(europepmc, context), { records: [], error: { fault: 'unavailable', message } })
    next.push(empty)
    t.equal((await runSearch(europepmc, context, { cursor: 'AoJ200' })).error, undefined, 'a listing that goes on may be at its end')
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
