import t from 'tap'
import fc from 'fast-check'
import type { LoadedSegment } from '../../src/search/corpus.js'
import { indexDocument } from '../../src/search/document.js'
import { chooseExpansion, countEntries, selectExpansionDocuments } from '../../src/search/query-expansion.js'
import { planQuery } from '../../src/search/query-plan.js'
import { addExpansion, findMatches, selectItems } from '../../src/search/ranking.js'
import { buildSegment } from '../../src/search/segment-writer.js'
import { findBlock } from '../../src/search/segment.js'
import { tokenize } from '../../src/search/tokenizer.js'
import { type Doc, scoreAll, scoreExpansion, scoresOf, segmentsOf as segmentsOfDocs, uuid } from './exhaustive-scorer.js'

/* Expansion of queries by words of the best matches of a first pass. */

/** Twelve papers of two topics that share the words of the query, two that mention one of them, and others. */
const papers = [
  ...Array.from({ length: 9 }, (_each, at) => ({
    title: `Gastric cancer screening programme ${at}`,
    abstract: 'Screening of the stomach by endoscopy finds gastric cancer with helicobacter early.'
  })),
  { title: 'Screening of drug libraries', abstract: 'Compounds against kinases are found by robots in plates, one after the other.' },
  { title: 'Screening for a second time', abstract: 'Endoscopy of the stomach and helicobacter eradication are done one after the other.' },
  { title: 'Screening of visitors', abstract: 'Visitors of an airport are seen by cameras that are mounted one after the other.' },
  ...Array.from({ length: 30 }, (_each, at) => ({
    title: `Unrelated report ${at}`,
    abstract: 'The design of another study is of the usual kind.'
  }))
]
const texts = papers.map((paper, number) => ({ itemId: uuid(number), ...paper, summary: null }))

function segmentsOf (pieces: number): LoadedSegment[] {
  const size = Math.ceil(papers.length / pieces)
  return Array.from({ length: pieces }, (_each, piece) => {
    const { documents, blocks, words } = buildSegment(
      texts
        .map(({ itemId: id, ...text }, number) => ({
          number,
          id,
          readyAt: new Date(0),
          ...indexDocument({ ...text, authors: [], identifiers: [] })
        }))
        .slice(piece * size, (piece + 1) * size)
    )
    return { documents, words, blocks: () => blocks }
  })
}

/** What is left of a segment whose documents were all deleted. */
function emptySegment (): LoadedSegment {
  const { documents, blocks, words } = buildSegment([])
  return { documents, words, blocks: () => blocks }
}

function expand (q: string, pieces = 1, segments = segmentsOf(pieces)) {
  const matches = findMatches({ plan: planQuery(q.split(' ')), segments, tombstones: [] })
  const best = selectExpansionDocuments(matches)
  const counts = countEntries(best, texts, matches.corpus.averageLength)
  const expansion = chooseExpansion(matches.corpus, counts, matches.queryWeight)
  return { matches, best, counts, expansion, expanded: addExpansion(matches, expansion) }
}

t.test('pseudo-relevance feedback', async t => {
  t.test('is the same beside segments without documents', async t => {
    const [one, two] = segmentsOf(2)
    const { expanded } = expand('gastric cancer screening', 2)
    t.ok(expanded.scores.some(score => score > 0))
    for (const segments of [[emptySegment(), one!, two!], [one!, emptySegment(), emptySegment(), two!], [one!, two!, emptySegment()]]) {
      t.strictSame(expand('gastric cancer screening', 2, segments).expanded.scores, expanded.scores)
    }
  })

  t.test('uses the ten best matches, and none without further matches', async t => {
    const { best } = expand('gastric cancer screening')
    t.equal(best.length, 10)
    t.equal(Math.max(...best.map(({ weight }) => weight)), 1)
    t.ok(best.every(({ weight }) => weight > 0 && weight <= 1))
    t.strictSame(expand('gastric cancer helicobacter').best, [], 'ten matches')
    t.strictSame(selectExpansionDocuments(findMatches({ plan: planQuery(['sleep']), segments: [], tombstones: [] })), [])
  })

  t.test('selects rare words, without numbers, short or common words', async t => {
    const { matches, counts, expansion } = expand('gastric cancer screening')
    t.ok(counts.has('endoscopy') && counts.has('helicobacter') && !counts.has('kangaroo'))
    t.notOk(counts.has('of') || counts.has('3'))
    const added = expansion.map(({ postings }) => postings[0]!.block.entries[postings[0]!.from])
    t.ok(added.includes('endoscopy') && added.includes('stomach'))
    t.notOk(added.includes('the'))
    const rarity = expansion.reduce((sum, { weight }) => sum + weight, 0)
    t.ok(Math.abs(rarity - matches.queryWeight / 2) < 1e-9, 'all of them weigh half as much as the query')
  })

  t.test('raises similar matches without adding papers, for any segments', async t => {
    const { matches, expanded } = expand('gastric cancer screening')
    const ids = (found: typeof matches) => selectItems(found, [], { limit: 100, offset: 0 }).map(({ id }) => id)
    const [drugs, stomach] = [uuid(9), uuid(10)]
    t.ok(ids(matches).indexOf(stomach) > ids(matches).indexOf(drugs))
    t.ok(ids(expanded).indexOf(stomach) < ids(expanded).indexOf(drugs))
    t.strictSame(ids(expanded).sort(), ids(matches).sort())
    t.strictSame(ids(expand('gastric cancer screening', 4).expanded), ids(expanded))
  })
})

