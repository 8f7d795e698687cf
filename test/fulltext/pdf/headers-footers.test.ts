import t from 'tap'
import { type PageLines, removeHeadersAndFooters } from '../../../src/fulltext/pdf/layout/headers-footers.js'
import type { Line } from '../../../src/fulltext/pdf/layout/lines.js'

const [top, bottom] = [40, 760]
const line = (text: string, y: number, x0 = 72) => ({ text, x0, x1: x0 + 5 * text.length, y, size: 10, letters: text.length }) as Line
const page = (number: number, lines: Line[]): PageLines =>
  ({ number, width: 612, height: 792, lines: [...lines, line(`What page ${'abcdefgh'[number]} says.`, 400)] })
const kept = (...pages: Line[][]) => removeHeadersAndFooters(pages.map((lines, at) => page(at + 1, lines)))
  .map(({ lines }) => lines.map(({ text }) => text).slice(0, -1))

t.test('lines in other scripts stay at the edge of a page', async t => {
  for (const text of ['结果与讨论', 'Введение', 'Μέθοδοι', 'مقدمة']) t.strictSame(kept([line(text, top)]), [[text]])
})

t.test('cells of a table and numbers of equations stay at the edge of a page', async t => {
  const row = ['12', '45%', '(3)', '–'].map((text, at) => line(text, bottom, 72 + 100 * at))
  const texts = row.map(({ text }) => text)
  t.strictSame(kept(row, row, row, row), [texts, texts, texts, texts])
  t.strictSame(kept([line('E = mc', top), line('(1)', top + 2, 500)]), [['E = mc', '(1)']])
  t.strictSame(kept([line('12', bottom - 12), line('The last line of the page.', bottom)]), [['12', 'The last line of the page.']])
})

t.test('cells of whole rows stay, also if they count as the pages do', async t => {
  const cells = [
    (page: number, column: number) => String(page + column),
    (page: number, column: number) => `${page + column} (${10 * column})`,
    (page: number, column: number) => `0.${page}${column}`
  ]
  for (const cell of cells) {
    const rows = [1, 2, 3, 4].map(page => [bottom - 12, bottom].flatMap(y =>
      [0, 1, 2, 3, 4, 5].map(column => line(cell(page, column), y, 72 + 80 * column))))
    t.strictSame(kept(...rows), rows.map(row => row.map(({ text }) => text)))
  }
  const decimals = [1, 2, 3].map(page => [line(`0.0${page}`, bottom), line(`${page} %`, bottom, 300)])
  t.strictSame(kept(...decimals), decimals.map(row => row.map(({ text }) => text)), 'decimals and shares')
})

t.test('page numbers are removed', async t => {
  const numbers = ['7', '۱۲', '– 7 –', 'Page 7', 'page 7 of 12', '7 / 12', '(7)']
  for (const number of numbers) t.strictSame(kept([line(number, bottom)]), [[]], number)
  t.strictSame(kept([line('8', bottom), line('9', top)]), [[]])
})

t.test('page numbers are removed beside a running header and beside other text', async t => {
  t.strictSame(kept(...[1, 2, 3].map(number => [line('Journal of Tests', top), line(String(number), top, 500)])), [[], [], []])
  const titles = ['Mice', 'Stripes', 'Heads', 'Vision']
  t.strictSame(kept(...titles.map((title, at) => [line(title, top), line(String(101 + at), top, 500)])), titles.map(title => [title]))
})

t.test('page numbers are removed with numbers of an article, an issue or the last page', async t => {
  const titles = ['Mice', 'Stripes', 'Heads']
  for (const numberOf of [(page: number) => `053003-${page}`, (page: number) => `${page} | 12`, (page: number) => `(2019) ${122 + page}`]) {
    const pages = titles.map((title, at) => [line(title, 200), line(numberOf(at + 1), bottom), line('Beside', bottom, 400)])
    t.strictSame(kept(...pages).map(texts => texts.filter(text => /\d/.test(text))), [[], [], []], numberOf(1))
  }
})

t.test('two page numbers beside running headers suffice in a short document', async t => {
  const [second, third] = [[line('12', top), line('SMITH ET AL.', top, 300)], [line('SLEEP SPINDLES', top), line('13', top, 500)]]
  t.strictSame(kept([line('A letter', 200)], second, third), [['A letter'], ['SMITH ET AL.'], ['SLEEP SPINDLES']])
})

t.test('a sign of the publisher that stands alone at the edge of each page is removed', async t => {
  const titles = ['Mice', 'Stripes', 'Heads']
  t.strictSame(kept(...titles.map(title => [line(title, 200), line('1 3', bottom)])), titles.map(title => [title]))
})

t.test('a footer of digits that repeats is removed', async t => {
  const titles = ['Mice', 'Stripes', 'Heads']
  t.strictSame(kept(...titles.map(title => [line(title, 200), line('01/02/2019', bottom)])), titles.map(title => [title]))
})
