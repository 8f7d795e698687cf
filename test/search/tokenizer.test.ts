import t from 'tap'
import { indexEntries, queryEntries, searchEntries, tokenize } from '../../src/search/tokenizer.js'

t.test('words', async t => {
  t.test('are the text between punctuation, in lower case and NFKC', async t => {
    t.strictSame(tokenize('Slow-wave SLEEP, (2026): “ﬁne”?'), ['slow', 'wave', 'sleep', '2026', 'fine'])
    t.strictSame(tokenize('!!! … ---'), [])
    t.strictSame(tokenize('नमस्ते دنیا'), ['नमस्ते', 'دنیا'])
  })

  t.test('are folded: diacritics of Latin, Greek and Cyrillic are removed', async t => {
    for (const [word, entry] of [
      ['naïve', 'naive'],
      ['łódź', 'lodz'],
      ['straße', 'strasse'],
      ['ærø', 'aero'],
      ['ένα', 'ενα'],
      ['ёлка', 'елка'],
      ['한국', '한국'],
      ['नमस्ते', 'नमस्ते']
    ] as const) { t.strictSame(indexEntries(word), [entry], word) }
  })

  t.test('of Chinese and Japanese are character pairs plus the last character', async t => {
    t.strictSame(indexEntries('睡眠記憶'), ['睡眠', '眠記', '記憶', '憶'])
    t.strictSame(indexEntries('fmri検査'), ['fmri', '検査', '査'])
    t.strictSame(queryEntries('記憶'), ['記憶'])
    t.strictSame(queryEntries('憶'), ['憶'])
    t.strictSame(queryEntries('ab検'), ['ab', '検'])
  })

  t.test('of Japanese have the mark of long vowels in searches alone', async t => {
    t.strictSame(searchEntries('データ'), ['デー', 'ータ', 'タ'])
    t.strictSame(queryEntries('メモリー'), ['メモ', 'モリ', 'リー'])
    t.strictSame(queryEntries('ﾃﾞｰﾀ'.normalize('NFKC')), ['デー', 'ータ'])
    t.strictSame(indexEntries('データ'), ['デ', 'ー', 'タ'])
  })

  t.test('that are very long are truncated alike in documents and queries', async t => {
    t.equal(indexEntries('x'.repeat(500))[0]!.length, 64)
    t.strictSame(queryEntries('x'.repeat(500)), indexEntries('x'.repeat(500)))
  })
})
