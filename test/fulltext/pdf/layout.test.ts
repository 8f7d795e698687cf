import t from 'tap'
import { pdfToMarkdown } from '../../../src/fulltext/pdf/convert.js'
import { column, type PdfPage, type PdfText, wrapped, writePdf } from '../../support/pdf.js'

const sentences = [
  'The mice were kept in groups of four under a cycle of twelve hours of light and twelve hours of darkness, and had food and water at ' +
  'all times during the whole experiment.',
  'Vision was measured by how the animals followed moving stripes with their heads, which two observers scored who did not know the ' +
  'treatment that each of the animals had had.',
  'All groups were compared by an analysis of variance with a correction for the number of comparisons, and differences were taken as ' +
  'real below a probability of one percent.'
]
const prose = (characters = 80) => sentences.flatMap(sentence => wrapped(sentence, characters))
const converted = async (...pages: PdfPage[]) => (await pdfToMarkdown(writePdf(pages))).markdown
const blocks = async (...pages: PdfPage[]) => (await converted(...pages)).trim().split('\n\n')
const heading = (text: string, y: number, style: Partial<PdfText> = {}): PdfText => ({ x: 72, y, text, font: 'bold', size: 12, ...style })

t.test('headings are recognized by style, and their levels by number', async t => {
  const found = await blocks({
    texts: [
      heading('Editing bases in the eyes of mice', 60, { size: 20 }),
      heading('1. Introduction', 100), ...column(prose(), { y: 120 }),
      heading('2. Methods', 250), heading('2.1. Animals', 270, { size: 10 }), ...column(prose(), { y: 290 }),
      heading('2.2. Measures of vision', 400, { size: 10 }), ...column(prose(), { y: 420 })
    ]
  })
  t.strictSame(
    found.filter(block => block.startsWith('#')),
    ['# Editing bases in the eyes of mice', '## 1. Introduction', '## 2. Methods', '### 2.1. Animals', '### 2.2. Measures of vision']
  )
})

t.test('consistent bold run-in titles become headings', async t => {
  const part = (title: string, y: number): PdfText[] => {
    const [first, ...rest] = wrapped(sentences[0]!, 70)
    return [{ x: 72, y, text: title, font: 'bold' }, { x: 150, y, text: first! }, ...column(rest, { y: y + 12 })]
  }
  const found = await blocks({
    texts: [
      heading('Methods', 60),
      ...column(prose(), { y: 80 }),
      ...part('Animals we had.', 240),
      ...part('Light and dark.', 320),
      ...part('Test of vision.', 400)
    ]
  })
  t.strictSame(
    found.filter(block => block.startsWith('#')),
    ['## Methods', '### Animals we had', '### Light and dark', '### Test of vision']
  )
  t.match(found.at(-1), /^The mice were kept .* the whole experiment\.$/)
})

t.test('paragraphs continue in the next column and on the next page', async t => {
  const text = wrapped([...sentences, ...sentences].join(' '), 48)
  const parts = [text.slice(0, 8), text.slice(8, 15), text.slice(15)]
  const lead = column(wrapped(sentences.join(' '), 48), { y: 300 })
  const found = await blocks(
    { texts: [...lead, ...column(parts[0]!, { y: 560 }), ...column(parts[1]!, { x: 330, y: 300 })] },
    { texts: [...column(parts[2]!, { y: 100 })] }
  )
  t.equal(found.at(-1), [...sentences, ...sentences].join(' '))
})

t.test('an indent or a gap starts a paragraph', async t => {
  const [first, ...rest] = wrapped(sentences[1]!, 80)
  const found = await blocks({
    texts: [
      ...column(wrapped(sentences[0]!, 80), { y: 100 }),
      { x: 86, y: 136, text: first! },
      ...column(rest, { y: 148 }),
      ...column(wrapped(sentences[2]!, 80), { y: 200 })
    ]
  })
  t.strictSame(found, sentences)
})

t.test('removes line-end hyphens unless the word is hyphenated', async t => {
  const [text] = await blocks({
    texts: column([
      'The well-known experi-',
      'ment was repeated with a well-',
      'known mouse and a long-',
      'term follow-up of the experiment, of un-',
      'known cause, along the x-',
      'axis and KCL-',
      'induced.'
    ])
  })
  t.equal(text, 'The well-known experiment was repeated with a well-known mouse and a long-term follow-up of the experiment, of ' +
    'unknown cause, along the x-axis and KCL-induced.')
})

