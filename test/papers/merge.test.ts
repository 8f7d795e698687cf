import t from 'tap'
import '../../src/sources/index.js'
import { contradicts, isSameUncheckedWork, merge } from '../../src/papers/merge.js'
import { record } from '../support/service.js'

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
