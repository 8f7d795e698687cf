import { totalmem } from 'node:os'
import t from 'tap'
import { cacheBytes } from '../../src/search/cache-memory.js'
import { planQuery } from '../../src/search/query-plan.js'
import { findMatches, selectItems } from '../../src/search/ranking.js'
import { emptyDocuments } from '../../src/search/segment.js'
import { keepTermDocuments, knownTermDocuments, maxListBytes } from '../../src/search/wide-terms.js'
import { type Doc, scoreAll, segmentsOf, uuid } from './exhaustive-scorer.js'

t.test('the documents of common words are kept, within bounds', async t => {
  const listOf = (size: number) => ({
    ordinals: Uint32Array.from({ length: size }, (_each, at) => at),
    frequencies: new Float32Array(size).fill(2),
    isExact: new Uint8Array(size)
  })
  const [documents, others] = [emptyDocuments(100_000), emptyDocuments(100_000)]
  const list = listOf(90_000)
  keepTermDocuments(documents, 'the', list, 1 / 16)
  list.ordinals.fill(7)
  t.match(knownTermDocuments(documents, 'the'), { count: 90_000, codes: { 0: 1, 89_999: 1, 90_000: 0 }, frequencies: { 1: 2 } })
  const fifth = listOf(20_000)
  keepTermDocuments(documents, 'effect', fifth, 1 / 16)
  fifth.ordinals.fill(7)
  t.match(knownTermDocuments(documents, 'effect'), { ordinals: { 19_999: 19_999 } }, 'a copy')
  t.equal(knownTermDocuments(others, 'the'), undefined, 'of another segment')
  t.equal(knownTermDocuments(documents, 'th'), undefined)
  keepTermDocuments(documents, 'rare', listOf(6000), 1 / 16)
  t.equal(knownTermDocuments(documents, 'rare'), undefined, 'read as fast from the postings')
  const small = emptyDocuments(900)
  keepTermDocuments(small, 'the', listOf(900), 1 / 16)
  t.equal(knownTermDocuments(small, 'the'), undefined)
  list.ordinals.set(listOf(90_000).ordinals)
  // A place of two bytes for each document of the segment.
  const room = Math.floor(maxListBytes / (2 * 100_000))
  const words = Array.from({ length: room + 100 }, (_each, at) => `word${at}`)
  for (const word of words) keepTermDocuments(documents, word, list, 1 / 16)
  const kept = words.filter(word => knownTermDocuments(documents, word) !== undefined)
  t.ok(kept.length > 0.8 * room && kept.length <= room, `${kept.length} of ${room} lists`)
  t.equal(knownTermDocuments(documents, 'the'), undefined, 'the oldest went')
})

t.test('caches grow with the memory of the host, between two limits', async t => {
  const mebibyte = 1024 * 1024
  t.equal(cacheBytes({ min: 3, max: 5, share: 0 }), 3 * mebibyte)
  t.equal(cacheBytes({ min: 3, max: 5, share: 1 }), 5 * mebibyte)
  const share = cacheBytes({ min: 0, max: Infinity, share: 1 / 8 })
  t.ok(share > 0 && share <= totalmem() / 8)
})

t.test('queries with kept lists have the same results', async t => {
  const docs = Array.from({ length: 2600 }, (_each, at): Doc => ({
    title: `Waves of sleep${at % 3 === 0 ? 'ing' : ''}`,
    authors: '',
    summary: '',
    abstract: `${at % 2 === 0 ? 'sleepless' : 'rat'} ${at % 5 === 0 ? 'the rats' : 'theory'} ${'of '.repeat(at % 4)}`,
    identifier: '',
    number: at,
    id: uuid(at),
    readyAt: at
  }))
  const segments = segmentsOf(docs, 2)
  const rank = (terms: string[], tombstones: number[] = []) =>
    selectItems(findMatches({ plan: planQuery(terms), segments, tombstones: [tombstones] }), [], { limit: 50, offset: 0 })
  for (const terms of [['the', 'sleep'], ['rat', 'the', 'of'], ['sleeping', 'waves', 'th']]) {
    const first = rank(terms)
    const { scores } = scoreAll(docs, terms.join(' '))
    const expected = [...scores.values()].filter(({ hasAllTerms }) => hasAllTerms).map(({ score }) => score).sort((a, b) => b - a)
    for (const [at, { id }] of first.entries()) t.ok(Math.abs(scores.get(id)!.score - expected[at]!) < 1e-4, `${terms.join(' ')}, ${at}`)
    t.strictSame(rank(terms), first, 'again')
    t.strictSame(rank([...terms].reverse()).length, 50)
  }
  t.ok(knownTermDocuments(segments[0]!.documents, 'the'))
  const [best] = rank(['the', 'sleep'])
  const { id: gone, number } = docs.find(({ id }) => id === best!.id)!
  t.notOk(rank(['the', 'sleep'], [number]).some(({ id }) => id === gone), 'without former documents')
})
