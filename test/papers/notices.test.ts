import t from 'tap'
import type { StoredNotice } from '../../db/queries/notices.js'
import type { NoticeKind } from '../../schemas/notice.js'
import { mergeNotices, newsSince } from '../../src/papers/notices.js'
import { recordOf } from '../../src/papers/snapshots/content.js'
import { registerSources } from '../../src/papers/source-traits.js'
import { sources } from '../../src/sources/index.js'

registerSources(sources)

let made = 0
const notice = (source: string, more: Partial<StoredNotice> = {}): StoredNotice => ({
  id: String(++made),
  source,
  kind: 'correction',
  date: null,
  doi: null,
  pmid: null,
  url: null,
  found_at: '2026-11-01T00:00:00Z',
  withdrawn_at: null,
  ...more
})

t.test('notices of sources without a common identifier are one if their dates are near', async t => {
  const [first, second] = [
    notice('crossref', { doi: '10.1000/1', date: '2020-01-01' }),
    notice('crossref', { doi: '10.1000/2', date: '2022-06-01' })
  ]
  const pairs = (...others: StoredNotice[]) => mergeNotices([first, second, ...others]).map(({ doi, pmid }) => [doi, pmid])
  t.strictSame(pairs(notice('pubmed', { pmid: '22', date: '2022-06-01' })), [['10.1000/2', '22'], ['10.1000/1', null]])
  t.strictSame(pairs(notice('pubmed', { pmid: '20', date: '2020-05-01' })), [['10.1000/2', null], ['10.1000/1', '20']])
  t.strictSame(pairs(notice('pubmed', { pmid: '24', date: '2024-06-01' })), [[null, '24'], ['10.1000/2', null], ['10.1000/1', null]])
  t.strictSame(pairs(notice('pubmed', { pmid: '0' })), [['10.1000/2', null], ['10.1000/1', null], [null, '0']], 'one without a date')
})

t.test('a month or a year is a period, to which every date within it is near', async t => {
  const stated = (...notices: Array<[string, string, string]>) => mergeNotices(notices.map(([source, id, date]) =>
    notice(source, { date, ...(source === 'crossref' ? { doi: id } : { pmid: id }) }))).map(({ doi, pmid, date }) => [doi, pmid, date])
  t.strictSame(stated(['crossref', '10.1000/1', '2021-11-20'], ['pubmed', '1', '2021']), [['10.1000/1', '1', '2021-11-20']])
  t.strictSame(stated(['crossref', '10.1000/1', '2021'], ['pubmed', '1', '2021-11-20']), [['10.1000/1', '1', '2021-11-20']], 'the day')
  t.strictSame(stated(['crossref', '10.1000/1', '2021-11'], ['pubmed', '1', '2021']), [['10.1000/1', '1', '2021-11-01']])
  t.strictSame(stated(['crossref', '10.1000/1', '2021-11-20'], ['pubmed', '1', '2023']).length, 2)
  t.strictSame(stated(['crossref', '10.1000/1', '2023-06-20'], ['pubmed', '1', '2022']), [['10.1000/1', '1', '2023-06-20']], 'half a year')
  t.strictSame(
    stated(
      ['crossref', '10.1000/1', '2021-03-04'], ['crossref', '10.1000/2', '2021-11-20'], ['pubmed', '1', '2021'],
      ['pubmed', '2', '2021-03-05']
    ),
    [['10.1000/2', '1', '2021-11-20'], ['10.1000/1', '2', '2021-03-04']],
    'a day is paired before a year'
  )
})

t.test('a notice without a date is one with another if each source states one of its kind', async t => {
  const identified = (...stated: StoredNotice[]) => mergeNotices(stated).map(({ doi, pmid, sources }) => [doi, pmid, sources.length])
  const dated = (source: string, doi: string, date: string | null) => notice(source, { doi, date })
  t.strictSame(identified(dated('crossref', '10.1000/1', '2015-01-01'), notice('pubmed', { pmid: '1' })), [['10.1000/1', '1', 2]])
  t.strictSame(
    identified(dated('crossref', '10.1000/1', '2015-01-01'), notice('pubmed', { pmid: '1' }), notice('pubmed', { pmid: '2' })).length, 3
  )
  t.strictSame(
    identified(
      dated('crossref', '10.1000/1', '2015-01-01'), notice('pubmed', { pmid: '1' }), notice('retraction-watch', { date: '2021-01-01' })
    ),
    [[null, null, 1], ['10.1000/1', '1', 2]],
    'which makes no pair of the errata of two years'
  )
  const ended = { ...dated('crossref', '10.1000/0', '2014-01-01'), withdrawn_at: '2026-11-20T00:00:00Z' }
  t.strictSame(identified(ended, dated('crossref', '10.1000/1', null), notice('pubmed', { pmid: '1' })).length, 2, 'one that ended aside')
})

