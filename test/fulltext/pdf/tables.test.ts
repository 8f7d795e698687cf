import t from 'tap'
import { pdfToMarkdown } from '../../../src/fulltext/pdf/convert.js'
import { column, type PdfPage, type PdfRule, type PdfText, writePdf } from '../../support/pdf.js'

const xs = [72, 200, 290, 380]
const row = (y: number, ...cells: string[]): PdfText[] => cells.flatMap((text, at) => text === '' ? [] : [{ x: xs[at]!, y, text, size: 8 }])
const rule = (y: number): PdfRule => ({ x0: 70, x1: 460, y })
const caption = (y: number): PdfText => ({ x: 72, y, text: 'Table 1. Mice of each line, with what they saw.', size: 8, font: 'bold' })
const text = column(
  [
    'The mice of each line were counted, and what they saw was measured with stripes that were moved',
    'around them, as the table below shows for each of the lines, before and after they were treated.'
  ],
  { y: 72 }
)
const after = column(
  [
    'More mice were seen to follow the stripes after they had been treated than before that, whatever',
    'the line was that they came of, and none of them was seen to follow them less than it did before.'
  ],
  { y: 420 }
)
const converted = async (...pages: PdfPage[]) => (await pdfToMarkdown(writePdf(pages))).markdown
const tableOf = (markdown: string) => markdown.split('\n').filter(line => line.startsWith('|'))

const body = [
  row(160, 'Line', 'Mice', 'Before', 'After'),
  row(180, 'Enzyme lost', '12', '0.1', '0.4'),
  row(192, 'Enzyme kept', '14', '0.3', '0.4'),
  row(204, 'Wild', '9', '0.4', '0.5')
].flat()
const rules = [rule(148), rule(166), rule(210)]
const expected = [
  '| Line | Mice | Before | After |', '| --- | --- | --- | --- |', '| Enzyme lost | 12 | 0.1 | 0.4 |', '| Enzyme kept | 14 | 0.3 | 0.4 |',
  '| Wild | 9 | 0.4 | 0.5 |'
]

t.test('a ruled table has its caption and rows', async t => {
  const markdown = await converted({ texts: [...text, caption(140), ...body, ...after], rules })
  t.strictSame(tableOf(markdown), expected)
  t.match(markdown, /Table 1\. Mice of each line, with what they saw\.\n\n\| Line/)
})

t.test('a caption with spaces between the letters of its label is one', async t => {
  const spaced: PdfText[] = [
    { x: 72, y: 140, text: 'T A B L E 1', size: 8, font: 'bold' }, { x: 122, y: 140, text: 'Mice of each line.', size: 8 }
  ]
  const markdown = await converted({ texts: [...text, ...spaced, ...body, ...after], rules })
  t.match(markdown, /TABLE 1 Mice of each line\.\n\n\| Line/)
  t.strictSame(tableOf(markdown), expected)
})

t.test('rules drawn cell by cell are merged', async t => {
  const pieces = rules.flatMap(({ y }) => [
    { x0: 70, x1: 190, y },
    { x0: 190, x1: 280, y },
    { x0: 281, x1: 370, y },
    { x0: 370, x1: 460, y }
  ])
  t.strictSame(tableOf(await converted({ texts: [...text, caption(140), ...body, ...after], rules: pieces })), expected)
})

t.test('a caption can be below its table', async t => {
  t.strictSame(tableOf(await converted({ texts: [...text, ...body, caption(224), ...after], rules })), expected)
})

t.test('a table without rules is recognized by its caption and column gaps', async t => {
  t.strictSame(tableOf(await converted({ texts: [...text, caption(140), ...body, ...after] })), expected)
})

t.test('cells below a spanning cell are a separate header row, and the rest of the header is the row above', async t => {
  const header = [...row(160, '', '', 'Vision', ''), ...row(166, 'Line of', 'Mice'), ...row(176, 'mice', '', 'Before', 'After')]
  const shown = await converted({
    texts: [...text, caption(140), ...header, ...body.slice(4), ...after],
    rules: [rule(148), { x0: 288, x1: 460, y: 164 }, rule(178), rule(210)]
  })
  t.strictSame(tableOf(shown).slice(0, 3), ['| Line of mice | Mice | Vision |  |', '| --- | --- | --- | --- |', '|  |  | Before | After |'])
})

