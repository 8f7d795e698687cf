import t from 'tap'
import { entriesOf, queryEntriesOf, wordsOf } from '../../src/search/tokenizer.js'

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
