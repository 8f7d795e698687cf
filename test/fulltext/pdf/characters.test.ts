import t from 'tap'
import { visibleText } from '../../../schemas/visible-text.js'
import { composeAccents, countLetters, normalizeText } from '../../../src/fulltext/pdf/extract/characters.js'
import { createJoiner, joinLines } from '../../../src/fulltext/pdf/layout/hyphenation.js'
import type { Line } from '../../../src/fulltext/pdf/layout/lines.js'
import { toReadingOrder } from '../../../src/fulltext/pdf/layout/order.js'

t.test('ligatures, blanks and characters without meaning', async t => {
  t.equal(
    normalizeText('e\uFB03cient \uFB01sh\u00A0\u2009swim\u0000\uE001\uD800'),
    'efficient fish swim\uFFFD'.replace('\uFFFD', normalizeText('\uD800'))
  )
  t.equal(countLetters(' a b\nc '), 3)
})

t.test('separate accents join their letters', async t => {
  t.equal(composeAccents('M\u00A8uller and Sch\u00A8on'), 'Müller and Schön')
  t.equal(composeAccents('Mu\u00A8ller and Scho\u00A8n'), 'Müller and Schön')
  t.equal(composeAccents('Garc\u00B4\u0131a'), 'García', 'a dotless i')
  t.equal(composeAccents('Erd\u02DDos and \u02D9Zak'), 'Erdős and Żak')
  t.equal(composeAccents('Poincar\u0060e, th\\\u0060ese, \u0060a quotation'), 'Poincarè, thèse, \u0060a quotation', 'a grave accent')
  t.equal(composeAccents('x \u00A8 5'), 'x \u00A8 5', 'an accent without a letter stays')
  t.equal(composeAccents('plain'), 'plain')
})

t.test('primes are not accents', async t => {
  const primes = 'the 3´UTR, a 5´ATG, the points A´ and C´'
  t.equal(composeAccents(`${primes} of A´C´`), `${primes} of A´C´`)
  t.equal(composeAccents(`${primes} of Garc´ıa, ´I. Neto and caf´e`), `${primes} of García, Í. Neto and café`)
  t.equal(composeAccents('1´Ecole de caf´e, 3´end and 3´End'), '1École de café, 3´end and 3´End', 'after the number of an affiliation')
  t.equal(composeAccents('Garcı´a, E´ rica, cafe´, 3´UTR and 3´'), 'García, É rica, café, 3´UTR and 3´', 'accents after their letters')
})

t.test('zero-width characters stay where the writing needs them', async t => {
  for (const text of ['می\u200Cخواهم', 'क\u094D\u200Dष', 'ภาษา\u200Bไทย']) t.equal(visibleText(normalizeText(text)), text)
  t.equal(normalizeText('exam\u200Bple \u200C1\u200D\u200E'), 'example 1')
  t.equal(normalizeText('\u200B'), '')
})

t.test('lines in mixed order are sorted by columns and spanning lines', async t => {
  const line = (text: string, x0: number, x1: number, y: number) => ({ text, x0, x1, y, letters: 40 }) as Line
  const page = (lines: Line[]) => ({ number: 1, width: 600, height: 800, lines })
  const order = (lines: Line[], columnWidth: number) =>
    toReadingOrder(page(lines), { columnWidth, bodySize: 10, leading: 12 } as Parameters<typeof toReadingOrder>[1]).map(({ text }) => text)
  const rows = Array.from({ length: 8 }, (_, at) => at)
  const title = line('title', 50, 550, 50)
  // Row by row across the gap, as some programs write columns.
  const across = [
    title,
    ...rows.flatMap(row => [line(`left ${row}`, 50, 280, 100 + 12 * row), line(`right ${row}`, 320, 550, 100 + 12 * row)])
  ]
  t.strictSame(order(across, 230), ['title', ...rows.map(row => `left ${row}`), ...rows.map(row => `right ${row}`)])
  const backwards = rows.concat(rows.map(row => row + 8)).reverse().map(row => line(`line ${row}`, 50, 550, 100 + 40 * row))
  t.strictSame(order(backwards, 500), [...backwards].reverse().map(({ text }) => text), 'a single column is ordered by height')
  const sorted = [...backwards].reverse()
  t.strictSame(order(sorted, 500), sorted.map(({ text }) => text), 'an ordered page stays')
})

t.test('lines in Chinese and Japanese are joined without a space', async t => {
  const line = (text: string) => ({ text }) as Line
  const join = (...texts: string[]) => joinLines(texts.map(line), createJoiner(texts.map(line)))
  t.equal(join('大规模预训练模型超过了传统', '方法,优于现有的', 'BERT', '模型。'), '大规模预训练模型超过了传统方法,优于现有的BERT模型。')
  t.equal(join('最近の深層', '学習', 'では'), '最近の深層学習では')
  t.equal(join('한국어는', '띄어쓰기가'), '한국어는 띄어쓰기가', 'Korean has spaces')
})
