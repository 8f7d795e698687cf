import t from 'tap'
import fc from 'fast-check'
import { indexDocument } from '../../src/search/document.js'
import type { LoadedSegment } from '../../src/search/corpus.js'
import { Match, planQuery } from '../../src/search/query-plan.js'
import { findMatches, type MatchInput, type NumberFilter, type Page, selectItems } from '../../src/search/ranking.js'
import { buildSegment } from '../../src/search/segment-writer.js'
import { tokenize } from '../../src/search/tokenizer.js'
import { selectPage } from '../../src/search/top-documents.js'

/* The order of results as docs/search.md states it, computed anew for every document, against the ranking that reads postings. */

interface Doc {
  number: number
  id: string
  readyAt: number
  title: string
  authors: string
  summary: string
  abstract: string
  identifier: string
}

const rank =
  ({ filters, ...input }: MatchInput & { filters: readonly NumberFilter[] }) =>
    (page: Page) =>
      selectItems(findMatches(input), filters, page)
const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const entriesOf = ({ title, authors, summary, abstract, identifier }: Doc) =>
  indexDocument({ title, authors: [{ name: authors }], summary, abstract, identifiers: [identifier] })
const frequency = (counts: number) => 3 * (counts & 3) + 1.5 * ((counts >> 2) & 1) + 0.2 * ((counts >> 3) & 3) + ((counts >> 5) & 7)
const idf = (total: number, having: number) => Math.log(1 + (total - having + 0.5) / (having + 0.5))
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

/** The score of each document that has any of the terms. */
function expected (docs: readonly Doc[], q: string): Map<string, { score: number, hasAllTerms: boolean }> {
  const plan = planQuery(tokenize(q))
  const indexed = docs.map(doc => ({ doc, ...entriesOf(doc) }))
  const average = sum(indexed.map(({ length }) => length)) / docs.length
  const terms = plan.terms.map(patterns => patterns.map(({ match, prefixes }) => {
    const found = indexed.map(({ entries, length }) => {
      const matching = [...entries]
        .map(([entry, counts]) => ({ kind: prefixes.some(prefix => entry.startsWith(prefix)) ? match(entry) : Match.none, counts }))
        .filter(({ kind }) => kind !== Match.none)
      const whole = sum(matching.filter(({ kind }) => kind !== Match.prefix)
        .map(({ kind, counts }) => (kind === Match.whole ? 1 : 0.9) * frequency(counts)))
      const prefix = sum(matching.filter(({ kind }) => kind === Match.prefix).map(({ counts }) => 0.25 * frequency(counts)))
      const norm = 1.6 * (1 - 0.75 + 0.75 * (length + 40) / (average + 40))
      return { has: matching.length > 0, exact: matching.some(({ kind }) => kind !== Match.inflection), whole, prefix, norm }
    })
    const weight = idf(docs.length, found.filter(({ has }) => has).length)
    const scored = found.map(({ whole, prefix, norm, ...rest }) =>
      ({ ...rest, score: weight * (whole > 0 ? whole / (whole + norm) : prefix / (prefix + norm)) }))
    return { weight, found: scored }
  }))
  return new Map(indexed.flatMap(({ doc, entries }, index) => {
    const has = terms.map(patterns => patterns.every(({ found }) => found[index]!.has))
    const exact = terms.map(patterns => patterns.every(({ found }) => found[index]!.exact))
    if (!has.includes(true)) return []
    const score = sum(terms.map((patterns, term) => has[term]! ? sum(patterns.map(({ found }) => found[index]!.score)) : 0)) +
      (entries.has(plan.identifier) ? 10_000 : 0)
    return [[doc.id, { score, hasAllTerms: !exact.includes(false) }] as const]
  }))
}

function segmentsOf (docs: readonly Doc[], pieces: number): LoadedSegment[] {
  const size = Math.ceil(docs.length / pieces)
  return Array.from({ length: pieces }, (_each, piece) => docs.slice(piece * size, (piece + 1) * size))
    .filter(part => part.length > 0)
    .map(part => {
      const { documents, blocks, words } = buildSegment(
        part.map(doc => ({ number: doc.number, id: doc.id, readyAt: new Date(doc.readyAt), ...entriesOf(doc) }))
      )
      return { documents, words, blocks: () => blocks }
    })
}

