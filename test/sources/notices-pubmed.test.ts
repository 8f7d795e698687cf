import t, { type Test } from 'tap'
import type { WatchedPaper } from '../../db/queries/notice-checks.js'
import { pubmedNotices } from '../../src/sources/notices/pubmed.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import type { Publication } from '../support/stand-ins/papers.js'

/** Checks one paper at a PubMed that has these records. */
async function noticesOf (t: Test, paper: Partial<WatchedPaper>, records: readonly Publication[]) {
  const pubmed = await pubmedStandIn(t, records)
  const [checked] = await pubmedNotices.check({
    fetch: async (url, options) => {
      const response = await fetch(url, options as RequestInit)
      return { status: response.status, headers: response.headers, url: '', bytes: Buffer.from(await response.arrayBuffer()) }
    },
    baseUrl: pubmed.url,
    contact: undefined,
    apiKey: undefined
  }, [{
    id: 'paper',
    doi: null,
    pmid: null,
    arxiv: null,
    openalex: null,
    version: null,
    updated: null,
    journal_ref: null,
    created_at: new Date(),
    stated: [],
    ...paper
  }])
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

t.test('the article that takes the place of a retracted one is a new version, not its notice', async t => {
  const corrections = [{ type: 'RetractedandRepublishedIn', source: 'J Test. 2026 Feb 3;1(2):3. doi: 10.1000/new.', pmid: '42000009' }]
  t.strictSame(await noticesOf(t, { pmid: '42000001' }, [{ ...record, corrections }]), [
    { kind: 'retraction', doi: null, pmid: null, date: '2026-02-03' },
    { kind: 'new_version', doi: '10.1000/new', pmid: '42000009', date: '2026-02-03' }
  ])
})
