import t from 'tap'
import type { PaperRecord } from '../../schemas/paper.js'
import { dedupe } from '../../src/papers/dedupe.js'
import { isSameWork } from '../../src/papers/same-work.js'
import { collectIdentities, isChanged, PaperIndex } from '../../src/papers/paper-index.js'
import { otherYearKeysOf, soughtTitleKeys } from '../../src/papers/identity.js'
import { staysResponsive, takesLess } from '../support/event-loop.js'
import { record } from '../support/service.js'

const work = (part: Partial<PaperRecord> = {}) =>
  record({ title: 'Base editing restores vision in mice', authors: [{ name: 'Ada Lovelace' }], published_date: '2026-11-01', ...part })
const ids: Array<[what: string, part: Partial<PaperRecord>]> = [
  ['DOI', { doi: '10.1000/a' }],
  ['arXiv id', { external_ids: { arxiv: '2401.01234' } }],
  ['PMID', { external_ids: { pmid: '1' } }],
  ['PMCID', { external_ids: { pmcid: 'PMC1' } }],
  ['OpenAlex id', { external_ids: { openalex: 'W1' } }],
  ['source id', { source: { name: 'crossref' }, source_paper_id: 'a' }]
]
/** A stored paper. */
const row = {
  id: 'stored',
  account_id: null,
  title: 'Stored',
  abstract: null,
  authors: [],
  published_date: null,
  url: null,
  pdf_url: null,
  doi: '10.1000/a',
  venue_name: null,
  arxiv_id: null,
  pmid: null,
  pmcid: null,
  openalex_id: null,
  source_name: 'pubmed',
  source_paper_id: null,
  reference_label: null,
  index_url: null,
  metadata: {}
}
const always = () => true
const never = () => false

t.test('finds a paper by each kind of identifier', async t => {
  for (const [what, part] of ids) {
    const index = new PaperIndex(never)
    const paper = index.add(work(part), { shared: true })
    t.strictSame(index.findAll(work({ ...part, title: 'Another title' })), [paper], what)
    t.strictSame(index.findAll(work()), [], `${what} missing`)
    t.strictSame(
      index.findAll(work({ source_paper_id: 'a', source: { name: 'pubmed' }, doi: '', external_ids: { pmid: '' } })),
      [],
      'the id of another source, and empty ones, name nothing'
    )
  }
})

t.test("finds all papers with a record's identifiers, DOI first", async t => {
  const index = new PaperIndex(never)
  const [byPmid, byDoi] = [
    index.add(work({ external_ids: { pmid: '1' } }), { shared: true }),
    index.add(work({ doi: '10.1000/a' }), { shared: true })
  ]
  t.strictSame(index.findAll(work({ doi: '10.1000/a', external_ids: { pmid: '1' } })), [byDoi, byPmid])
})

t.test('finds all versions of a DOI, the exact one first, except versions that are other works', async t => {
  const version = (at: number, part: Partial<PaperRecord> = {}) => work({ doi: `10.21203/rs.3.rs-1/v${at}`, ...part })
  const index = new PaperIndex(never)
  const [first, second] = [1, 2].map(at => index.add(version(at), { shared: true }))
  t.strictSame(index.findAll(version(2)), [second, first])
  t.strictSame(index.findAll(version(1)), [first])
  t.strictSame(index.findAll(version(3)), [first])
  index.replace(first!, version(1, { external_ids: { pmid: '1' }, metadata: { preprint: true } }))
  t.strictSame(index.findAll(version(3, { external_ids: { pmid: '2' } })), [], 'another PMID')
  t.strictSame(index.findAll(version(3, { metadata: { type: 'journal-article' } })), [], 'an article')
  t.strictSame(index.findAll(version(1, { external_ids: { pmid: '2' } })), [first], 'but the exact DOI finds it')
})