t.test('a preprint may have a conference form and a journal form', async t => {
  const published = (source: string, doi: string | null) => notice(source, { kind: 'published', doi })
  const dois = (...stated: StoredNotice[]) => mergeNotices(stated).map(({ doi, sources }) => [doi, ...sources])
  t.strictSame(
    dois(published('crossref', '10.1000/proceedings'), published('openalex', '10.1000/journal'), published('crossref', '10.1000/journal')),
    [['10.1000/journal', 'crossref', 'openalex'], ['10.1000/proceedings', 'crossref']]
  )
  t.strictSame(dois(published('crossref', '10.1000/journal'), published('arxiv', null)), [['10.1000/journal', 'crossref', 'arxiv']])
})

t.test('news are new notices, and old warnings that were withdrawn', async t => {
  const since = new Date('2026-11-10')
  const withdrawn = (kind: StoredNotice['kind'], found_at = '2026-11-01T00:00:00Z') =>
    newsSince([notice('crossref', { kind, found_at, withdrawn_at: '2026-11-20T00:00:00Z' })], since).map(({ label }) => label)
  t.match(newsSince([notice('crossref', { found_at: '2026-11-11T00:00:00Z' }), notice('pubmed', { kind: 'published' })], since), [
    { kind: 'correction', label: 'Corrected' }
  ])
  t.strictSame(withdrawn('expression_of_concern'), ['No longer under an expression of concern'])
  t.strictSame(withdrawn('correction'), [], 'a correction warns of nothing')
  t.strictSame(withdrawn('retraction', '2026-11-19T00:00:00Z'), [], 'nor is the end of what nobody has seen news')
  const retraction = { kind: 'partial_retraction' as const, doi: '10.1000/1' }
  t.strictSame(newsSince([
    notice('crossref', { ...retraction, withdrawn_at: '2026-11-20T00:00:00Z' }), notice('pubmed', { ...retraction, doi: '10.1000/2' })
  ], since), [], 'another source still states one')
  const endedWhile = (ended: NoticeKind, current: NoticeKind) => newsSince([
    notice('crossref', { kind: ended, withdrawn_at: '2026-11-20T00:00:00Z' }), notice('crossref', { kind: current })
  ], since).map(({ kind }) => kind)
  t.strictSame(endedWhile('expression_of_concern', 'retraction'), [])
  t.strictSame(endedWhile('withdrawal', 'retraction'), [])
  t.strictSame(endedWhile('retraction', 'expression_of_concern'), ['retraction'])
  t.strictSame(endedWhile('expression_of_concern', 'correction'), ['expression_of_concern'])
})

t.test('a snapshot states no retraction that was withdrawn', async t => {
  const paper = {
    id: 'p',
    source_name: 'openalex',
    title: 'A paper',
    authors: [],
    published_date: null,
    venue_name: null,
    url: null,
    index_url: null,
    doi: null,
    arxiv_id: null,
    pmid: null,
    pmcid: null,
    openalex_id: null,
    metadata: { retracted: true, volume: '7' }
  }
  const recordWith = (withdrawn_at: string | null) => recordOf(
    ['p', true, 'star', null, '2026-11-02', 0.5, '2026-11-01', 'fetch', null] as unknown as Parameters<typeof recordOf>[0],
    { ...paper, notices: [notice('openalex', { kind: 'retraction', withdrawn_at })] } as unknown as Parameters<typeof recordOf>[1]
  )
  t.match(recordWith(null), { metadata: { retracted: true }, notices: [{ kind: 'retraction' }] })
  t.strictSame(recordWith('2026-11-20T00:00:00Z').metadata, { volume: '7' })
})
