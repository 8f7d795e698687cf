import t from 'tap'
import fc from 'fast-check'
import { Match, planQuery, type QueryKind } from '../../src/search/query-plan.js'
import { findMatches, type MatchInput, type NumberFilter, type Page, selectItems } from '../../src/search/ranking.js'
import { tokenize } from '../../src/search/tokenizer.js'
import { type ScoredDocuments, selectPage } from '../../src/search/top-documents.js'
import { type Doc, scoreAll, scoresOf, segmentsOf, uuid } from './exhaustive-scorer.js'

/* Results as docs/search.md states them, against a scorer that reads every document. */

const rank =
  ({ filters, ...input }: MatchInput & { filters: readonly NumberFilter[] }) =>
    (page: Page) =>
      selectItems(findMatches(input), filters, page)

const words = [
  'sleep', 'sleeps', 'sleeping', 'sleepless', 'sleepers', 'sleepsack', 'memory', 'memories', 'memorial', 'replay', 'wave', 'waves', 'rat',
  'rats', 'ratio', 'beta', 'β', 'betaine', '記憶', '記録', '記憶力', '憶測力', '10.1000/1'
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
      const { scores, queryWeight } = scoreAll(docs, q)
      const matches = findMatches({ plan: planQuery(tokenize(q)), segments: segmentsOf(docs, pieces), tombstones: [] })
      if (!(Math.abs(matches.queryWeight - queryWeight) < 1e-9)) t.fail(`${q}: the terms weigh ${matches.queryWeight}, not ${queryWeight}`)
      const matching = scoresOf(matches)
      t.equal(matches.count, matching.size)
      for (const [doc, found] of matching) {
        const { score } = scores.get(matches.corpus.id(doc))!
        if (!(Math.abs(found - score) < 1e-5 * Math.max(1, score))) t.fail(`${q}: ${found}, not ${score}`)
      }
      const results = selectItems(matches, [], { limit: 100, offset: 0 })
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
          rank({ ...input, tombstones: [tombstones], filters })({ limit: 100, offset: 0 }).map(({ id }) => id),
          all.filter(id => isKept(docs.find(doc => doc.id === id)!.number))
        )
      }
    ),
    { numRuns: 150, seed: 12 }
  )
})

t.test('an empty index finds nothing', async t => {
  t.strictSame(
    rank({ plan: planQuery(['sleep']), segments: [], tombstones: [[1]], filters: [{ numbers: [1], keep: true }] })(
      { limit: 10, offset: 0 }
    ),
    []
  )
})

/** A paper with this title and nothing else. */
const titled = (title: string, number: number): Doc =>
  ({ number, id: uuid(number), readyAt: number, title, authors: '', summary: '', abstract: '', identifier: '' })
const idsFor = (q: string, segments: MatchInput['segments'], kind?: QueryKind) =>
  rank({ plan: planQuery(tokenize(q), kind), segments, tombstones: [], filters: [] })({ limit: 20_000, offset: 0 }).map(({ id }) => id)

t.test('finds documents that are far apart', async t => {
  // Distances of 127, 128 and 16,434 end at different bits of the index's numbers.
  const [rare, rarely] = [[16_696, 262, 134, 7], [16_697, 263, 135, 8]]
  const titles = new Map([...rare.map(number => [number, 'rare'] as const), ...rarely.map(number => [number, 'rarely'] as const)])
  const docs = Array.from({ length: 17_000 }, (_each, number) => titled(titles.get(number) ?? 'common', number))
  const identified = [16_692, 258, 130, 3]
  for (const number of identified) docs[number]!.identifier = '10.1000/1'
  docs.push(titled('last', 17_000))
  for (const pieces of [1, 2]) {
    const segments = segmentsOf(docs, pieces)
    t.strictSame(idsFor('rare', segments), [...rare, ...rarely].map(uuid))
    t.strictSame(idsFor('10.1000/1', segments, { isIdentifier: true }), identified.map(uuid))
    t.strictSame(idsFor('last', segments), [uuid(17_000)])
    t.equal(idsFor('common', segments).length, 16_992)
  }
})

