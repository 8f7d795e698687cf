import t from 'tap'
import { followQueries } from '../../src/sources/projects/follow-queries.js'
import { openalex } from '../../src/sources/openalex.js'

const queriesOf = (kind: 'author' | 'journal' | 'institution', name: string, ids: string[] = []) => followQueries({ kind, name, ids })

t.test('queries of an author name the family name and the initials, in each reading', async t => {
  for (const [name, expected] of [
    ['Ada B. Müller', ['Müller AB']],
    ['Müller, Ada B.', ['Müller AB']],
    ['Müller AB', ['Müller AB']],
    ['Smith MA', ['Smith MA']],
    ['Min-jung LEE', ['Min-jung LEE', 'LEE M']],
    ['Wang MA', ['Wang MA', 'MA W']],
    ['Müller A', ['Müller A']],
    ['Xiaoming LI', ['Xiaoming LI', 'LI X']],
    ['LI, Xiaoming', ['LI X']],
    ['Xiaoming WANG', ['WANG X']],
    ['van der Berg, Jan', ['van der Berg J']],
    ['Ludwig van Beethoven', ['van Beethoven L']],
    ['Beethoven, Ludwig van', ['van Beethoven L']],
    ['María del Carmen Pérez', ['Pérez MDC']],
    ['John Smith Jr.', ['Smith J']],
    ['Smith, John, Jr.', ['Smith J']],
    ['Ivanov II', ['Ivanov II']],
    ['Ada "O\'Neill"', ["O'Neill A"]]
  ] as const) {
    const [arxiv, pubmed, europepmc] = queriesOf('author', name)
    t.strictSame(pubmed, { name: 'pubmed', query: expected.map(each => `"${each}"[Author]`).join(' OR ') }, name)
    t.strictSame(europepmc, { name: 'europepmc', query: expected.map(each => `AUTH:"${each}"`).join(' OR ') }, name)
    t.notMatch(arxiv!.query.slice(4, -1), /["\\()]/, name)
  }
})

t.test('a query of the whole name has no generation', t => {
  t.match(queriesOf('author', 'John Smith, Jr.')[0], { name: 'arxiv', query: 'au:"John Smith"' })
  t.end()
})

t.test('a name of one word has no query', async t => {
  t.strictSame(queriesOf('author', 'Plato'), [])
  t.strictSame(queriesOf('author', 'van Beethoven'), [])
  t.strictSame(queriesOf('author', ''), [])
})

t.test('queries of a journal quote its name', async t => {
  t.strictSame(queriesOf('journal', 'Sleep (Oxford)'), [
    { name: 'pubmed', query: '"Sleep Oxford"[Journal]' },
    { name: 'europepmc', query: 'JOURNAL:"Sleep Oxford"' }
  ])
  t.strictSame(queriesOf('journal', ' "" '), [])
})

t.test('queries of an institution have its ROR id, or its OpenAlex id if it has none', async t => {
  const byIds = (...ids: string[]) => queriesOf('institution', 'A lab', ids)
  const byRor = [
    { name: 'openalex', query: 'authorships.institutions.ror:03vek6s52' },
    { name: 'crossref', query: 'ror-id:03vek6s52' }
  ]
  t.strictSame(byIds('03vek6s52'), byRor)
  t.strictSame(byIds('I42', '03vek6s52'), byRor)
  const byOpenalex = byIds('I42')
  t.strictSame(byOpenalex, [{ name: 'openalex', query: 'authorships.institutions.id:I42' }])
  t.equal(openalex.checkQuery(byOpenalex[0]!.query), null)
})

t.test('queries by id name all ids of a kind', t => {
  const queries = (kind: 'author' | 'journal', ...ids: string[]) => queriesOf(kind, 'A name', ids).map(({ query }) => query)
  t.strictSame(queries('journal', '0028-0836', '1476-4687'), [
    '"0028-0836"[Journal] OR "1476-4687"[Journal]',
    'ISSN:"0028-0836" OR ISSN:"1476-4687"',
    'primary_location.source.issn:0028-0836|1476-4687',
    'issn:0028-0836, issn:1476-4687'
  ])
  t.ok(queries('author', 'A1', 'A2', '0000-0002-1825-0097').includes('authorships.author.id:A1|A2'))
  t.equal(openalex.checkQuery('authorships.author.id:A1|A2'), null)
  t.end()
})

t.test('queries by id replace those by name at the same source', t => {
  t.strictSame(queriesOf('author', 'Ada Müller', ['A42', '0000-0002-1825-0097']), [
    { name: 'pubmed', query: '0000-0002-1825-0097[auid]' },
    { name: 'europepmc', query: 'AUTHORID:"0000-0002-1825-0097"' },
    { name: 'openalex', query: 'authorships.author.id:A42' },
    { name: 'crossref', query: 'orcid:0000-0002-1825-0097' },
    { name: 'arxiv', query: 'au:"Ada Müller"' }
  ])
  t.strictSame(queriesOf('journal', 'Sleep', ['0028-0836']), [
    { name: 'pubmed', query: '"0028-0836"[Journal]' },
    { name: 'europepmc', query: 'ISSN:"0028-0836"' },
    { name: 'openalex', query: 'primary_location.source.issn:0028-0836' },
    { name: 'crossref', query: 'issn:0028-0836' }
  ])
  t.end()
})