const words = [
  'sleep', 'sleeps', 'sleeping', 'sleepless', 'sleepers', 'memory', 'memories', 'memorial', 'replay', 'wave', 'waves', 'rat', 'rats',
  'ratio', 'beta', 'β', 'betaine', '記憶', '記録', '記憶力', '憶測力',
  '10.1000/1'
]
const text = (maxLength: number) => fc.array(fc.constantFrom(...words), { maxLength }).map(chosen => chosen.join(' '))
const library = fc
  .array(
    fc.record({
      title: text(4),
      authors: text(1),
      summary: text(3),
      abstract: text(12),
      identifier: fc.constantFrom('', '10.1000/1', '10.1000/2'),
      age: fc.nat(3)
    }),
    { minLength: 1, maxLength: 25 }
  )
  .map(docs =>
    docs.map(({ age, ...doc }, index): Doc => ({
      ...doc,
      number: 3 * index + 2,
      id: uuid(1000 - index),
      readyAt: 1_000_000 - 86_400 * age
    }))
  )
const query = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 7 }).map(chosen => chosen.join(' '))

t.test('ranks as documented for every query and segmentation', async t => {
  fc.assert(
    fc.property(library, query, fc.integer({ min: 1, max: 4 }), (docs, q, pieces) => {
      const scores = expected(docs, q)
      const results = rank({ plan: planQuery(tokenize(q)), segments: segmentsOf(docs, pieces), tombstones: [], filters: [] })({
        limit: 100,
        offset: 0
      })
      t.strictSame(results.map(({ id }) => id).sort(), [...scores.keys()].sort(), `found for ${q}`)
      for (const [index, { id, hasAllTerms }] of results.entries()) {
        const [here, next] = [scores.get(id)!, scores.get(results[index + 1]?.id ?? '')]
        if (hasAllTerms !== here.hasAllTerms) t.fail(`${q}: all terms in ${id}`)
        if (next === undefined) continue
        if (
          Number(here.hasAllTerms) < Number(next.hasAllTerms) ||
          (here.hasAllTerms === next.hasAllTerms && here.score < next.score - 1e-4 * Math.max(1, next.score / 1000))
        ) { t.fail(`${q}: ${JSON.stringify(here)} before ${JSON.stringify(next)}`) }
      }
    }),
    { numRuns: 400, seed: 11 }
  )
})

t.test('tombstones and filters remove documents', async t => {
  const numbers = fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 30 })
  fc.assert(
    fc.property(
      library,
      query,
      fc.integer({ min: 1, max: 4 }),
      numbers,
      fc.array(fc.record({ numbers, keep: fc.boolean() }), { maxLength: 3 }),
      (docs, q, pieces, tombstones, filters: NumberFilter[]) => {
        const input = { plan: planQuery(tokenize(q)), segments: segmentsOf(docs, pieces) }
        const isKept = (number: number) =>
          !tombstones.includes(number) && filters.every(filter => filter.numbers.includes(number) === filter.keep)
        const all = rank({ ...input, tombstones: [], filters: [] })({ limit: 100, offset: 0 }).map(({ id }) => id)
        t.strictSame(
          rank({ ...input, tombstones, filters })({ limit: 100, offset: 0 }).map(({ id }) => id),
          all.filter(id => isKept(docs.find(doc => doc.id === id)!.number))
        )
      }
    ),
    { numRuns: 150, seed: 12 }
  )
})

t.test('an empty index finds nothing', async t => {
  t.strictSame(
    rank({ plan: planQuery(['sleep']), segments: [], tombstones: [1], filters: [{ numbers: [1], keep: true }] })({ limit: 10, offset: 0 }),
    []
  )
})

t.test('reads long posting lists completely', async t => {
  const docs = Array.from({ length: 700 }, (_each, number): Doc => ({
    number,
    id: uuid(number),
    readyAt: number,
    title: number % 300 === 7 ? 'rare sleep' : 'memory',
    authors: '',
    summary: '',
    abstract: number === 699 ? 'last' : '',
    identifier: ''
  }))
  const found = (q: string) =>
    rank({ plan: planQuery(tokenize(q)), segments: segmentsOf(docs, 2), tombstones: [], filters: [] })({ limit: 1000, offset: 0 }).map(
      ({ id }) => id
    )
  t.strictSame(found('rare'), [607, 307, 7].map(uuid))
  t.strictSame(found('last'), [uuid(699)])
  t.equal(found('memory').length, 697)
})