/** Ranks documents with an expanded query. */
function rankDocs (docs: readonly Doc[], q: string, pieces: number) {
  const matches = findMatches({ plan: planQuery(tokenize(q)), segments: segmentsOfDocs(docs, pieces), tombstones: [] })
  const best = selectExpansionDocuments(matches)
  const bestTexts = docs.filter(({ id }) => best.some(each => each.id === id)).map(({ id: itemId, ...text }) => ({ itemId, ...text }))
  const counts = countEntries(best, bestTexts, matches.corpus.averageLength)
  const expansion = chooseExpansion(matches.corpus, counts, matches.queryWeight)
  return { matches, best, counts, expansion, scores: addExpansion(matches, expansion).scores }
}

t.test('an expansion adds scores as documented, for every query and segmentation', async t => {
  const words = [
    'sleep', 'sleeping', 'memory', 'replay', 'wave', 'rat', 'cat', 'il6', 'of', '12', '2024', 'dopamine', 'reward', 'spindle', 'cortex'
  ]
  const text = (maxLength: number) => fc.array(fc.constantFrom(...words), { maxLength }).map(chosen => chosen.join(' '))
  const library = fc
    .array(fc.record({ title: text(4), authors: text(1), summary: text(3), abstract: text(8) }), { minLength: 12, maxLength: 40 })
    .map(docs => docs.map((doc, number): Doc => ({ ...doc, number, id: uuid(number), readyAt: number, identifier: '' })))
  const query = fc.uniqueArray(fc.constantFrom(...words), { minLength: 3, maxLength: 5 }).map(chosen => chosen.join(' '))
  let expanded = 0
  fc.assert(
    fc.property(library, query, fc.integer({ min: 1, max: 4 }), (docs, q, pieces) => {
      const { matches, best, scores } = rankDocs(docs, q, pieces)
      const { scores: exhaustive } = scoreAll(docs, q)
      const highest = Math.max(...best.map(({ id }) => exhaustive.get(id)!.score))
      for (const { id, weight } of best) {
        if (Math.abs(weight - (exhaustive.get(id)!.score / highest) ** 4) > 1e-4) t.fail(`${q}: weight of ${id}`)
      }
      if (best.length === 0) return
      expanded++
      const added = scoreExpansion(docs, new Map(best.map(({ id, weight }) => [id, weight])), matches.queryWeight)
      for (const [doc, score] of scoresOf({ ...matches, scores })) {
        const id = matches.corpus.id(doc)
        if (!(Math.abs(score - exhaustive.get(id)!.score - added.get(id)!) < 1e-3)) t.fail(`${q}: score of ${id}`)
      }
    }),
    { numRuns: 200, seed: 14 }
  )
  t.ok(expanded > 100)
})

t.test('an expansion', async t => {
  const doc = (number: number, title: string, abstract = ''): Doc =>
    ({ number, id: uuid(number), readyAt: number, title, authors: '', summary: '', abstract, identifier: '' })
  const q = 'gastric cancer screening'

  t.test('adds the twenty best words', async t => {
    const many = Array.from({ length: 30 }, (_each, at) => `word${at}`).join(' ')
    const docs = [
      ...Array.from({ length: 12 }, (_each, number) => doc(number, q, many)),
      ...Array.from({ length: 20 }, (_each, at) => doc(12 + at, 'unrelated'))
    ]
    t.equal(rankDocs(docs, q, 2).expansion.length, 20)
  })

  t.test('looks up the 150 most frequent words', async t => {
    const many = Array.from({ length: 300 }, (_each, at) => `word${at}`).join(' ')
    const docs = Array.from({ length: 12 }, (_each, number) => doc(number, `${q} endoscopy`, many))
    const { counts } = rankDocs(docs, q, 1)
    t.equal(counts.size, 150)
    t.ok(counts.has('endoscopy'))
    const chosen = [...counts.keys()].filter(word => word.startsWith('word'))
    t.strictSame(chosen, many.split(' ').sort().slice(0, chosen.length), 'equally frequent ones in their order')
  })

  t.test('uses words of half of the documents at most, and of two at least', async t => {
    const having = { once: 1, twice: 2, half: 12, most: 13 }
    const wordsOf = (number: number) => Object.entries(having).filter(([, count]) => number < count).map(([word]) => word).join(' ')
    const docs = Array.from({ length: 24 }, (_each, number) => doc(number, number < 11 ? q : 'unrelated', wordsOf(number)))
    const words = rankDocs(docs, q, 1).expansion.map(({ postings }) => postings[0]!.block.entries[postings[0]!.from]!)
    t.strictSame(words.filter(word => word in having).sort(), ['half', 'twice'])
  })

  t.test('reaches documents that are far apart', async t => {
    const titles = new Map(Array.from({ length: 11 }, (_each, at) => [at, `${q} endoscopy`]))
    // Distances of 127, 128 and 16,434 end at different bits of the index's numbers.
    const farDocs = [137, 265, 16_699]
    for (const far of farDocs) titles.set(far, 'screening endoscopy').set(far + 1, 'screening visitors')
    const docs = Array.from({ length: 16_800 }, (_each, number) => doc(number, titles.get(number) ?? 'unrelated'))
    for (const pieces of [1, 2]) {
      const { matches, scores } = rankDocs(docs, q, pieces)
      const gained = (number: number) =>
        scoresOf({ ...matches, scores }).get(number)! - scoresOf(matches).get(number)!
      for (const far of farDocs) {
        t.ok(gained(far) > 0.1)
        t.ok(gained(far + 1) < gained(far) - 0.1)
      }
    }
  })
})

t.test('a word is in the block that begins with it or the one before', async t => {
  const directory = ['b', 'd', 'da', 'f']
  for (const [entry, from, to] of [
    ['a', 0, 0],
    ['b', 0, 1],
    ['c', 0, 1],
    ['d', 1, 2],
    ['dab', 2, 3],
    ['z', 3, 4]
  ] as const) { t.strictSame(findBlock(directory, entry), { from, to }, entry) }
})
