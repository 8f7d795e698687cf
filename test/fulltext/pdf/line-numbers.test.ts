import t from 'tap'
import { pdfToMarkdown } from '../../../src/fulltext/pdf/convert.js'
import { column, type PdfPage, type PdfText, wrapped, writePdf } from '../../support/pdf.js'

const sentence = (at: number) =>
  `In group ${at} the mice were kept under a cycle of twelve hours of light and darkness, and had food and water at all times during the ` +
  'whole experiment, which two observers scored who did not know the treatment that each of the animals had had.'
const converted = async (pages: PdfPage[]) => (await pdfToMarkdown(writePdf(pages))).markdown
/** Lines of a manuscript: three paragraphs of six lines on each page. */
const manuscript = (first: number) => [0, 1, 2].map(at => wrapped(sentence(first + at), 42))
const textOf = (lines: string[][], y = 100): PdfText[] =>
  column(lines.flatMap((paragraph, at) => at === 0 ? paragraph : ['', ...paragraph]), { x: 100, y, leading: 24, size: 11 })
    .filter(({ text }) => text !== '')
const pagesOf = (numbersOf: (texts: PdfText[], page: number) => PdfText[]): PdfPage[] =>
  [0, 1, 2].map(page => {
    const texts = textOf(manuscript(3 * page + 1), 100 + 6 * page)
    return { texts: [...texts, ...numbersOf(texts, page)] }
  })
const sentences = Array.from({ length: 9 }, (_, at) => sentence(at + 1)).join('\n\n') + '\n'

t.test('line numbers of manuscripts are not text', async t => {
  const lines = textOf(manuscript(1)).length
  const numbered = (x: number, step = 1, restarts = false) => pagesOf((texts, page) => texts.flatMap(({ y }, at) => {
    const number = (restarts ? 0 : page * lines) + at + 1
    return number % step === 0 ? [{ x: x - String(number).length * 4, y, text: String(number), size: 8 }] : []
  }))
  t.equal(await converted(numbered(70)), sentences, 'of all lines')
  t.equal(await converted(numbered(96)), sentences, 'close to the text')
  t.equal(await converted(numbered(70, 1, true)), sentences, 'of each page')
  t.equal(await converted(numbered(560)), sentences, 'in the right margin')
  t.equal(await converted(numbered(70, 5, true)), sentences, 'of every fifth line')
})

t.test('a page with a few lines has its line numbers removed where other pages have them', async t => {
  const lines = textOf(manuscript(1)).length
  const pages = pagesOf((texts, page) => texts.map(({ y }, at) => ({ x: 70, y, text: String(100 + page * lines + at), size: 8 })))
  const number = { x: 70, y: 100, text: String(100 + 3 * lines), size: 8 }
  t.equal(await converted([...pages, { texts: [number, { x: 100, y: 100, text: 'That was all of it.', size: 11 }] }]), `${sentences}\nThat was all of it.\n`)
})

t.test('the numbers of a list or a table are kept', async t => {
  const rows = Array.from({ length: 30 }, (_, at): PdfText[] => [
    { x: 72, y: 100 + 20 * at, text: String(at + 1) }, { x: 100, y: 100 + 20 * at, text: `Mice of the line ${at + 1}, as they came.` }
  ])
  const markdown = await converted([...pagesOf(() => []), { texts: rows.flat() }])
  for (let at = 1; at <= 30; at++) t.match(markdown, `${at} Mice of the line ${at}, as they came.`)
})