t.test('pages follow the order group, score, newest, id', async t => {
  const document = fc.record({
    isFound: fc.integer({ min: 0, max: 1 }),
    group: fc.integer({ min: 0, max: 1 }),
    score: fc.constantFrom(0, 0.5, 0.5001, 1, 2, 10_001),
    readyAt: fc.nat(3)
  })
  fc.assert(
    fc.property(fc.array(document, { maxLength: 60 }), fc.nat(20), fc.nat(70), (docs, limit, offset) => {
      const idOf = (doc: number) => uuid((doc * 37) % 101)
      const scores = Float32Array.from(docs, ({ score }) => score)
      const order = [...docs.keys()]
        .filter(doc => docs[doc]!.isFound === 1)
        .sort(
          (a, b) =>
            docs[b]!.group - docs[a]!.group ||
            scores[b]! - scores[a]! ||
            docs[b]!.readyAt - docs[a]!.readyAt ||
            (idOf(a) < idOf(b) ? -1 : 1)
        )
      const found = Uint32Array.from([...docs.keys()].filter(doc => docs[doc]!.isFound === 1))
      const page = selectPage(
        {
          docs: found,
          groups: Uint8Array.from(found, doc => docs[doc]!.group),
          scores: Float32Array.from(found, doc => scores[doc]!),
          readyAt: doc => docs[doc]!.readyAt,
          id: idOf
        },
        { limit, offset }
      )
      t.strictSame(
        page,
        order.slice(offset, offset + limit).map(doc => ({ doc, id: idOf(doc), group: docs[doc]!.group, score: scores[doc]! }))
      )
    }),
    { numRuns: 500, seed: 13 }
  )
})

t.test('sorts only documents that can be on the page', async t => {
  let asked = 0
  const total = 10_000
  const scores = Float32Array.from({ length: total }, (_each, doc) => doc / 100)
  selectPage(
    {
      docs: Uint32Array.from({ length: total }, (_each, doc) => doc),
      groups: new Uint8Array(total).fill(1),
      scores,
      readyAt: () => {
        asked++
        return 0
      },
      id: uuid
    },
    { limit: 10, offset: 20 }
  )
  t.ok(asked < 100, `${asked} documents were sorted`)
})

t.test('only the first twelve short terms match as prefixes', async t => {
  const letters = [...'abcdefghijklmn']
  const { terms } = planQuery([...letters, 'sleep'])
  const kinds = terms.map(([pattern]) => [pattern!.match(`${pattern!.prefixes[0]}`), pattern!.match(`${pattern!.prefixes[0]}x`)])
  t.strictSame(kinds.slice(0, 12), letters.slice(0, 12).map(() => [Match.whole, Match.prefix]))
  t.strictSame(kinds.slice(12, 14), [[Match.whole, Match.none], [Match.whole, Match.none]])
  t.equal(kinds[14]![0], Match.whole)
})

t.test('an entry matches a word of the query as', async t => {
  const kinds: Array<[q: string, entries: Record<string, Match>]> = [
    [
      'sleep',
      {
        sleep: Match.whole,
        sleeping: Match.inflectedPrefix,
        sleeps: Match.inflectedPrefix,
        sleepless: Match.prefix,
        slept: Match.none,
        slee: Match.none
      }
    ],
    ['studies', { studies: Match.whole, study: Match.inflection, studying: Match.inflection, student: Match.none, studiesx: Match.prefix }],
    ['wave', { waves: Match.inflectedPrefix, wav: Match.none }],
    ['rat', { rat: Match.whole, rats: Match.prefix, ratio: Match.prefix, ra: Match.none }],
    ['il6', { il6: Match.whole, il6r: Match.prefix, il: Match.none }],
    ['beta', { beta: Match.whole, β: Match.whole, β1: Match.prefix, betaine: Match.prefix, bet: Match.none }],
    [
      'generalization',
      {
        generalize: Match.inflection,
        general: Match.inflection,
        generalized: Match.inflection,
        generals: Match.inflection,
        generalizations: Match.prefix
      }
    ]
  ]
  for (const [q, entries] of kinds) {
    const [[pattern]] = planQuery([q]).terms as [[{ prefixes: readonly string[], match: (entry: string) => Match }]]
    for (const [entry, kind] of Object.entries(entries)) {
      t.equal(pattern.match(entry), kind, `${q}: ${entry}`)
      if (kind !== Match.none) t.ok(pattern.prefixes.some(prefix => entry.startsWith(prefix)), `${q}: ${entry} is looked for`)
    }
  }
})

t.test('a plan has patterns for each word and the query as one identifier', async t => {
  const { terms, identifier } = planQuery(['sleep', '記憶力', 'x'])
  t.strictSame(terms.map(patterns => patterns.length), [1, 2, 1])
  t.equal(identifier, ' sleep 記憶力 x')
})
