import t from 'tap'
import { complete, merge } from '../../src/papers/merge.js'
import { contradicts, isSameUncheckedWork } from '../../src/papers/same-work.js'
import { registerSources } from '../../src/papers/source-traits.js'
import { sources } from '../../src/sources/index.js'
import { record } from '../support/service.js'

registerSources(sources)

const work = (part: Parameters<typeof record>[0] | object) =>
  record({
    title: 'Base editing restores vision in mice',
    authors: [{ name: 'Ada Lovelace' }],
    published_date: '2026-11-01',
    ...part
  } as Parameters<typeof record>[0])

t.test('merging', async t => {
  t.test('takes title and abstract from the best source in any order', async t => {
    const feed = work({
      title: 'BASE EDITING…',
      abstract: 'Online first.',
      source: { name: 'feed' },
      doi: '10.1000/a',
      url: 'https://journal.example.org/a'
    })
    const pubmed = work({
      abstract: 'A long abstract. '.repeat(20),
      source: { name: 'pubmed' },
      doi: '10.1000/a',
      external_ids: { pmid: '1' },
      venue_name: 'Journal'
    })
    for (const merged of [merge(feed, pubmed), merge(pubmed, feed)]) {
      t.match(merged, {
        title: pubmed.title,
        abstract: pubmed.abstract,
        source: { name: 'pubmed' },
        venue_name: 'Journal',
        external_ids: { pmid: '1' },
        url: 'https://journal.example.org/a'
      })
    }
  })
  t.test('drops a retraction that its source does not state any more', async t => {
    const stated = (source: string, retracted?: true) =>
      work({ source: { name: source }, metadata: retracted === undefined ? {} : { retracted } })
    t.equal(merge(stated('openalex', true), stated('openalex')).metadata.retracted, undefined)
    t.match(merge(stated('openalex', true), stated('openalex', true)).metadata, { retracted: true })
    t.match(merge(stated('openalex', true), stated('pubmed')).metadata, { retracted: true }, 'another source says nothing of it')
    t.match(merge(stated('pubmed'), stated('openalex', true)).metadata, { retracted: true })
  })

  t.test('ends that a work is a preprint once the better record states that it is published', async t => {
    const stated = (source: string, type?: string, preprint?: true) => work({
      source: { name: source },
      metadata: { ...(type === undefined ? {} : { publication_types: [type] }), ...(preprint === undefined ? {} : { preprint }) }
    })
    const before = stated('openalex', 'preprint', true)
    t.equal(merge(before, stated('openalex', 'article')).metadata.preprint, undefined)
    t.equal(merge(before, stated('crossref', 'journal-article')).metadata.preprint, undefined)
    t.equal(merge(stated('pubmed', 'Journal Article'), before).metadata.preprint, undefined)
    for (const newer of [stated('crossref'), stated('pubmed', 'Preprint'), stated('crossref', 'posted-content', true)]) {
      t.match(merge(before, newer).metadata, { preprint: true })
    }
    t.match(merge(stated('europepmc', 'preprint', true), stated('openalex', 'article')).metadata, { preprint: true }, 'a worse record')
  })

  t.test('keeps a whole list of authors where the better record has it cut', async t => {
    const listed = (length: number) => Array.from({ length }, (_, at) => ({ name: `Given${at} Family${at}` }))
    const whole = work({ authors: listed(150), source: { name: 'crossref' } })
    const [first, ...others] = listed(100)
    const cut = work({
      authors: [{ ...first!, openalex: 'A1' }, ...others],
      source: { name: 'openalex' },
      metadata: { truncated: ['title', 'authors'] }
    })
    for (const merged of [merge(whole, cut), merge(cut, whole), complete(whole, cut)]) {
      t.equal(merged.authors.length, 150)
      t.match(merged.authors[0], { openalex: 'A1' })
      t.same(merged.metadata.truncated, ['title'])
    }
    t.match(merge(cut, work({ authors: [], source: { name: 'pubmed' } })), { authors: { length: 100 }, metadata: cut.metadata })
  })

  t.test('prefers a much longer abstract', async t => {
    const short = work({ abstract: 'See text.', source: { name: 'pubmed' } })
    const long = work({ abstract: 'We show. '.repeat(30), source: { name: 'crossref' } })
    t.equal(merge(short, long).abstract, long.abstract)
  })
  t.test('keeps the newest version of a preprint, in any order of arrival', async t => {
    const versions = [1, 2].map(version =>
      work({ title: `Version ${version}`, source: { name: 'biorxiv' }, doi: '10.1101/a', metadata: { version } })
    )
    t.equal(merge(versions[0]!, versions[1]!).title, 'Version 2')
    t.equal(merge(versions[1]!, versions[0]!).title, 'Version 2')
  })
  t.test("prefers a journal's DOI and name over arXiv's", async t => {
    const arxiv = work({
      source: { name: 'arxiv' },
      external_ids: { arxiv: '2611.00001' },
      venue_name: 'arXiv',
      doi: '10.48550/arxiv.2611.00001'
    })
    const journal = work({
      source: { name: 'openalex' },
      external_ids: { arxiv: '2611.00001', openalex: 'W1' },
      venue_name: 'Journal',
      doi: '10.1000/a'
    })
    t.match(merge(arxiv, journal), {
      doi: '10.1000/a',
      venue_name: 'Journal',
      external_ids: { arxiv: '2611.00001', openalex: 'W1' },
      source: { name: 'arxiv' },
      reference_label: 'arXiv 2611.00001'
    })
    t.equal(contradicts(arxiv, journal), false)
  })
})