t.test('running headers, running footers and page numbers are removed', async t => {
  const pages = [1, 2, 3, 4].map(number => ({
    texts: [
      { x: 72, y: 40, text: `Base editing ${number}`, size: 8 },
      ...column(wrapped(`Page ${number} says. ${sentences[number % 3]}`, 80)),
      { x: 300, y: 760, text: String(number) },
      { x: 72, y: 770, text: 'Journal of Tests, volume 3', size: 8 }
    ]
  }))
  const text = await converted(...pages)
  t.notMatch(text, /Base editing|Journal of Tests/)
  t.match(text, /^Page 1 says\..*\n\nPage 2 says\./)
  t.equal(text.trim().split('\n\n').length, 4)
})

t.test('running headers below a wide margin are removed, other first lines are not', async t => {
  const pages = [1, 2, 3, 4].map(number => ({
    texts: [
      { x: 72, y: 100, text: `Base editing in mice ${number}`, size: 8 },
      ...column(wrapped(`Page ${number} says. ${sentences[number % 3]}`, 80), { y: 120 + 3 * number }),
      { x: 72, y: 690, text: 'Journal of Tests, volume 3', size: 8 }
    ]
  }))
  const text = await converted(...pages)
  t.notMatch(text, /Base editing|Journal of Tests/)
  t.match(text, /^Page 1 says\..*\n\nPage 2 says\./)
})

t.test('the end of a paragraph in a line of its own is not a heading', async t => {
  const lines = [...wrapped(sentences[0]!, 80).slice(0, -1), 'of a very long sentence about the mice of this study, and about the']
  const found = await blocks({ texts: column(lines) }, { texts: [...column(['results.']), ...column(prose(), { y: 130 })] })
  t.notOk(found.some(block => block.startsWith('#')), found.join('|'))
})

t.test('a stamp at one place of most pages is removed', async t => {
  const pages = [1, 2, 3, 4].map(number => ({
    texts: [{ x: 150, y: 300, text: 'ACCEPTED MANUSCRIPT', size: 30 }, ...column(wrapped(`Page ${number} says. ${sentences[number % 3]}`, 80))]
  }))
  t.notMatch(await converted(...pages), /ACCEPTED/)
  t.match(await converted(...pages.slice(0, 2)), /ACCEPTED/, 'two pages may repeat a text')
})

t.test('the labels of a figure are one block, by row', async t => {
  const xs = [72, 200, 300]
  const labels = [0, 1, 2].flatMap((row): PdfText[] =>
    ['Control', `${row}.5`, `${row}.7`].map((text, at) => ({ x: xs[at]!, y: 300 + 30 * row, text, size: 7 })))
  const found = await blocks({
    texts: [
      ...column(prose()),
      ...labels,
      { x: 72, y: 400, text: 'Figure 1. What they saw.', size: 8 },
      ...column([sentences[0]!.slice(0, 70)], { y: 430 })
    ]
  })
  t.ok(found.includes('Control 0.5 0.7\\\nControl 1.5 1.7\\\nControl 2.5 2.7'), found.join('|'))
})

t.test('each item of a list is a block', async t => {
  const items = ['\x95 Mice of the line that lacks the enzyme', '\x95 Mice of the line that has it', '\x95 Mice of the wild']
  const found = await blocks({ texts: [...column(wrapped(sentences[0]!, 80)), ...column(items, { x: 80, y: 136 })] })
  t.equal(found.length, 4)
  t.match(found.slice(1), [/Mice of the line that lacks the enzyme$/, /Mice of the line that has it$/, /Mice of the wild$/])
})

t.test('captions are separate blocks and do not split the surrounding paragraph', async t => {
  const text = wrapped([...sentences, ...sentences].join(' '), 80)
  const found = await blocks({
    texts: [
      ...column(text.slice(0, 7)),
      { x: 72, y: 400, text: 'Figure 1. The stripes that the mice followed with their heads.', size: 8 },
      ...column(text.slice(7), { y: 430 })
    ]
  })
  t.strictSame(found, [[...sentences, ...sentences].join(' '), 'Figure 1. The stripes that the mice followed with their heads.'])
})

t.test('each reference is a block, by number or by hanging indent', async t => {
  const works = [
    'Smith A, Jones B. Base editing in mice restores vision that was thought to be lost for good. J Vis. 2020;3:1-9.',
    'Miller C. Stripes and heads. Eye. 2019;2:7.',
    'Young D, Old E, Stone F. On the measures of vision in small animals which live in the dark. Mouse. 2018;1:5-11.'
  ]
  const numbered = works.flatMap((work, at) => wrapped(`${at + 1}. ${work}`, 70))
  const hanging = works.map(work => wrapped(work, 70))
  const page = (entries: PdfText[]): PdfPage => ({
    texts: [heading('Discussion', 60), ...column(prose(), { y: 80 }), heading('References', 220), ...entries]
  })
  const byNumber = await blocks(page(column(numbered, { y: 240 })))
  t.strictSame(byNumber.slice(-3), works.map((work, at) => `- ${at + 1}. ${work}`))
  const indented = hanging.flatMap(lines => lines.map((text, at) => ({ x: at === 0 ? 72 : 84, text })))
  const byIndent = await blocks(page(indented.map((line, at) => ({ ...line, y: 240 + at * 12 }))))
  t.strictSame(byIndent.slice(-3), works.map(work => `- ${work}`))
})

