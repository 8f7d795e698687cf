import t, { type Test } from 'tap'
import type { WatchedPaper } from '../../db/queries/notice-checks.js'
import { pubmedNotices } from '../../src/sources/notices/pubmed.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import type { Publication } from '../support/stand-ins/papers.js'
import type { StandIn } from '../support/stand-ins/server.js'
import { watchedPaper } from '../support/watched-paper.js'

/** Checks papers at a PubMed. */
async function check (pubmed: StandIn, papers: ReadonlyArray<Partial<WatchedPaper>>) {
  return await pubmedNotices.check({
    fetch: async (url, options) => {
      const response = await fetch(url, options as RequestInit)
      return { status: response.status, headers: response.headers, url: '', bytes: Buffer.from(await response.arrayBuffer()) }
    },
    baseUrl: pubmed.url,
    contact: undefined,
    apiKey: undefined
  }, papers.map(watchedPaper))
}

/** Checks one paper at a PubMed that has these records. */
async function noticesOf (t: Test, paper: Partial<WatchedPaper>, records: readonly Publication[]) {
  const [checked] = await check(await pubmedStandIn(t, records), [paper])
  return checked?.notices.map(({ kind, doi, pmid, date }) => ({ kind, doi, pmid, date }))
}

const record: Publication = { title: 'A paper', date: '2025-03-04', pmid: '42000001', doi: '10.1000/a' }

t.test('a paper whose record PubMed has deleted is found by its DOI', async t => {
  const corrections = [{ type: 'RetractionIn', source: 'J Test. 2026 Feb 3;1(2):3. doi: 10.1000/r.', pmid: '42000009' }]
  t.match(await noticesOf(t, { pmid: '41000000', doi: '10.1000/a' }, [{ ...record, corrections }]), [
    { kind: 'retraction', doi: '10.1000/r' }
  ])
  t.equal(await noticesOf(t, { pmid: '41000000' }, [record]), undefined, 'without a DOI, PubMed does not know it')
})

t.test('a paper with a PMCID alone is found by it', async t => {
  const corrections = [{ type: 'RetractionIn', source: 'J Test. 2026 Feb 3;1(2):3. doi: 10.1000/r.', pmid: '42000009' }]
  const records = [{ ...record, pmcid: 'PMC700001', corrections }, { ...record, pmid: '42000002', doi: '10.1000/b', pmcid: 'PMC7000012' }]
  const pubmed = await pubmedStandIn(t, records)
  const papers = [{ id: 'retracted', pmcid: 'PMC700001' }, { id: 'fine', pmcid: 'PMC7000012' }, { id: 'unknown', pmcid: 'PMC1' }]
  const checked = await check(pubmed, papers)
  t.strictSame(checked.map(({ id, notices }) => [id, notices.map(({ kind }) => kind)]), [['retracted', ['retraction']], ['fine', []]])
  t.equal(pubmed.requests.length, 2, 'one search, and the records')
  t.ok(pubmedNotices.identifiers.includes('pmcid'), 'it is due')
  t.match(await noticesOf(t, { pmid: '41000000', pmcid: 'PMC700001' }, records), [{ kind: 'retraction' }], 'also if its record was deleted')
  t.match(await noticesOf(t, { doi: '10.1000/unknown', pmcid: 'PMC700001' }, records), [{ kind: 'retraction' }], 'or has another DOI')
})

t.test('the article that takes the place of a retracted one is a new version, not its notice', async t => {
  const corrections = [{ type: 'RetractedandRepublishedIn', source: 'J Test. 2026 Feb 3;1(2):3. doi: 10.1000/new.', pmid: '42000009' }]
  t.strictSame(await noticesOf(t, { pmid: '42000001' }, [{ ...record, corrections }]), [
    { kind: 'retraction', doi: null, pmid: null, date: '2026-02-03' },
    { kind: 'new_version', doi: '10.1000/new', pmid: '42000009', date: '2026-02-03' }
  ])
})

