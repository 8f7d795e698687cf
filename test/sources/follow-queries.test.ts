import t from 'tap'
import { authorQueries, journalQueries } from '../../src/sources/follow-queries.js'

t.test('queries of an author name the family name and the initials', async t => {
  for (const [name, expected] of [
    ['Ada B. Müller', 'Müller AB'],
    ['Müller, Ada B.', 'Müller AB'],
    ['Müller AB', 'Müller AB'],
    ['van der Berg, Jan', 'van der Berg J'],
    ['Ada "O\'Neill"', "O'Neill A"]
  ] as const) {
    const [pubmed, europepmc, arxiv] = authorQueries(name)
    t.strictSame(pubmed, { name: 'pubmed', query: `"${expected}"[Author]` }, name)
    t.strictSame(europepmc, { name: 'europepmc', query: `AUTH:"${expected}"` }, name)
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
