import t from 'tap'
import { idf } from '../../src/search/bm25.js'
import { mergePages } from '../../src/search/merge-pages.js'
import { planQuery } from '../../src/search/query-plan.js'
import { findMatches, selectItems, selectShared } from '../../src/search/ranking.js'
import { tokenize } from '../../src/search/tokenizer.js'
import type { SearchPage } from '../../src/search/search.js'
import { takesLess } from '../support/event-loop.js'
import { type Doc, segmentsOf, uuid } from './exhaustive-scorer.js'

const page = (
  items: ReadonlyArray<[id: string, hasAllTerms: boolean, shares: number[]]>, total: number, documentFrequencies: number[]
): SearchPage => ({
  items: items.map(([id, hasAllTerms, shares]) => ({ id, hasAllTerms, shares: Float32Array.from(shares) })),
  hasMore: false,
  hasAllTerms: false,
  index: { total, termWeights: documentFrequencies.map(count => idf(total, count)) }
})
const idsOf = (pages: SearchPage[], options = {}) => mergePages(pages, options).map(({ id }) => id)

t.test('a term weighs by its rarity in all feeds together', async t => {
  // "sleep" is in every paper of one feed and in one of the other, "memory" in few of both.
  const sleep = page([['both', true, [0.6, 0.6]], ['memory', false, [0, 0.6]], ['sleep', false, [0.6, 0]]], 100, [100, 5])
  const programs = page([['stray', false, [0.6, 0]]], 100, [1, 0])
  t.strictSame(idsOf([programs, sleep]), ['both', 'memory', 'stray', 'sleep'])
  t.strictSame(idsOf([programs, sleep], { dropUnrelated: true }), ['both', 'memory', 'sleep'])
  t.strictSame(idsOf([]), [])
})

t.test('full matches come first and are never dropped', async t => {
  const weak = page([['weak', true, [0.05]]], 10, [1])
  const strong = page([['strong', true, [0.8]], ['inflected', false, [0.7]]], 10, [2])
  t.strictSame(idsOf([weak, strong], { dropUnrelated: true }), ['strong', 'weak', 'inflected'])
})

t.test('rare words of several pairs of characters keep partial matches, and many long pages take a moment', async t => {
  const rare = { total: 300, termWeights: [3 * idf(300, 2), idf(300, 20)] }
  const pages = [page([['some', false, [0, 0.4]]], 300, []), page([['other', false, [0, 0.3]]], 300, [])]
  t.strictSame(idsOf(pages.map(each => ({ ...each, index: rare })), { dropUnrelated: true }), ['some', 'other'])
  const many = Array.from({ length: 200 }, (_each, feed) => page(
    Array.from({ length: 1000 }, (_item, at) => [`${feed} ${at}`, at < 500, [1 - at / 1000]]), 10_000, [5000]
  ))
  await takesLess(t, 150, () => t.equal(idsOf(many, { limit: 1001, dropUnrelated: true }).length, 1001))
})

t.test('the order of a feed stays', async t => {
  const expanded = page([['a', false, [0.2]], ['b', false, [0.9]]], 10, [2])
  t.strictSame(idsOf([expanded, page([['c', false, [0.5]]], 10, [2])]), ['c', 'a', 'b'])
})

t.test('shares are between 0 and 1, of the term alone, and those of an identifier are whole', async t => {
  const doc = (number: number, title: string, identifier = ''): Doc =>
    ({ number, id: uuid(number), readyAt: 0, title, authors: '', summary: '', abstract: '', identifier })
  const docs = [doc(1, 'Sleep and memory'), doc(2, 'Sleep'), doc(3, 'Retina', '12345678'), doc(4, '記憶')]
  const select = (q: string) => {
    const plan = planQuery(tokenize(q))
    const matches = findMatches({ plan, segments: segmentsOf(docs, 2), tombstones: [] })
    const items = selectShared(plan, matches, [], { limit: 10, offset: 0 })
    t.strictSame(items.map(({ id, hasAllTerms }) => ({ id, hasAllTerms })), selectItems(matches, [], { limit: 10, offset: 0 }))
    return items.map(({ shares }) => [...shares])
  }
  const [both, one] = select('sleep memory')
  for (const share of [...both!, one![0]!]) t.ok(share > 0 && share < 1, `${share}`)
  t.equal(one![1], 0)
  t.strictSame(select('12345678'), [[1]])
  t.ok(select('記憶')[0]![0]! > 0)
  t.strictSame(select('unknown'), [])
})
