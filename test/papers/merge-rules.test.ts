import t from 'tap'
import type { PaperRecord } from '../../schemas/paper.js'
import { complete, merge } from '../../src/papers/merge.js'
import { isFromJournalFeed, isEqualRecord } from '../../src/papers/same-work.js'
import { registerSources } from '../../src/papers/source-traits.js'
import { sources } from '../../src/sources/index.js'
import { record } from '../support/service.js'

registerSources(sources)

const work = (part: Partial<PaperRecord> = {}) =>
  record({ title: 'Base editing restores vision in mice', authors: [{ name: 'Ada Lovelace' }], published_date: '2026-11-01', ...part })
const pubmed = (part: Partial<PaperRecord> = {}) => work({ source: { name: 'pubmed' }, source_paper_id: '1', ...part })
const crossref = (part: Partial<PaperRecord> = {}) => work({ source: { name: 'crossref' }, source_paper_id: 'x', ...part })

t.test('a merge prefers the better record and fills gaps from the other', async t => {
  const full = {
    abstract: 'Other abstract.',
    url: 'https://example.org/o',
    pdf_url: 'https://example.org/o.pdf',
    doi: '10.1000/o',
    venue_name: 'Other',
    authors: [{ name: 'Other Author' }],
    published_date: '2026-03-04',
    external_ids: { pmid: '9', arxiv: null, openalex: 'W9' },
    metadata: { volume: '1', issue: '2' }
  } as Partial<PaperRecord>
  const better = pubmed({
    ...full,
    title: 'Better',
    abstract: 'Better abstract.',
    url: 'https://example.org/b',
    pdf_url: 'https://example.org/b.pdf',
    doi: '10.1000/b',
    venue_name: 'Better',
    authors: [{ name: 'Better Author' }],
    external_ids: { pmid: '1', pmcid: 'PMC1' },
    metadata: { volume: '7' }
  } as Partial<PaperRecord>)
  const bare = pubmed({ title: 'Better', authors: [], published_date: null })
  const other = crossref({ ...full, title: 'Other' })
  for (const merged of [merge(better, other), merge(other, better)]) {
    t.match(merged, {
      title: 'Better',
      abstract: 'Better abstract.',
      authors: [{ name: 'Better Author' }],
      url: 'https://example.org/b',
      pdf_url: 'https://example.org/b.pdf',
      doi: '10.1000/b',
      venue_name: 'Better',
      source: { name: 'pubmed' },
      source_paper_id: '1',
      external_ids: { pmid: '1', pmcid: 'PMC1', openalex: 'W9' },
      metadata: { volume: '7', issue: '2' },
      reference_label: 'PMID 1'
    })
    t.notOk('arxiv' in merged.external_ids)
  }
  for (const merged of [merge(bare, other), merge(other, bare)]) {
    t.match(merged, {
      title: 'Better',
      abstract: 'Other abstract.',
      authors: [{ name: 'Other Author' }],
      published_date: '2026-03-04',
      url: 'https://example.org/o',
      pdf_url: 'https://example.org/o.pdf',
      doi: '10.1000/o',
      venue_name: 'Other',
      source: { name: 'pubmed' },
      source_paper_id: '1',
      metadata: { volume: '1', issue: '2' }
    })
  }
})

t.test('a source id stays with its source', async t => {
  t.equal(merge(pubmed({ source_paper_id: null }), crossref()).source_paper_id, null)
  t.equal(merge(pubmed({ source_paper_id: null }), pubmed()).source_paper_id, '1')
  t.equal(merge(pubmed(), pubmed({ source_paper_id: null })).source_paper_id, '1')
})

t.test('the newer of equal records wins, the older of files in two formats', async t => {
  t.equal(merge(pubmed({ title: 'Old' }), pubmed({ title: 'New' })).title, 'New')
  const file = (name: string, title: string) => work({ source: { name }, title })
  t.equal(merge(file('ris', 'Old'), file('bibtex', 'New')).title, 'Old')
  t.equal(merge(file('ris', 'Old'), file('ris', 'New')).title, 'New')
})