t.test('finds only the same work by title, and the earliest of several', async t => {
  const index = new PaperIndex(({ record }, { venue_name }) => record.venue_name === venue_name)
  const first = index.add(work({ venue_name: 'Journal', doi: '10.1000/a' }), { shared: true })
  const second = index.add(work({ venue_name: 'Journal', doi: '10.1000/b' }), { shared: true })
  t.strictSame(index.findAll(work({ venue_name: 'Other' })), [])
  t.strictSame(index.findAll(work({ venue_name: 'Journal' })), [first])
  t.strictSame(index.findAll(work({ venue_name: 'Journal', abstract: 'x' })), [first], 'the first where the record changes each')
  t.strictSame(index.findAll(work({ venue_name: 'Journal', title: 'Another title' })), [])
  index.replace(second, { ...second.record, external_ids: { pmid: '2' } })
  t.strictSame(index.findAll(work({ external_ids: { pmid: '2' } })), [second])
})

t.test('prefers the paper that the record leaves unchanged', async t => {
  const index = new PaperIndex(always)
  index.add(work({ doi: '10.1000/a' }), { shared: true })
  const known = index.add(work({ doi: '10.1000/b', abstract: 'A'.repeat(400), venue_name: 'Journal' }), { shared: true })
  t.strictSame(index.findAll(work({ abstract: 'A'.repeat(400), venue_name: 'Journal' })), [known])
})

t.test('a new paper has an id, its record and its owner', async t => {
  const index = new PaperIndex(never)
  const [one, other] = [index.add(work(), { shared: true }), index.add(work(), { shared: false })]
  t.match(one, { id: /^[0-9a-f-]{36}$/, shared: true, isNew: true, record: work(), original: work() })
  t.equal(other.shared, false)
  t.not(one.id, other.id)
  t.strictSame(index.unsaved(), [one, other])
})

t.test('a stored paper is unsaved only while its record differs from the stored one', async t => {
  const index = await PaperIndex.of([row, { ...row, id: 'own', doi: '10.1000/b', account_id: 'somebody' }] as never, never)
  const [paper] = index.findAll(work({ doi: '10.1000/a' }))
  t.match(paper, { id: 'stored', shared: true, isNew: false })
  t.equal(index.findAll(work({ doi: '10.1000/b' }))[0]!.shared, false)
  t.strictSame(index.unsaved(), [])
  t.equal(isChanged(paper!), false)
  t.equal(index.replace(paper!, { ...paper!.record }), false)
  t.strictSame(index.unsaved(), [])
  t.equal(index.replace(paper!, { ...paper!.record, abstract: 'New.' }), true)
  t.equal(isChanged(paper!), true)
  t.strictSame(index.unsaved(), [paper])
  t.equal(index.replace(paper!, { ...paper!.original }), true)
  t.strictSame(index.unsaved(), [], 'back as it was')
})

t.test('finds a removed paper as its merge target', async t => {
  const index = new PaperIndex(always)
  const gone = index.add(work({ doi: '10.1000/a', title: 'Gone' }), { shared: true })
  const kept = index.add(work({ doi: '10.1000/b', title: 'Kept' }), { shared: true })
  index.remove(gone, kept)
  t.strictSame(index.findAll(work({ doi: '10.1000/a' })), [kept])
  t.strictSame(index.findAll(work({ title: 'Gone' })), [kept])
  const third = index.add(work({ doi: '10.1000/c', title: 'Gone' }), { shared: true })
  t.strictSame(index.findAll(work({ doi: '10.1000/c' })), [third])
  t.strictSame(index.findAll(work({ title: 'Kept' })), [kept])
  t.strictSame(index.unsaved(), [kept, third])
})

t.test('the first paper with an identifier keeps it', async t => {
  const index = new PaperIndex(never)
  const [first] = [index.add(work({ doi: '10.1000/a' }), { shared: true }), index.add(work({ doi: '10.1000/a' }), { shared: true })]
  t.strictSame(index.findAll(work({ doi: '10.1000/a' })), [first])
})

t.test('reads each possible match of a batch once', async t => {
  const all = ids.map(([, part]) => work(part))
  t.strictSame(await collectIdentities([...all, ...all]), {
    dois: ['10.1000/a'],
    arxivIds: ['2401.01234'],
    pmids: ['1'],
    pmcids: ['PMC1'],
    openalexIds: ['W1'],
    sourceIds: [{ source: 'crossref', id: 'a' }],
    titleKeys: [...soughtTitleKeys(work()), ...otherYearKeysOf(work())]
  })
  const none = { dois: [], arxivIds: [], pmids: [], pmcids: [], openalexIds: [], sourceIds: [], titleKeys: [] }
  t.strictSame(await collectIdentities([]), none)
})

