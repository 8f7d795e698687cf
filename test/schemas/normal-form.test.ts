import t from 'tap'
import { limitMarks, normalForm } from '../../schemas/normal-form.js'
import { cleanTag } from '../../schemas/tags.js'
import { findSection } from '../../src/fulltext/parts/find-section.js'
import { cleanNote } from '../../src/papers/item-state.js'
import { summaryOf } from '../../src/papers/summary.js'
import { wellFormedRecord } from '../../src/papers/well-formed.js'
import { scorer } from '../../src/relevance/score.js'
import { isInline } from '../../src/search/indexer.js'
import { tokenize } from '../../src/search/tokenizer.js'
import { plainText } from '../../src/sources/formats/plain-text.js'
import { takesLess } from '../support/event-loop.js'
import { record } from '../support/service.js'

/** Texts of 20,000 characters that are slow in a normal form, or grow in one. */
const hostile: Record<string, string> = {
  'combining marks': 'a' + '\u0301\u0323'.repeat(9990),
  'halfwidth voiced marks': '\u0301\uff9e'.repeat(9990),
  'marks between invisible characters': ('\u0301\u0323'.repeat(15) + '\u200b').repeat(640),
  'ligatures of phrases': '\ufdfa'.repeat(19_990),
  'words of a ligature': '\ufdfa '.repeat(9990)
}
/** Before they were bounded, the slowest took 150 to 800 ms. */
const maxCpuMs = 70

t.test('keeps ordinary text', async t => {
  for (const text of ['Šárka Ñandú', 'नमस्ते दुनिया', 'שָׁלוֹם', 'ｶﾞｷﾞｸﾞ', 'e' + '\u0301'.repeat(30), '\ufdfa']) {
    t.equal(limitMarks(text), text)
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) t.equal(normalForm(text, form), text.normalize(form))
  }
})

t.test('cuts runs of marks, in any form', async t => {
  for (const mark of ['\u0301', '\uff9e', '\u{1d165}']) t.equal(limitMarks(`a${mark.repeat(31)}b`), `a${mark.repeat(30)}b`)
  t.equal(limitMarks(`a${'\u0301\uff9e'.repeat(40)}`), `a${'\u0301\uff9e'.repeat(15)}`)
})

t.test('keeps Korean, whose syllables have three letters', async t => {
  const text = '한글은 읽기 쉽다 '.repeat(500)
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) t.equal(normalForm(text, form), text.normalize(form))
})

t.test('cuts one long run as fast as it reads it', async t => {
  const marks = '\u0301'.repeat(500_000)
  await takesLess(t, 100, () => limitMarks(marks))
})

t.test('bounds time and length', async t => {
  for (const [name, text] of Object.entries(hostile)) {
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
      await takesLess(t, maxCpuMs, () => normalForm(text.repeat(2), form), `${name}, ${form}`)
      t.ok(normalForm(text, form).length <= 3 * text.length + 100)
    }
  }
})

t.test('bounds the words and scores of papers', async t => {
  const score = scorer({ interest_description: 'Sleep', positive_keywords: ['memory'], negative_keywords: [], must_read_threshold: 0.6 })
  for (const [name, text] of Object.entries(hostile)) {
    const { abstract } = wellFormedRecord({ ...record({ title: 'T' }), abstract: plainText(text) })
    t.equal(limitMarks(abstract!), abstract, name)
    await takesLess(t, maxCpuMs, () => score({ title: 'T', abstract }), name)
    t.ok(tokenize(text).join('').length <= 3 * text.length + 100)
  }
  const row = { title: 'T', abstract: '\ufdfa'.repeat(19_990), summary: null, authors: [] }
  t.equal(isInline([row]), false)
  t.equal(isInline([{ ...row, abstract: 'Sleep – “memory”. '.repeat(1000) }]), true)
})

t.test('bounds notes, tags and names of sections', async t => {
  const marks = '\u0301\u0323'.repeat(20_000)
  for (const [name, clean] of Object.entries({
    note: () => cleanNote(marks),
    tag: () => cleanTag(marks),
    section: () => { t.throws(() => findSection([], marks)) }
  })) {
    await takesLess(t, maxCpuMs, clean, name)
  }
})

t.test('a summary reads 500 sentences', async t => {
  const searches = t.capture(RegExp.prototype, 'test', RegExp.prototype.test)
  summaryOf('x. Y '.repeat(3990))
  const { length } = searches().filter(({ args: [text] }) => /^(?:Y )?x\./.exec(text) !== null)
  t.ok(length < 2000, `${length} searches`)
})