t.test('filters of one page leave the matches for other pages', async t => {
  const docs = Array.from({ length: 20 }, (_each, number) => titled(number % 3 === 0 ? 'sleep and memory' : 'sleep', number))
  const matches = findMatches({ plan: planQuery(['sleep', 'memory']), segments: segmentsOf(docs, 2), tombstones: [] })
  const page = (filters: readonly NumberFilter[]) => selectItems(matches, filters, { limit: 100, offset: 0 })
  const all = page([])
  t.equal(page([{ numbers: [1, 4, 6, 19], keep: true }]).length, 4)
  t.strictSame(page([]), all)
})

t.test('a search does not depend on those before it', async t => {
  const [short, long] = [
    [titled('sleep', 1), titled('memory of sleep and of waking in the dark', 2)],
    [titled(Array(200).fill('memory').join(' '), 3)]
  ]
  const scoresFor = (q: string, segments: MatchInput['segments']) =>
    [...findMatches({ plan: planQuery(tokenize(q)), segments, tombstones: [] }).scores]

  t.test('over fewer segments', async t => {
    const segments = segmentsOf(short, 1)
    t.strictSame(scoresFor('sleep', segments), scoresFor('sleep', segmentsOf(short, 1)))
    segments.push(...segmentsOf(long, 1))
    t.strictSame(scoresFor('sleep', segments), scoresFor('sleep', [...segmentsOf(short, 1), ...segmentsOf(long, 1)]))
  })

  t.test('even if one of them failed', async t => {
    const segments = segmentsOf([...short, ...long], 1)
    const [{ documents, words, blocks }] = segments as [MatchInput['segments'][number]]
    const failing = (prefix: string, isWholeWord: boolean) => {
      if (prefix.startsWith('wak')) throw new Error('A block could not be read.')
      return blocks(prefix, isWholeWord)
    }
    const before = scoresFor('memory', segments)
    t.throws(() => scoresFor('sleep waking', [{ documents, words, blocks: failing }]), /could not be read/)
    t.strictSame(scoresFor('memory', segments), before)
  })
})

interface PageInput { group: number, score: number, readyAt: number }

const scoredDocuments = (docs: readonly PageInput[], id: (doc: number) => string): ScoredDocuments => ({
  docs: Uint32Array.from(docs.keys()),
  groups: Uint8Array.from(docs, ({ group }) => group),
  scores: Float32Array.from(docs, ({ score }) => score),
  readyAt: doc => docs[doc]!.readyAt,
  id
})

t.test('pages follow the order group, score, newest, id', async t => {
  const document = fc.record({
    group: fc.integer({ min: 0, max: 1 }),
    score: fc.constantFrom(0, 0.5, 0.5001, 1, 2, 10_001),
    readyAt: fc.nat(3)
  })
  const few = fc.tuple(fc.array(document, { maxLength: 60 }), fc.nat(20), fc.nat(70))
  // So many that the page's bounds exclude some, and so alike that most of them tie.
  const many = fc.tuple(
    fc.array(document, { minLength: 20, maxLength: 100 }).map(docs => Array.from({ length: 15 }, () => docs).flat()),
    fc.integer({ min: 1, max: 40 }),
    fc.nat(300)
  )
  for (const [input, numRuns] of [[few, 300], [many, 100]] as const) {
    fc.assert(
      fc.property(input, ([docs, limit, offset]) => {
        const idOf = (doc: number) => uuid((doc * 37) % 10_007)
        const input = scoredDocuments(docs, idOf)
        const order = [...docs.keys()].sort(
          (a, b) =>
            docs[b]!.group - docs[a]!.group ||
            docs[b]!.score - docs[a]!.score ||
            docs[b]!.readyAt - docs[a]!.readyAt ||
            (idOf(a) < idOf(b) ? -1 : 1)
        )
        t.strictSame(
          selectPage(input, { limit, offset }),
          order.slice(offset, offset + limit).map(doc => ({ doc, id: idOf(doc), group: docs[doc]!.group, score: input.scores[doc]! }))
        )
      }),
      { numRuns, seed: 13 }
    )
  }
})

