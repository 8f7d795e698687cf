import t from 'tap'
import fc from 'fast-check'
import { completeAll, completeMatches, findRareMatches } from '../../src/search/best-matches.js'
import { chooseExpansion, countEntries, selectExpansionDocuments } from '../../src/search/query-expansion.js'
import type { Matches } from '../../src/search/matches.js'
import { planQuery } from '../../src/search/query-plan.js'
import { addExpansion, findMatches, selectItems } from '../../src/search/ranking.js'
import { tokenize } from '../../src/search/tokenizer.js'
import { type Doc, segmentsOf, uuid } from './exhaustive-scorer.js'

/* The best matches, found without the others, against those that are chosen from all matches. */

const common = ['the', 'of', 'effect', 'in']
const rare = ['sleep', 'sleeping', 'memory', 'replay', 'waves', 'spindle', 'rats', 'cortex', '記憶', '10.1000/1']
const text = (maxLength: number) => fc
  .array(fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...common) }, { weight: 1, arbitrary: fc.constantFrom(...rare) }), { maxLength })
  .map(words => words.join(' '))
const library = fc
  .array(fc.record({ title: text(4), abstract: text(14), age: fc.nat(3) }), { minLength: 40, maxLength: 90 })
  .map(docs => docs.map(({ age, ...doc }, number): Doc =>
    ({ ...doc, authors: '', summary: '', identifier: '', number, id: uuid(1000 - number), readyAt: 1_000_000 - 86_400 * age })))
const query = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...common), { maxLength: 4 }),
    fc.uniqueArray(fc.constantFrom(...rare), { minLength: 1, maxLength: 5 })
  )
  .chain(words => fc.shuffledSubarray(words.flat(), { minLength: words.flat().length }))
  .map(words => words.join(' '))

t.test('the best matches are those that a search of all documents finds, in the same order', async t => {
  let [complete, shorter] = [0, 0]
  fc.assert(
    fc.property(
      library,
      query,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.nat(90), { maxLength: 8 }),
      (docs, q, pieces, places, tombstones) => {
        const lists = tombstones.length === 0 ? [] : [tombstones]
        const input = { plan: planQuery(tokenize(q)), segments: segmentsOf(docs, pieces), tombstones: lists }
        const all = findMatches(input)
        const found = findRareMatches(input)
        if (found === undefined) return
        const first = (matches: Matches) => selectItems(matches, [], { limit: places, offset: 0 })
        t.strictSame(first(completeAll(found)), first(all), `${q}, all`)
        const best = completeMatches(found, places)
        if (best !== undefined) {
          complete++
          if (best.scores.length < all.count) shorter++
          t.strictSame(first(best), first(all), q)
          t.strictSame([best.termWeights, best.queryWeight], [all.termWeights, all.queryWeight])
        }
        const texts = docs.map(({ id: itemId, title, abstract, summary }) => ({ itemId, title, abstract, summary }))
        const expanding = selectExpansionDocuments(all)
        if (expanding.length === 0) return
        const counts = countEntries(expanding, texts, all.corpus.averageLength)
        const expansion = chooseExpansion(all.corpus, counts, all.queryWeight)
        const expanded = completeMatches(found, places, expansion)
        if (expanded !== undefined) t.strictSame(first(expanded), first(addExpansion(all, expansion)), `${q}, expanded`)
      }
    ),
    { numRuns: 400, seed: 7 }
  )
  t.ok(complete > 150, `${complete} searches did without the other matches`)
  t.ok(shorter > 120, `${shorter} of them left some out`)
})

t.test('a document without a rare term is among the best if the expansion raises it', async t => {
  const doc = (number: number, abstract: string): Doc =>
    ({ title: '', authors: '', summary: '', identifier: '', number, id: uuid(number), readyAt: 0, abstract })
  const docs = [
    ...Array.from({ length: 4 }, (_each, at) => doc(at, 'the sleep of rats')),
    doc(4, 'the spindle replay waves'),
    doc(5, 'spindle replay waves'),
    ...Array.from({ length: 60 }, (_each, at) => doc(6 + at, 'the other'))
  ]
  const input = { plan: planQuery(['the', 'sleep']), segments: segmentsOf(docs, 2), tombstones: [] }
  const postings = (entry: string) => findMatches(input).corpus.findPostings({ prefixes: [entry], isWholeWord: true, match: () => 4 })
  const expansion = ['spindle', 'replay', 'waves'].map(entry => ({ postings: postings(entry), weight: 3 }))
  const matches = completeMatches(findRareMatches(input)!, 3, expansion)!
  t.strictSame(
    selectItems(matches, [], { limit: 9, offset: 0 }).map(({ id }) => id).sort(),
    [0, 1, 2, 3, 4].map(uuid),
    'and not the one that has no term of the query'
  )
})

t.test('a search as of a time leaves later documents out, by either way', async t => {
  const docs = Array.from({ length: 40 }, (_each, number): Doc => ({
    title: `The effect of ${number % 5 === 0 ? 'sleep' : 'rats'}`,
    abstract: '',
    authors: '',
    summary: '',
    identifier: '',
    number,
    id: uuid(number),
    readyAt: number
  }))
  const segments = segmentsOf(docs, 2)
  const plan = planQuery(['the', 'sleep'])
  const input = { plan, segments, tombstones: [[5]], asOf: 19 }
  const idsOf = (matches: Matches, limit: number) => selectItems(matches, [], { limit, offset: 0 }).map(({ id }) => id)
  const all = idsOf(findMatches(input), 40)
  t.equal(all.length, 19)
  t.strictSame(all.slice(0, 3), [15, 10, 0].map(uuid))
  const found = findRareMatches(input)!
  t.strictSame(idsOf(completeAll(found), 40), all)
  t.strictSame(idsOf(completeMatches(found, 2)!, 2), all.slice(0, 2))
})

t.test('a search has to look at all documents', async t => {
  const docs = Array.from({ length: 40 }, (_each, number): Doc => ({
    title: `The effect of ${number % 8 === 0 ? 'sleep' : 'rats'}`,
    abstract: '',
    authors: '',
    summary: '',
    identifier: number === 3 ? '10.1000/1' : '',
    number,
    id: uuid(number),
    readyAt: 0
  }))
  const search = (q: string) => findRareMatches({ plan: planQuery(tokenize(q)), segments: segmentsOf(docs, 1), tombstones: [] })
  t.equal(completeMatches(search('the effect')!, 5), undefined, 'without rare terms')
  t.equal(search('10.1000/1'), undefined, 'for an identifier')
  t.equal(completeMatches(search('the sleep')!, 5), undefined, 'where the others may be on the page')
  t.ok(completeMatches(search('the sleep')!, 4))
  t.equal(findRareMatches({ plan: planQuery(['sleep']), segments: [], tombstones: [] }), undefined, 'in an empty feed')
})
