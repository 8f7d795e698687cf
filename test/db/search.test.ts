import t from 'tap'
import { searchQuery } from '../../db/search/query.js'
import { searchVector } from '../../db/search/vector.js'
import { entriesOf, queryEntriesOf, wordsOf } from '../../db/search/words.js'

t.test('words', async t => {
  t.test('are what lies between punctuation, in lower case and NFKC', async t => {
    t.strictSame(wordsOf('Slow-wave SLEEP, (2026): “ﬁne”?'), ['slow', 'wave', 'sleep', '2026', 'fine'])
    t.strictSame(wordsOf('!!! … ---'), [])
    t.strictSame(wordsOf('नमस्ते دنیا'), ['नमस्ते', 'دنیا'])
  })

  t.test('are folded: marks of Latin, Greek and Cyrillic go, letters of other scripts stay', async t => {
    for (const [word, entry] of [['naïve', 'naive'], ['łódź', 'lodz'], ['straße', 'strasse'], ['ærø', 'aero'], ['ένα', 'ενα'], ['ёлка', 'елка'], ['한국', '한국'], ['नमस्ते', 'नमस्ते']] as const) t.strictSame(entriesOf(word), [entry], word)
  })

  t.test('of Chinese and Japanese are pairs of characters, and the last one by itself', async t => {
    t.strictSame(entriesOf('睡眠記憶'), ['睡眠', '眠記', '記憶', '憶'])
    t.strictSame(entriesOf('fmri検査'), ['fmri', '検査', '査'])
    t.strictSame(queryEntriesOf('記憶'), ['記憶'])
    t.strictSame(queryEntriesOf('憶'), ['憶'])
  })

  t.test('that are very long are cut alike in documents and queries', async t => {
    t.equal(entriesOf('x'.repeat(500))[0]!.length, 64)
    t.strictSame(queryEntriesOf('x'.repeat(500)), entriesOf('x'.repeat(500)))
  })
})

t.test('a query', async t => {
  t.test('asks for every term as a prefix, or for some, a whole word counting twice', async t => {
    t.strictSame(searchQuery(['slow', 'wave']), { all: "'slow':* & 'wave':*", some: "'slow':* | 'slow' | 'wave':* | 'wave'" })
  })

  t.test('keeps the pairs of one word together', async t => {
    t.strictSame(searchQuery(['睡眠記']), { all: "'睡眠':* & '眠記':*", some: "( '睡眠':* & '眠記':* )" })
  })
})

t.test('a vector', async t => {
  const paper = { title: 'Sleep, sleep', authors: [{ name: 'Ana Böhm' }], summary: 'Short.', abstract: 'Long sleep.', identifiers: ['10.5555/x', null] }

  t.test('weighs title, authors, summary, and abstract with identifiers', async t => {
    t.equal(searchVector(paper), "'sleep':1A,2A,14D 'ana':4B 'bohm':5B 'short':7C '10':9D '5555':10D 'x':11D 'long':13D")
  })

  t.test('stays within what PostgreSQL can hold', async t => {
    const vector = searchVector({ ...paper, abstract: Array.from({ length: 60_000 }, (_each, at) => `word${at} again`).join(' ') })
    t.ok(vector.split(' ').length <= 20_000)
    t.ok((/'again':([^ ]+)/.exec(vector)?.[1]?.split(',').length ?? 0) <= 255)
    t.notMatch(vector, /:16384|,16384/)
  })
})