t.test('sorts only documents that can be on the page', async t => {
  const sorted = (docOf: (index: number) => Omit<PageInput, 'readyAt'>) => {
    let asked = 0
    const input = scoredDocuments(Array.from({ length: 10_000 }, (_each, index) => ({ ...docOf(index), readyAt: 0 })), uuid)
    selectPage({ ...input, readyAt: () => asked++ }, { limit: 10, offset: 20 })
    return asked
  }
  t.ok(sorted(index => ({ group: 1, score: index / 100 })) < 100)
  t.equal(sorted(index => ({ group: 1, score: -index })), 30, 'the best come first')
  t.equal(sorted(index => ({ group: index < 300 ? 1 : 0, score: index < 300 ? -index : index })), 30, 'those with all terms come first')
})

t.test('only the first twelve short terms match as prefixes', async t => {
  const letters = [...'abcdefghijklmn']
  const { terms } = planQuery([...letters, 'sleep'])
  const kinds = terms.map(([pattern]) => [pattern!.match(`${pattern!.prefixes[0]}`), pattern!.match(`${pattern!.prefixes[0]}x`)])
  t.strictSame(kinds.slice(0, 12), letters.slice(0, 12).map(() => [Match.whole, Match.prefix]))
  t.strictSame(kinds.slice(12, 14), [[Match.whole, Match.none], [Match.whole, Match.none]])
  t.equal(kinds[14]![0], Match.whole)
  const longer = planQuery([...letters.map(letter => letter + letter), 'rat']).terms.map(([pattern]) => pattern!)
  t.equal(longer[11]!.match('llx'), Match.prefix)
  t.equal(longer[12]!.match('mmx'), Match.none, 'terms of two characters are short')
  t.equal(longer[14]!.match('rats'), Match.prefix, 'terms of three are not')
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
    ['metastasis', { metastases: Match.inflection, metastatic: Match.none }],
    ['analyses', { analysis: Match.inflection, disease: Match.none }],
    ['mouse', { mice: Match.inflection, micelle: Match.none, mouselike: Match.prefix }],
    ['mice', { mouse: Match.inflection, mouses: Match.inflection, mousetrap: Match.none, micelle: Match.prefix }],
    ['child', { children: Match.inflectedPrefix, childhood: Match.prefix }],
    ['men', { man: Match.inflection, mental: Match.prefix }],
    ['genera', { genus: Match.inflection, general: Match.prefix, generate: Match.prefix }],
    ['tumour', { tumor: Match.whole, tumors: Match.inflectedPrefix, tumours: Match.inflectedPrefix, tumult: Match.none }],
    ['randomized', { randomised: Match.whole, randomisation: Match.inflection, random: Match.inflection }],
    ['haemoglobin', { hemoglobin: Match.whole, hemoglobins: Match.inflectedPrefix, haematology: Match.none }],
    ['diseases', { disease: Match.inflection }],
    ['rat', { rat: Match.whole, rats: Match.prefix, ratio: Match.prefix, ra: Match.none }],
    ['2cells', { '2cells': Match.whole, '2cell': Match.none }],
    ['cells2', { cells2: Match.whole, cells: Match.none, cell: Match.none }],
    ['cells', { cell: Match.inflection, cell2: Match.none }],
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
      const found = pattern.prefixes.filter(prefix => entry.startsWith(prefix)).length
      if (kind !== Match.none) t.equal(found, 1, `${q}: ${entry} is looked for, once`)
    }
  }
})

t.test('a plan has patterns for each word and the query as one identifier', async t => {
  const { terms, identifier } = planQuery(['sleep', '記憶力', 'x'])
  t.strictSame(terms.map(patterns => patterns.length), [1, 2, 1])
  t.equal(identifier, ' sleep 記憶力 x')
})