t.test('an earlier version replaces a later one only from another source', async t => {
  const version = (name: string, metadata: object) => work({ source: { name }, title: JSON.stringify([name, metadata]), metadata })
  const cases: Array<[older: [string, object], newer: [string, object], takesNewer: boolean]> = [
    [['biorxiv', { version: 2 }], ['biorxiv', { version: 1 }], false],
    [['biorxiv', { version: 1 }], ['biorxiv', { version: 2 }], true],
    [['biorxiv', { version: 2 }], ['biorxiv', { version: 2 }], true],
    [['biorxiv', { version: 2 }], ['biorxiv', {}], true],
    [['biorxiv', {}], ['biorxiv', { version: 1 }], true],
    [['biorxiv', { version: 2 }], ['medrxiv', { version: 1 }], true]
  ]
  for (const [older, newer, takesNewer] of cases) {
    t.equal(merge(version(...older), version(...newer)).title, JSON.stringify(takesNewer ? newer : older), JSON.stringify([older, newer]))
  }
  const byDoi = (at: number | '') => crossref({ doi: `10.21203/rs.3.rs-1${at && `/v${at}`}`, title: `Version ${at}` })
  t.match(merge(byDoi(2), byDoi(1)), { title: 'Version 2', doi: '10.21203/rs.3.rs-1/v2' }, 'a DOI states the version, too')
  t.equal(merge(byDoi(1), byDoi(2)).title, 'Version 2')
  t.equal(merge(byDoi(2), byDoi('')).title, 'Version ')
})

t.test('a preprint keeps the date of its first version', async t => {
  const version = (at: number, published_date: string | null, part: Partial<PaperRecord> = {}) =>
    work({ source: { name: 'biorxiv' }, doi: '10.1101/2026.01.05.123456', metadata: { version: at }, published_date, ...part })
  const dates = (one: PaperRecord, other: PaperRecord) => [merge(one, other), merge(other, one)].map(each => each.published_date)
  const [first, second] = [version(1, '2026-01-05'), version(2, '2027-02-10')]
  t.strictSame(dates(first, second), ['2026-01-05', '2026-01-05'])
  t.match(merge(first, second), { metadata: { version: 2 } }, 'but the newest text')
  t.strictSame(dates(first, version(2, null)), ['2026-01-05', '2026-01-05'])
  t.strictSame(dates(version(1, '2026-01-01'), version(2, '2026-01-09')), ['2026-01-09', '2026-01-09'], 'a full date within the year')
  const numbered = (at: number, date: string) =>
    crossref({ doi: `10.21203/rs.3.rs-1/v${at}`, metadata: { preprint: true }, published_date: date })
  t.strictSame(dates(numbered(1, '2026-01-05'), numbered(2, '2027-02-10')), ['2026-01-05', '2026-01-05'])
  const [better, other] = [{ doi: '10.1000/a', published_date: '2026-03-04' }, { doi: '10.1000/a', published_date: '2026-02-02' }]
  t.strictSame(dates(pubmed(better), crossref(other)), ['2026-03-04', '2026-03-04'], 'an article has that of the better record')
})

t.test('an abstract of twice the length wins', async t => {
  const abstracts = (better: string | null, other: string | null) =>
    merge(crossref({ abstract: other }), pubmed({ abstract: better })).abstract?.length
  t.equal(abstracts('a'.repeat(299), 'b'.repeat(598)), 598)
  t.equal(abstracts('a'.repeat(299), 'b'.repeat(597)), 299)
  t.equal(abstracts('a'.repeat(300), 'b'.repeat(600)), 300)
  t.equal(abstracts(null, 'b'), 1)
  t.equal(abstracts('a', null), 1)
  t.equal(abstracts(null, null), undefined)
})