t.test('two records without an identifier in common', async t => {
  t.test('are one work with equal title, author and year', async t => {
    t.ok(
      isSameUncheckedWork(
        work({ doi: '10.1000/a', source: { name: 'crossref' } }),
        work({ external_ids: { pmid: '1' }, source: { name: 'pubmed' } })
      )
    )
  })
  const short = { title: 'Metallic glasses', venue_name: 'Science', metadata: { volume: '267', pages: '1947-1953' } }
  const elsewhere = { ...short, source: { name: 'pubmed' } }
  const proceedings = 'Proceedings of the National Academy of Sciences of the United States of America'
  t.test('are one work with a short title on the same page', async t => {
    for (const [one, other] of [
      [{}, {}], [{ venue_name: 'Science (New York, N.Y.)' }, {}], [{ venue_name: null }, {}],
      [{ venue_name: 'Proc. Natl. Acad. Sci. U. S. A.' }, { venue_name: proceedings }],
      [{ metadata: { volume: '267', issue: '3', pages: '1' } }, { metadata: { volume: '267', issue: '3', pages: '1-2' } }]
    ]) t.ok(isSameUncheckedWork(work({ ...short, ...one }), work({ ...elsewhere, ...other })), JSON.stringify([one, other]))
  })
  t.test('are two works with a short title without such a page', async t => {
    const at = (volume?: string, issue?: string, pages?: string) => ({ metadata: { volume, issue, pages } })
    for (const [one, other] of [
      [{ metadata: { volume: '267' } }, {}], [{ venue_name: 'Nature', metadata: { pages: '1947' } }, {}],
      [{ metadata: { volume: '267', pages: 'S19' } }, {}],
      [{ venue_name: 'Nature', metadata: { volume: '267', pages: '1' } }, { metadata: { volume: '267', pages: '1' } }],
      // The editorials of two issues.
      [at('12', '3', '1'), at('12', undefined, '1-2')], [at('12', undefined, '1'), at('12', undefined, '1-2')],
      [at('12', 'Suppl 1', '301'), at('12', 'Suppl 2', '301')], [at(undefined, '3', '1'), at(undefined, undefined, '1')],
      [at(undefined, undefined, '1947'), at(undefined, undefined, '1947-53')], [at('12', undefined, '57'), at('12', undefined, '57')],
      [{ venue_name: null, ...at('12', '3', '1') }, at('12', '3', '1')],
      [{ venue_name: 'Nature' }, {}], [{ venue_name: 'Science Robotics' }, {}],
      [{ venue_name: 'Nature', ...at('12', '3', '57') }, at('12', '3', '57')],
      [{ venue_name: 'Journal of Physics A' }, { venue_name: 'Journal of Physics B' }],
      // Words with the same beginning, but not the letters of each other.
      [{ venue_name: 'J Physiol' }, { venue_name: 'Journal of Psychology' }]
    ]) t.notOk(isSameUncheckedWork(work({ ...short, ...one }), work({ ...elsewhere, ...other })), JSON.stringify([one, other]))
  })
  t.test('are one work where both are preprints, however they say so', async t => {
    const arxiv = work({ source: { name: 'arxiv' }, external_ids: { arxiv: '2401.00001' }, venue_name: 'arXiv' })
    for (const copy of [
      { source: { name: 'ris' }, metadata: { type: 'UNPB' } }, { source: { name: 'csl-json' }, metadata: { type: 'article' } },
      { source: { name: 'bibtex' }, metadata: { type: 'article' }, venue_name: 'arXiv preprint arXiv:2401.00001' }
    ]) t.ok(isSameUncheckedWork(arxiv, work(copy)))
    t.notOk(isSameUncheckedWork(arxiv, work({ source: { name: 'bibtex' }, metadata: { type: 'article' }, venue_name: 'A journal' })))
  })
  t.test('are one work where PubMed calls a preprint of a talk a journal article, too', async t => {
    const talk = work({ source: { name: 'ris' }, metadata: { type: 'CPAPER' } })
    const listed = (publication_types: string[]) => work({ source: { name: 'pubmed' }, metadata: { publication_types } })
    t.ok(isSameUncheckedWork(talk, listed(['Journal Article', 'Preprint'])))
    t.notOk(isSameUncheckedWork(talk, listed(['Journal Article'])))
  })
  t.test('are one work if equal', async t => {
    t.ok(isSameUncheckedWork(work({ title: 'Reply', authors: [] }), work({ title: 'Reply', authors: [] })))
  })
  const apart: Record<string, [object, object]> = {
    'where one is a preprint': [{ metadata: { preprint: true } }, { external_ids: { pmid: '1' } }],
    'where the title is one that many have': [{ title: 'Reply to letter', venue_name: 'Here' }, { title: 'Reply to letter' }],
    'without authors': [{ authors: [], venue_name: 'Here' }, { authors: [] }],
    'without a date': [{ published_date: null, venue_name: 'Here' }, { published_date: null }],
    'where the first author has no letters': [{ authors: [{ name: '—' }], abstract: 'One.' }, { authors: [{ name: '—' }] }],
    'where their DOIs differ': [{ doi: '10.1000/a' }, { doi: '10.1000/b' }],
    'where one source lists both': [{ source: { name: 'feed' }, source_paper_id: 'a' }, { source: { name: 'feed' }, source_paper_id: 'b' }]
  }
  for (const [why, [one, other]] of Object.entries(apart)) {
    t.test(`are two works ${why}`, async t => { t.notOk(isSameUncheckedWork(work(one), work(other))) })
  }
})
