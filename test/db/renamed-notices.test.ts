import t from 'tap'
import type { StatedNotice } from '../../db/queries/notice-checks.js'
import { listRenamed } from '../../db/queries/renamed-notices.js'
import { statedNotice } from '../../src/sources/notices/stated.js'

type Ids = Parameters<typeof statedNotice>[2]

const correction = (ids: Ids) => statedNotice('pubmed', 'correction', ids)

/** The references of stored notices that are stated under others now. */
const renamed = (stored: readonly StatedNotice[], stated: readonly StatedNotice[], isPartial = false) => Object.fromEntries(
  listRenamed(stored.map((notice, at) => ({ id: String(at), ...notice })), stated, isPartial)
    .map(({ id, reference }) => [stored[Number(id)]!.reference, reference]))

t.test('a notice is the same as one with a common identifier', async t => {
  const [date, other] = ['2026-02-03', '2026-03-05']
  const former = correction({ pmid: '1', date })
  t.strictSame(renamed([former], [correction({ pmid: '1', doi: '10.1/a', date: other })]), { 'pmid:1': 'doi:10.1/a' })
  t.strictSame(
    renamed([correction({ pmid: '1', doi: '10.1/a', date })], [correction({ pmid: '1', date: other })]), { 'doi:10.1/a': 'pmid:1' }
  )
  t.strictSame(renamed([former], [correction({ pmid: '2', doi: '10.1/a', date })]), {}, 'another PMID')
  t.strictSame(renamed([former], [correction({ pmid: '1', date: other })]), {}, 'the reference stays')
  t.strictSame(renamed([former], [{ ...correction({ pmid: '1', doi: '10.1/a' }), kind: 'retraction' }]), {}, 'another kind')
  t.strictSame(renamed([former], [{ ...correction({ pmid: '1', doi: '10.1/a' }), source: 'crossref' }]), {}, 'another source')
})

t.test('a notice without an identifier is the same as the only one whose date agrees', async t => {
  const named = (doi: string, date: string | null) => correction({ doi: `10.1/${doi}`, date })
  const date = '2026-02-03'
  for (const stated of ['2026-02-03', '2026-02', '2026', null]) {
    t.strictSame(renamed([correction({ date })], [named('a', stated)]), { [date]: 'doi:10.1/a' }, `${stated}`)
    t.strictSame(renamed([named('a', stated)], [correction({ date })]), { 'doi:10.1/a': date }, `${stated}`)
  }
  t.strictSame(renamed([correction({ date })], [named('a', '2026-02-04')]), {})
  t.strictSame(renamed([correction({ date })], [named('a', date), named('b', date)]), {}, 'either is meant')
  t.strictSame(renamed([correction({ date }), correction({})], [named('a', null)]), {}, 'either was meant')
  t.strictSame(
    renamed([correction({ date }), correction({})], [named('a', '2025-01-02'), named('b', date)]),
    { [date]: 'doi:10.1/b', '': 'doi:10.1/a' },
    'the nearest first'
  )
  t.strictSame(renamed([correction({ date })], [named('a', date)], true), {}, 'the source may state more')
})

t.test('a paper has one retraction, so that none of several is news', async t => {
  const retraction = (ids?: Ids) => statedNotice('crossref', 'retraction', ids)
  t.strictSame(renamed([retraction()], [retraction({ doi: '10.1/a' }), retraction({ doi: '10.1/b' })]), { '': 'doi:10.1/a' })
  t.strictSame(renamed([retraction({ doi: '10.1/a', date: '2020' })], [retraction({ doi: '10.1/b', date: '2021' })]), {})
})

t.test('each version of a preprint is a notice of its own, and its published form keeps its place', async t => {
  const version = (arxiv: string) => statedNotice('arxiv', 'new_version', { arxiv, date: '2026-02-03' })
  t.strictSame(renamed([version('2503.00001v2')], [version('2503.00001v3')]), {})
  const onServer = (reference: string): StatedNotice => ({ ...statedNotice('biorxiv', 'new_version', { date: '2026-02-03' }), reference })
  t.strictSame(renamed([onServer('v2')], [onServer('v3')]), {})
  const inJournal = { ...statedNotice('arxiv', 'published'), reference: 'journal' }
  t.strictSame(renamed([inJournal], [statedNotice('arxiv', 'published', { doi: '10.1/a' })]), { journal: 'doi:10.1/a' })
})

t.test('notices on a published form are compared by the identifiers in their references', async t => {
  const onForm = (ids: Ids, form = '10.1/form'): StatedNotice => {
    const notice = statedNotice('pubmed', 'expression_of_concern', ids)
    return { ...notice, reference: `form:${form} ${notice.reference}`, doi: form, pmid: null }
  }
  const date = '2026-02-03'
  t.strictSame(renamed([onForm({ date })], [onForm({ pmid: '1', date })]), { 'form:10.1/form 2026-02-03': 'form:10.1/form pmid:1' })
  t.strictSame(renamed([onForm({ pmid: '1', date })], [onForm({ doi: '10.1/a', date })]), {
    'form:10.1/form pmid:1': 'form:10.1/form doi:10.1/a'
  })
  t.strictSame(renamed([onForm({ pmid: '1', date })], [onForm({ pmid: '2', date })]), {}, 'the DOI of the form is no common identifier')
  t.strictSame(renamed([onForm({ date })], [onForm({ pmid: '1', date }, '10.1/other')]), {}, 'another form')
})
