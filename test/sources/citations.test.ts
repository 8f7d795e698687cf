import t from 'tap'
import { crossref } from '../../src/sources/crossref.js'
import { europepmc } from '../../src/sources/europepmc.js'
import { openalex } from '../../src/sources/openalex.js'
import { pubmed } from '../../src/sources/pubmed.js'
import { issnIn, openalexAuthorIn, openalexInstitutionIn, openalexSourceIn, orcidIn, rorIn } from '../../src/papers/identifiers.js'
import { withIdsOf } from '../../src/papers/authors.js'
import { limitRecord } from '../../src/papers/record-limits.js'
import { record } from '../support/service.js'
import { crossrefStandIn } from '../support/stand-ins/crossref.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import { editing, type Publication } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { runSearch, sourceContext } from '../support/source-search.js'

const cited: Publication = {
  ...editing,
  authors: [['Ana María', 'Núñez', { orcid: '0000-0002-1825-0097', openalex: 'A5023888391', ror: '03vek6s52' }], ['Wei', 'Zhang']],
  cites: [{ doi: '10.1000/old.1', pmid: '111', openalex: 'W11' }, { doi: '10.1000/old.2', openalex: 'W12' }, { pmid: '113' }],
  citedBy: 42,
  journal: { issns: ['0028-0836', '1476-4687'], issnL: '0028-0836', openalex: 'S137773608' }
}
const lead = { name: 'Ana María Núñez', orcid: '0000-0002-1825-0097' }

t.test('sources state people, references, counts and the journal by identifiers', async t => {
  for (const [source, standIn, query, expected] of [
    [openalex, openalexStandIn, 'editing', {
      authors: [{ ...lead, openalex: 'A5023888391', affiliations: ['03vek6s52', 'I1'] }, { name: 'Wei Zhang' }],
      citations: { references: ['W11', 'W12'], cited_by: 42 },
      metadata: {
        issn_l: '0028-0836',
        issns: ['0028-0836', '1476-4687'],
        openalex_source: 'S137773608',
        institutions: ['03vek6s52 Analytical Engine Institute']
      }
    }],
    [crossref, crossrefStandIn, 'editing', {
      authors: [{ ...lead, affiliations: ['03vek6s52'] }, { name: 'Wei Zhang' }],
      citations: { references: ['10.1000/old.1', '10.1000/old.2'], cited_by: 42 },
      metadata: { issn: '0028-0836', issns: ['0028-0836', '1476-4687'] }
    }],
    [europepmc, europepmcStandIn, 'editing', {
      authors: [lead, { name: 'Wei Zhang' }],
      citations: { references: [], cited_by: 42 }
    }],
    [pubmed, pubmedStandIn, 'editing', {
      authors: [{ ...lead, affiliations: ['03vek6s52'] }, { name: 'Wei Zhang' }],
      citations: { references: ['111', '10.1000/old.1', '10.1000/old.2', '113'], cited_by: null },
      metadata: { issn_l: '0028-0836' }
    }]
  ] as const) {
    const { url } = await standIn(t, [cited])
    const { records: [found], error } = await runSearch(source, sourceContext(source, url), { query })
    t.equal(error, undefined, source.name)
    t.match(found, expected, source.name)
    t.equal(found!.authors[1]!.orcid, undefined, 'unknown ids are missing')
  }
})

t.test('an institution has the id of OpenAlex after its ROR id, or alone', async t => {
  const { url } = await openalexStandIn(t, [{ ...cited, authors: [['Ada', 'Lovelace', { ror: '03vek6s52', institution: 'I4210112357' }]] }])
  const { records: [found] } = await runSearch(openalex, sourceContext(openalex, url), { query: 'editing' })
  t.same(found!.authors, [{ name: 'Ada Lovelace', affiliations: ['03vek6s52', 'I1', 'I4210112357'] }])
})

t.test('a large collaboration has names of few institutions', async t => {
  const authors = Array.from({ length: 3000 }, (_, at): [string, string, object] => ['A.', `Author${at}`, { ror: `0${String(10_000_000 + at)}` }])
  const { url } = await openalexStandIn(t, [{ ...cited, authors }])
  const { records: [found] } = await runSearch(openalex, sourceContext(openalex, url), { query: 'editing' })
  t.strictSame(found!.metadata.institutions, [0, 1, 2, 2999].map(at => `0${10_000_000 + at} Analytical Engine Institute`))
})

t.test('reads identifiers as sources write them, and nothing else', async t => {
  for (const text of ['https://orcid.org/0000-0002-1825-010x', '000000021825010X', 'http://orcid.org/0000-0002-1825-010X ']) {
    t.equal(orcidIn(text), '0000-0002-1825-010X', text)
  }
  t.equal(orcidIn('0000-0002-1825-0098'), null, 'a typing error')
  t.equal(orcidIn('90000-0002-1825-0097'), null)
  for (const end of ['/', '/works', '?lang=en', '/?lang=en', '#works', ' ']) {
    t.equal(orcidIn(`https://orcid.org/0000-0002-1825-0097${end}`), '0000-0002-1825-0097', end)
  }
  t.equal(openalexAuthorIn('https://openalex.org/A5023888391'), 'A5023888391')
  t.equal(openalexAuthorIn('https://openalex.org/W5023888391'), null)
  t.equal(openalexSourceIn('S1'), 'S1')
  t.equal(rorIn('https://ror.org/03vek6s52'), '03vek6s52')
  t.equal(rorIn('https://ror.org/03vek6s52x'), null)
  t.equal(openalexInstitutionIn('https://openalex.org/i4210112357'), 'I4210112357')
  t.equal(openalexInstitutionIn('https://isni.org/isni/0000000123456789'), null)
  t.equal(issnIn('0028083x'), '0028-083X')
  t.equal(issnIn('10.1000/0028-0836'), null)
})

