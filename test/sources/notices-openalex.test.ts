import t from 'tap'
import type { WatchedPaper } from '../../db/queries/notice-checks.js'
import { openalexNotices } from '../../src/sources/notices/openalex.js'
import { isRetractedWork } from '../../src/sources/requests/openalex-works.js'
import type { SourceContext } from '../../src/sources/source.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { parametersOf } from '../support/stand-ins/server.js'
import { watchedPaper } from '../support/watched-paper.js'

const work = (at: number, more: Partial<Publication> = {}): Publication =>
  ({ title: `Work ${at}`, date: '2025-03-04', doi: `10.1000/${at}`, pmid: `4200000${at}`, openalex: `W420${at}`, ...more })

const contextOf = (baseUrl: string): SourceContext => ({
  fetch: async url => {
    const response = await fetch(url)
    return { status: response.status, headers: response.headers, url: '', bytes: Buffer.from(await response.arrayBuffer()) }
  },
  baseUrl,
  contact: undefined,
  apiKey: undefined
})

t.test('OpenAlex is asked by PMID about papers that no other identifier finds, in one request', async t => {
  const openalex = await openalexStandIn(t, [work(1, { retracted: true }), work(2), work(3, { retracted: true }), work(4)])
  const context = contextOf(openalex.url)
  const papers: WatchedPaper[] = [
    watchedPaper({ id: 'retracted', pmid: '42000001' }),
    watchedPaper({ id: 'fine', pmid: '42000002' }),
    watchedPaper({ id: 'comma', pmid: '42000003', doi: '10.1000/a,b' }),
    watchedPaper({ id: 'by-doi', pmid: '42000004', doi: '10.1000/4' }),
    watchedPaper({ id: 'unknown', pmid: '49999999' })
  ]
  const checked = await openalexNotices.check(context, papers)
  t.strictSame(Object.fromEntries(checked.map(({ id, notices }) => [id, notices.map(({ kind }) => kind)])), {
    'by-doi': [], retracted: ['retraction'], fine: [], comma: ['retraction']
  })
  t.strictSame(openalex.requests.map(request => parametersOf(request).get('filter')), [
    'doi:10.1000/4', 'pmid:42000001|42000002|42000003|49999999'
  ])
  t.ok(openalexNotices.identifiers.includes('pmid'), 'papers with a PMID alone are due')
})

t.test('a paper with a PMCID alone is found by it, which OpenAlex has without its prefix', async t => {
  const openalex = await openalexStandIn(t, [work(1, { pmcid: 'PMC700001', retracted: true }), work(2, { pmcid: 'PMC700002' })])
  const checked = await openalexNotices.check(contextOf(openalex.url), [
    watchedPaper({ id: 'retracted', pmcid: 'PMC700001' }),
    watchedPaper({ id: 'fine', pmcid: 'PMC700002' }),
    watchedPaper({ id: 'unknown', pmcid: 'PMC1' })
  ])
  t.match(checked, [
    { id: 'retracted', openalex: 'W4201', notices: [{ kind: 'retraction' }] }, { id: 'fine', openalex: 'W4202', notices: { length: 0 } }
  ])
  t.equal(checked.length, 2)
  t.strictSame(openalex.requests.map(request => parametersOf(request).get('filter')), ['pmcid:700001|700002|1'])
  t.ok(openalexNotices.identifiers.includes('pmcid'), 'it is due')
})

t.test('a paper whose work OpenAlex has merged into another is found by its DOI', async t => {
  const openalex = await openalexStandIn(t, [work(1, { retracted: true })])
  const checked = await openalexNotices.check(contextOf(openalex.url), [watchedPaper({ id: 'merged', openalex: 'W99', doi: '10.1000/1' })])
  t.match(checked, [{ id: 'merged', notices: [{ kind: 'retraction' }] }])
})

t.test('the work of a preprint says nothing about a paper with the same arXiv id and a DOI of its own', async t => {
  const openalex = await openalexStandIn(t, [work(1, { doi: '10.48550/arxiv.2503.00001' })])
  const checked = await openalexNotices.check(contextOf(openalex.url), [
    watchedPaper({ id: 'preprint', arxiv: '2503.00001' }), watchedPaper({ id: 'article', arxiv: '2503.00001', doi: '10.1000/unknown' })
  ])
  t.match(checked, [{ id: 'preprint', openalex: 'W4201' }])
  t.equal(checked.length, 1, 'OpenAlex does not know the article, so it withdraws nothing')
})

t.test('a refusal of OpenAlex says what to set', async t => {
  const openalex = await openalexStandIn(t, [work(1)])
  openalex.next.push({ status: 403, body: '{"error":"budget"}' })
  const checking = openalexNotices.check(contextOf(openalex.url), [watchedPaper({ id: 'asked', openalex: 'W4201' })])
  await t.rejects(checking, { fault: 'unavailable', message: /OPENALEX_API_KEY/, detail: /budget/ })
})

t.test('OpenAlex\'s flag on a notice or an erratum retracts nothing', async t => {
  const openalex = await openalexStandIn(t, [])
  for (const type of ['retraction', 'erratum', 'article']) {
    const work = { id: 'https://openalex.org/W1', doi: 'https://doi.org/10.1000/1', ids: {}, locations: [], is_retracted: true, type }
    openalex.next.push({ body: JSON.stringify({ results: [work] }) })
    const [checked] = await openalexNotices.check(contextOf(openalex.url), [watchedPaper({ id: 'paper', openalex: 'W1' })])
    t.strictSame(checked!.notices.map(({ kind }) => kind), type === 'article' ? ['retraction'] : [], type)
    t.equal(isRetractedWork(work), type === 'article')
  }
  t.match(parametersOf(openalex.requests[0]!).get('select'), /\btype\b/)
})