t.test('an answer without any record of a batch is no check', async t => {
  const pubmed = await pubmedStandIn(t, [record])
  const papers = [{ id: '1', pmid: '42000001' }, { id: '2', pmid: '42000002' }]
  const error = (text: string) => `<eFetchResult><ERROR>${text}</ERROR></eFetchResult>`
  for (const answer of [{ body: error('cannot get document') }, { body: error('proxy_stream(): Failed to connect'), status: 400 }]) {
    pubmed.next.push(answer)
    await t.rejects(check(pubmed, papers), { fault: 'unavailable', message: /^PubMed (?:could not send the records|is temporarily unavailable)\.$/ })
  }
  pubmed.next.push({ body: '<PubmedArticleSet></PubmedArticleSet>' })
  await t.rejects(check(pubmed, papers), { fault: 'wrong_answer', message: /any of 2 records/ }, 'which is tried again in halves')
  pubmed.next.push({ body: error('ID list is empty! Possibly it has no correct IDs.'), status: 400 })
  t.strictSame(await check(pubmed, papers.slice(1)), [], 'PubMed does not know the paper')
  t.match(await check(pubmed, papers), [{ id: '1', notices: { length: 0 } }])
})

t.test('the title of a record states its withdrawal or retraction where no link does', async t => {
  const titled = (title: string, more: Partial<Publication> = {}) => noticesOf(t, { pmid: '42000001' }, [{ ...record, title, ...more }])
  t.match(await titled('WITHDRAWN: Acupuncture for pain'), [{ kind: 'withdrawal', doi: null }])
  t.match(await titled('[RETRACTED ARTICLE: Cells]'), [{ kind: 'retraction' }])
  t.strictSame(await titled('Retraction: Cells'), [])
  t.strictSame(await titled('Retraction notice to “Cells”'), [])
  const corrections = [{ type: 'RetractionIn', source: 'J Test. 2026 Feb 3;1(2):3.', pmid: '42000009' }]
  t.match(await titled('RETRACTED: Cells', { corrections }), { length: 1, 0: { kind: 'retraction', pmid: '42000009' } }, 'once')
})

t.test('the date of a notice is the first of a range, without the parts that are not stated', async t => {
  const dateOf = async (cited: string) =>
    (await noticesOf(t, { pmid: '42000001' }, [{ ...record, corrections: [{ type: 'ErratumIn', source: `J Test. ${cited}` }] }]))![0]!.date
  t.equal(await dateOf('2021 Feb-Mar;12(2):3.'), '2021-02')
  t.equal(await dateOf('2021 Feb 28-Mar 5;12(2):3.'), '2021-02-28')
  t.equal(await dateOf('1998 Dec-1999 Jan;12(2):3.'), '1998-12')
  t.equal(await dateOf('2021 Spring;12(2):3.'), '2021-04')
  t.equal(await dateOf('2021;12(2):3. doi: 10.1000/n.'), '2021')
})

t.test('notices of one date without an identifier are told apart by their citations', async t => {
  const cited = async (...sources: string[]) => {
    const corrections = sources.map(source => ({ type: 'ErratumIn', source }))
    return (await check(await pubmedStandIn(t, [{ ...record, corrections }]), [{ pmid: '42000001' }]))[0]!.notices
      .map(({ reference }) => reference)
  }
  const [first, second] = ['N Engl J Med. 2020 Mar 5;382(10):978', 'N Engl J Med. 2020 Mar 5;382(10):979']
  t.strictSame(await cited(first, second), ['2020-03-05', '2020-03-05 n engl j med 2020 mar 5 382 10 979'], 'the first as it is stored')
  t.strictSame(await cited(first, `${first}.`), ['2020-03-05'], 'one that is stated twice')
  t.strictSame(await cited(first, second, `${second}.`), await cited(first, second))
  const inWinter = await cited('J Test. 2021 Winter;7(1):3', 'J Test. 2021 Winter;7(1):9')
  t.strictSame(inWinter, ['2021-01-01', '2021-01-01 j test 2021 winter 7 1 9'])
  t.strictSame(await cited('J Test.', 'J Trial.'), ['', 'j trial'])
  const long = await cited(first, `${second} ${'é'.repeat(5000)}`)
  t.ok(Buffer.byteLength(long[1]!) < 1000, 'an index takes it')
})

t.test('a corrected DOI of a record does not find it', async t => {
  const pubmed = await pubmedStandIn(t, [record])
  pubmed.next.push(
    { body: JSON.stringify({ esearchresult: { idlist: ['42000001'] } }) },
    {
      body: `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>42000001</PMID><Article><ArticleTitle>A paper</ArticleTitle>
<ELocationID EIdType="doi" ValidYN="N">10.1000/wrong</ELocationID><ELocationID EIdType="doi" ValidYN="Y">10.1000/right</ELocationID>
</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>`
    }
  )
  t.strictSame((await check(pubmed, [{ id: '1', doi: '10.1000/wrong' }, { id: '2', doi: '10.1000/right' }])).map(({ id }) => id), ['2'])
})
