import t from 'tap'
import { authorQueries, followQueries, journalQueries } from '../../src/sources/follow-queries.js'
import { openalex } from '../../src/sources/openalex.js'

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
    ['Ada "O\'Neill"', ["O'Neill A"]]
  ] as const) {
    const [pubmed, europepmc, arxiv] = authorQueries(name)
    t.strictSame(pubmed, { name: 'pubmed', query: expected.map(each => `"${each}"[Author]`).join(' OR ') }, name)
    t.strictSame(europepmc, { name: 'europepmc', query: expected.map(each => `AUTH:"${each}"`).join(' OR ') }, name)
    t.notMatch(arxiv!.query.slice(4, -1), /["\\()]/, name)
  }
})

t.test('a name of one word has no query', async t => {
  t.strictSame(authorQueries('Plato'), [])
  t.strictSame(authorQueries(''), [])
})

t.test('queries of a journal quote its name', async t => {
  t.strictSame(journalQueries('Sleep (Oxford)'), [
    { name: 'pubmed', query: '"Sleep Oxford"[Journal]' },
    { name: 'europepmc', query: 'JOURNAL:"Sleep Oxford"' }
  ])
  t.strictSame(journalQueries(' "" '), [])
})

t.test('queries of an institution have its ROR id, or its OpenAlex id if it has none', async t => {
  const queriesOf = (...ids: string[]) => followQueries({ kind: 'institution', name: 'A lab', ids })
  const byRor = [
    { name: 'openalex', query: 'authorships.institutions.ror:03vek6s52' },
    { name: 'crossref', query: 'ror-id:03vek6s52' }
  ]
  t.strictSame(queriesOf('03vek6s52'), byRor)
  t.strictSame(queriesOf('I42', '03vek6s52'), byRor)
  const byOpenalex = queriesOf('I42')
  t.strictSame(byOpenalex, [{ name: 'openalex', query: 'authorships.institutions.id:I42' }])
  t.equal(openalex.checkQuery(byOpenalex[0]!.query), null)
})