t.test('groups source lists by work', async t => {
  const lists = [
    [work({ doi: '10.1000/a', source: { name: 'crossref' } }), work({ title: 'Something else entirely here', doi: '10.1000/b' })],
    [
      work({ doi: '10.1000/a', external_ids: { pmid: '1' }, source: { name: 'pubmed' }, abstract: 'Abstract.' }),
      work({ doi: '10.1000/a' })
    ],
    [work({ external_ids: { pmid: '1' } })]
  ]
  const found = [...(await dedupe(lists))].map(([{ record }, positions]) => [
    record.doi,
    record.external_ids.pmid ?? null,
    record.abstract,
    [...positions]
  ])
  t.strictSame(found, [
    ['10.1000/a', '1', 'Abstract.', [0, 1, 2]],
    ['10.1000/b', null, null, [0]]
  ])
})

t.test('groups no works that contradict each other', async t => {
  const part = { doi: '10.1000/a', source: { name: 'pubmed' } }
  const letters = [
    work({ ...part, external_ids: { pmid: '1' } }),
    work({ ...part, title: 'Reply of the authors', external_ids: { pmid: '2' } })
  ]
  const dois = [...(await dedupe([letters, letters])).keys()].map(({ record }) => [record.title, record.doi, record.external_ids.pmid])
  t.strictSame(dois, [[letters[0]!.title, '10.1000/a', '1'], ['Reply of the authors', null, '2']])
  const works = [work({ doi: '10.1000/a', external_ids: { pmid: '1' } }), work({ doi: '10.1000/b', external_ids: { pmcid: 'PMC2' } })]
  const both = work({ title: 'Wrong', doi: '10.1000/c', external_ids: { pmid: '1', pmcid: 'PMC2' } })
  t.strictSame([...(await dedupe([works, [both]])).keys()].map(({ record }) => record), works, 'a record that contradicts all adds nothing')
})

t.test('the long titles of a batch do not block the event loop', async t => {
  const records = Array.from({ length: 250 }, (_each, at) => work({ title: `${at} ${'sleep & mémoire α-synuclein '.repeat(70)}` }))
  const { titleKeys } = await staysResponsive(t, 'their identities', async () => await collectIdentities(records))
  t.ok(titleKeys.length >= records.length)
  const rows = records.map(({ title, authors, published_date }, at) =>
    ({ ...row, id: String(at), title, authors, published_date })) as never
  const index = await staysResponsive(t, 'their index', async () => await PaperIndex.of(rows, always))
  t.match(index.findAll(records[7]!), [{ id: '7' }])
})

t.test('records are compared with many papers of their title in little time', async t => {
  const letters = (at: number) => String.fromCharCode(97 + at % 26, 97 + Math.floor(at / 26))
  const kinds: Record<string, (at: number) => Partial<PaperRecord>> = {
    'of other volumes': at => ({
      authors: Array.from({ length: 20 }, (_each, place) => ({ name: `María Elisabeth Núñez-Cabrera ${letters(place)}` })),
      metadata: { volume: String(at) }
    }),
    'by other authors': at => ({
      authors: [
        { name: 'Ada Lovelace' },
        ...Array.from({ length: 19 }, (_each, place) => ({ name: `María Elisabeth Fernández${letters(place)}${letters(at)}` }))
      ]
    }),
    'with other accents': at => ({
      title: Array.from({ length: 140 }, (_each, place) => `$\\${(at >> place) % 2 === 0 ? 'bar' : 'hat'}{t}$`).join(' ')
    }),
    'in other journals': at => ({ title: 'Reply', venue_name: `${'Proceedings of the International Society '.repeat(11)}${letters(at)}` })
  }
  for (const [kind, part] of Object.entries(kinds)) {
    const index = new PaperIndex(({ record: known }, other) => isSameWork(known, other))
    for (let at = 0; at < 20; at++) index.add(work(part(at)), { shared: false })
    const others = Array.from({ length: 80 }, (_each, at) => work(part(at + 20)))
    await takesLess(t, 120, () => t.ok(others.every(other => index.findAll(other).length === 0), kind), kind)
  }
})