t.test('reference numbers drawn after their text are joined with it, but years at line ends are not', async t => {
  const works = [
    ['Smith A. Base editing restores the vision of mice in', '2020. J Vis. 3:1-9.'],
    ['Miller C. Stripes and heads, as they were seen in', '2 (1999) and 3 (2001) mice. Eye. 2:7.'],
    ['Young D. On the measures of vision. Mouse. 1:5.']
  ]
  const lines = works.flat()
  const text = column(lines, { x: 90, y: 240 })
  const numbers = works.map((work, at): PdfText => ({ x: 72, y: 240 + 12 * lines.indexOf(work[0]!), text: `${at + 1}.` }))
  const found = await blocks({
    texts: [heading('Discussion', 60), ...column(prose(), { y: 80 }), heading('References', 220), ...text, ...numbers]
  })
  t.strictSame(
    found.slice(-3),
    works.map((work, at) => `- ${at + 1}. ${work.join(' ')}`)
  )
})

t.test('a paragraph continues after a footnote in another style', async t => {
  const text = wrapped(sentences.join(' '), 80)
  const note: PdfText = { x: 72, y: 700, text: 'Correspondence: A. Smith, Department of Mice, University of Tests.', size: 7 }
  const found = await blocks({ texts: [...column(text.slice(0, 4)), note] }, { texts: column(text.slice(4)) })
  t.strictSame(found, [sentences.join(' '), note.text])
})

t.test('superscript numbers after a word are separated from it', async t => {
  const found = await blocks({
    texts: [
      { x: 72, y: 100, text: 'They were treated as described' },
      { x: 205, y: 96.5, text: '12,13', size: 6 },
      { x: 222, y: 100, text: 'before, and had 5 cm' },
      { x: 311, y: 96.5, text: '2', size: 6 },
      { x: 316, y: 100, text: 'of space in their cages.' }
    ]
  })
  t.strictSame(found, ['They were treated as described 12,13 before, and had 5 cm2 of space in their cages.'])
})

t.test('superscript numbers after a number stay above it', async t => {
  const found = await blocks({
    texts: [
      { x: 72, y: 100, text: 'They had 5 \xd7 10' },
      { x: 145, y: 96.5, text: '5', size: 6 },
      { x: 151, y: 100, text: 'cells, 10' },
      { x: 188, y: 96.5, text: '\x96', size: 6 },
      { x: 191.4, y: 96.5, text: '6', size: 6 },
      { x: 197, y: 100, text: 'M and a mean in 2010' },
      { x: 297, y: 96.5, text: '12', size: 6 },
      { x: 306, y: 100, text: 'of mice, and C' },
      { x: 371, y: 102, text: '10', size: 6 },
      { x: 380, y: 100, text: 'alkanes.' }
    ]
  })
  t.strictSame(found, ['They had 5 × 10⁵ cells, 10⁻⁶ M and a mean in 2010¹² of mice, and C10 alkanes.'])
})

t.test('authors and article types on the first page are not headings', async t => {
  const found = await blocks({
    texts: [
      heading('OPEN', 40, { size: 24 }),
      heading('Editing bases in the eyes of mice', 70, { size: 20 }),
      heading('Ann Smith, Bo Jones and Cy Young', 90),
      heading('Abstract', 120),
      ...column(prose(), { y: 140 }),
      heading('Introduction', 260),
      ...column(prose(), { y: 280 })
    ]
  })
  t.strictSame(
    found.filter(block => block.startsWith('#')),
    ['# Editing bases in the eyes of mice', '## Abstract', '## Introduction']
  )
})

t.test('Markdown syntax is escaped, and control characters are removed', async t => {
  const text = await converted({
    texts: column(['# 1 of *the* and _of_ 5 * 3 \x01\x02\x03 a <b> | in `code`', 'that goes on until the end of the line of it.'])
  })
  t.equal(text, '\\# 1 of \\*the\\* and \\_of\\_ 5 * 3 a \\<b> | in \\`code\\` that goes on until the end of the line of it.\n')
  t.notMatch(text, /[\0-\x09\x0b-\x1f\x7f-\x9f]/)
})

t.test('rotated pages and rotated text read like upright text', async t => {
  const texts = column(prose())
  const upright = await converted({ texts })
  t.match(upright, sentences[1])
  t.equal(await converted({ texts, rising: true, rotate: 90 }), upright)
  t.equal(await converted({ texts, rising: true }), upright)
})