t.test('a full date replaces a compatible year or month', async t => {
  const date = (better: string | null, other: string | null) =>
    merge(crossref({ published_date: other }), pubmed({ published_date: better })).published_date
  for (const [better, other, expected] of [
    ['2026-01-01', '2026-05-06', '2026-05-06'],
    ['2026-05-01', '2026-05-06', '2026-05-06'],
    ['2026-05-01', '2026-06-06', '2026-05-01'],
    ['2026-01-01', '2025-05-06', '2026-01-01'],
    ['2026-05-07', '2026-05-06', '2026-05-07'],
    [null, '2026-05-06', '2026-05-06'],
    ['2026-05-06', null, '2026-05-06'],
    [null, null, null]
  ] as const) { t.equal(date(better, other), expected, `${better}, ${other}`) }
})

t.test('labels and names: a journal replaces a preprint server as venue, and a stated label is kept', async t => {
  t.equal(merge(crossref({ venue_name: 'Journal' }), pubmed({ venue_name: 'arXiv' })).venue_name, 'Journal')
  t.equal(merge(crossref(), pubmed({ venue_name: 'arXiv' })).venue_name, 'arXiv')
  t.equal(merge(crossref({ venue_name: 'Journal' }), pubmed({ venue_name: 'bioRxiv' })).venue_name, 'Journal')
  t.equal(merge(crossref({ venue_name: 'arXiv (Cornell University)' }), pubmed({ venue_name: 'arXiv' })).venue_name, 'arXiv')
  t.equal(merge(pubmed(), pubmed({ reference_label: 'Stated', index_url: 'https://example.org/stated' })).reference_label, 'Stated')
  t.match(merge(pubmed({ reference_label: 'Old', index_url: 'https://example.org/old' }), pubmed({ external_ids: { pmid: '1' } })), {
    reference_label: 'PMID 1',
    index_url: 'https://pubmed.ncbi.nlm.nih.gov/1/'
  })
  const merged = merge(pubmed(), crossref())
  t.notOk('reference_label' in merged || 'index_url' in merged)
})

t.test('records are equal if all columns are', async t => {
  t.equal(isEqualRecord(pubmed(), pubmed()), true)
  t.equal(isEqualRecord(pubmed(), pubmed({ metadata: { volume: '1' } })), false)
  t.equal(isEqualRecord(pubmed({ external_ids: {} }), pubmed({ external_ids: { pmid: null } })), true)
})

t.test('imported records are completed, never changed', async t => {
  const source = pubmed({
    title: 'Source',
    abstract: 'Source.',
    authors: [{ name: 'Source' }],
    published_date: '2025-01-02',
    url: 'https://example.org/s',
    pdf_url: 'https://example.org/s.pdf',
    doi: '10.1000/s',
    venue_name: 'Source',
    external_ids: { pmid: '9', pmcid: 'PMC9' },
    metadata: { volume: '9', issue: '9' }
  })
  const own = work({
    title: 'Own',
    abstract: 'Own.',
    authors: [{ name: 'Own' }],
    published_date: '2024-01-02',
    url: 'https://example.org/o',
    pdf_url: 'https://example.org/o.pdf',
    doi: '10.1000/o',
    venue_name: 'Own',
    external_ids: { pmid: '1' },
    metadata: { volume: '1' }
  })
  t.match(complete(own, source), { ...own, external_ids: { pmid: '1', pmcid: 'PMC9' }, metadata: { volume: '1', issue: '9' } })
  const bare = work({ title: 'Own', authors: [], published_date: null })
  t.match(complete(bare, source), { ...source, title: 'Own', source: { name: 'json-lines' }, source_paper_id: null })
})

t.test('better sources replace journal feed data, which keeps its owner', async t => {
  const feed = work({ title: 'FEED', source: { name: 'feed' }, source_paper_id: 'item-1' })
  t.equal(isFromJournalFeed(feed), true)
  t.equal(isFromJournalFeed(pubmed()), false)
  t.match(complete(feed, pubmed({ title: 'Source', external_ids: { pmid: '1' } })), {
    title: 'Source',
    source: { name: 'feed' },
    source_paper_id: 'item-1',
    external_ids: { pmid: '1' }
  })
})