t.test('wrapped lines of a cell are joined', async t => {
  const wrapped = [
    ...row(160, 'Line', 'Mice', 'Before', 'After'),
    ...row(180, 'Enzyme that', '12', '0.1', '0.4'),
    ...row(189, 'is lost'),
    ...row(204, 'Enzyme that'),
    ...row(208.5, '', '14', '0.3', '0.4'),
    ...row(213, 'is kept'),
    ...row(228, 'Wild', '9', '0.4', '0.5')
  ]
  const rows = tableOf(await converted({ texts: [...text, caption(140), ...wrapped, ...after], rules: [rule(148), rule(166), rule(234)] }))
  t.strictSame(rows.slice(2), [
    '| Enzyme that is lost | 12 | 0.1 | 0.4 |',
    '| Enzyme that is kept | 14 | 0.3 | 0.4 |',
    '| Wild | 9 | 0.4 | 0.5 |'
  ])
})

t.test('a table continued on the next page is merged without the repeated header', async t => {
  const head = (y: number) => row(y, 'Line', 'Mice', 'Before', 'After')
  const lines = (from: number, to: number, y: number) =>
    Array.from({ length: to - from }, (_, at) => row(y + 12 * at, `Line ${from + at}`, '12', '0.1', '0.4')).flat()
  const next = { texts: [...head(84), ...lines(40, 50, 104), ...after], rules: [rule(72), rule(90), rule(220)] }
  const markdown = await converted(
    { texts: [...text, caption(140), ...head(160), ...lines(0, 40, 180)], rules: [rule(148), rule(166), rule(656)] },
    next
  )
  const rows = tableOf(markdown)
  t.equal(rows.length, 52)
  t.strictSame(
    [rows[0], rows[2], rows[41], rows[42], rows[51]],
    ['| Line | Mice | Before | After |', ...[0, 39, 40, 49].map(line => `| Line ${line} | 12 | 0.1 | 0.4 |`)]
  )
  t.match(markdown, /\n\nMore mice were seen/)
})

t.test('the continuation of a table that was not recognized is a table of its own, with its caption', async t => {
  const titled = (title: string) => ({ ...caption(140), text: title })
  const continued = [
    row(160, 'Line', 'Mice', 'Before', 'After'),
    row(180, 'Wild, old', '3', '0.1', '0.2'),
    row(192, 'Wild, young', '4', '0.3', '0.4')
  ]
  const pages = (title: string, skipped: PdfPage[] = []) => [
    { texts: [...text, titled('Table 2. Mice of each line.'), ...body, ...after], rules },
    ...skipped,
    { texts: [...text, titled(title), ...continued.flat(), ...after], rules: [rule(148), rule(166), rule(198)] }
  ]
  const joined = await converted(...pages('Table 2 (continued)'))
  t.strictSame(tableOf(joined), [...expected, '| Wild, old | 3 | 0.1 | 0.2 |', '| Wild, young | 4 | 0.3 | 0.4 |'])
  t.notMatch(joined, /continued/)
  const other = await converted(...pages('Table 3 (continued)'))
  t.match(other, /Table 3 \(continued\)\n\n\| Line \| Mice/)
  t.equal(tableOf(other).length, 5 + 4)
  t.match(
    await converted(...pages('Table 2 (continued)', [{ texts: [...text, ...after] }])),
    /Table 2 \(continued\)\n\n\| Line \| Mice/,
    'the page between them may have had a part of it'
  )
})

t.test('text between a table and a lower rule is not part of the table', async t => {
  const markdown = await converted({
    texts: [
      ...text,
      caption(140),
      ...body,
      ...column(Array(8).fill('The mice of each line were counted, and what they saw was measured with stripes that were moved'), {
        y: 240
      })
    ],
    rules: [...rules, rule(500)]
  })
  t.strictSame(tableOf(markdown), expected)
})
