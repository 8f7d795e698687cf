import t from 'tap'
import type { LoadedSegment } from '../../src/search/corpus.js'
import { indexDocument } from '../../src/search/document.js'
import { chooseExpansion, countEntries, selectFeedback } from '../../src/search/feedback.js'
import { planQuery } from '../../src/search/query-plan.js'
import { addExpansion, findMatches, selectItems } from '../../src/search/ranking.js'
import { buildSegment } from '../../src/search/segment-writer.js'
import { findBlock } from '../../src/search/segment.js'

/* Feedback from the best matches of a first pass. */

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
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

function expand (q: string, pieces = 1) {
  const matches = findMatches({ plan: planQuery(q.split(' ')), segments: segmentsOf(pieces), tombstones: [] })
  const feedback = selectFeedback(matches)
  const counts = countEntries(feedback, texts, matches.corpus.averageLength)
  const expansion = chooseExpansion(matches.corpus, counts, matches.queryWeight)
  return { matches, feedback, counts, expansion, expanded: addExpansion(matches, expansion) }
}

t.test('pseudo-relevance feedback', async t => {
  t.test('uses the ten best matches, and none without further matches', async t => {
    const { feedback } = expand('gastric cancer screening')
    t.equal(feedback.length, 10)
    t.equal(Math.max(...feedback.map(({ weight }) => weight)), 1)
    t.ok(feedback.every(({ weight }) => weight > 0 && weight <= 1))
    t.strictSame(expand('gastric cancer helicobacter').feedback, [], 'ten matches')
    t.strictSame(selectFeedback(findMatches({ plan: planQuery(['sleep']), segments: [], tombstones: [] })), [])
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