t.test('merged authors get the ids that another record states', async t => {
  const own = [{ name: 'A. M. Núñez' }, { name: 'Wei Zhang' }, { name: 'Wen Zhang' }, { name: 'Émile Borel', orcid: '0000-0001-0000-0009' }]
  const others = [
    { name: 'Nunez, Ana', orcid: '0000-0002-1825-0097' },
    { name: 'Wei Zhang', openalex: 'A2' },
    { name: 'Emile Borel', orcid: '0000-0001-0000-0017', openalex: 'A3' }
  ]
  const merged = withIdsOf(own, others)
  t.same(merged, [
    { name: 'A. M. Núñez', orcid: '0000-0002-1825-0097' },
    { name: 'Wei Zhang' },
    { name: 'Wen Zhang' },
    { name: 'Émile Borel', orcid: '0000-0001-0000-0009' }
  ], 'not people who cannot be told apart, or who have other ids')
  t.equal(withIdsOf(merged, others), merged, 'and a second time changes nothing')
  const withMoreIds = merged.map(author => ({ ...author, openalex: 'A4' }))
  t.equal(withIdsOf(merged, withMoreIds)[0]!.openalex, 'A4', 'lists of equal names may differ in ids')
})

t.test('authors of one initial whose given names differ are two people', async t => {
  const orcid = '0000-0002-1825-0097'
  const getsIds = (name: string, other: string) => withIdsOf([{ name }], [{ name: other, orcid }])[0]!.orcid === orcid
  for (const [name, other] of [
    ['John Smith', 'Jane Smith'], ['Smith, John', 'Jane A. Smith'], ['Wei Zhang', 'Wen Zhang'], ['Jan Müller', 'Jane Mueller']
  ] as const) t.notOk(getsIds(name, other) || getsIds(other, name), `${name}, ${other}`)
  for (const [name, other] of [
    ['John Smith', 'J. Smith'], ['John Smith', 'Smith JB'], ['John Smith', 'John B. Smith'], ['J. Bob Smith', 'John Smith'],
    ['Jörg Müller', 'Joerg Mueller'], ['Jörg Müller', 'Jorg Muller'], ['Xiao-Ming Li', 'Xiaoming Li'],
    ['Jean Pierre Serre', 'Serre, Jean-Pierre'], ['JOHN SMITH', 'John Smith'], ['D’Arcy Thompson', "D'Arcy Thompson"], ['山田 太郎', '山田太郎']
  ] as const) t.ok(getsIds(name, other) && getsIds(other, name), `${name}, ${other}`)
})

t.test('institutions of merged authors have the ids that either record states', async t => {
  const merge = (own: string[], others: string[]) =>
    withIdsOf([{ name: 'Ada Lovelace', affiliations: own }], [{ name: 'Ada Lovelace', affiliations: others }])[0]!.affiliations
  const [ror, other] = ['03vek6s52', '00x6h5n95']
  t.same(merge([ror], [ror, 'I1', other, 'I2']), [ror, 'I1'])
  t.same(merge([ror, 'I1', 'I3'], [ror]), [ror, 'I1', 'I3'])
  t.same(merge(['I1'], [ror, 'I1']), [ror, 'I1'])
  t.same(merge([ror], [other, 'I2']), [ror])
})

t.test('a hostile record stays bounded', async t => {
  const authors = Array.from({ length: 3000 }, (_, at) => ({ name: `P${at}`, orcid: '0000-0002-1825-0097', affiliations: ['03vek6s52'] }))
  const references = Array.from({ length: 100_000 }, (_, at) => `10.1000/${at}`)
  const citations = { references: ['x'.repeat(201), ...references], cited_by: 1 }
  const limited = limitRecord({ ...record({ title: 'T' }), authors, citations })
  t.equal(limited.authors.length, 3000)
  t.equal(limited.authors.filter(({ orcid }) => orcid !== undefined).length, 1000)
  t.equal(limited.authors.filter(({ affiliations }) => affiliations !== undefined).length, 100)
  t.equal(limited.citations!.references.length, 1000)
  t.same(limited.metadata.truncated, ['references'])
  const named = (count: number) => Array.from({ length: count }, (_, at) => [`10.1000/${at}`, String(at), `W${at}`]).flat()
  const many = limitRecord(record({ title: 'A review', citations: { references: named(900), cited_by: null } }))
  t.equal(many.citations!.references.length, 2700, 'each kind of identifier has a limit of its own')
  t.equal(many.metadata.truncated, undefined)
  const more = limitRecord(record({ title: 'A list', citations: { references: named(1100), cited_by: null } }))
  t.equal(more.citations!.references.length, 3000)
})
