import t from 'tap'
import {
  type Block,
  type Cell,
  heading,
  type Inline,
  lineBreak,
  paragraph,
  strong,
  emphasis
} from '../../src/fulltext/markdown/document.js'
import { doiLink, link, linkAddress } from '../../src/fulltext/markdown/link.js'
import { writeMarkdown } from '../../src/fulltext/markdown/write.js'

const list = (ordered: boolean, ...items: string[]): Block => ({ kind: 'list', ordered, items: items.map(item => [paragraph(item)]) })
const written = (...content: Inline[]): string => writeMarkdown([paragraph(...content)]).trim()

t.test('adjacent lists stay apart', async t => {
  t.equal(writeMarkdown([list(true, 'a'), list(true, 'b'), list(true, 'c')]), '1. a\n\n1) b\n\n1. c\n')
  t.equal(writeMarkdown([list(false, 'a'), list(false, 'b'), list(true, 'c')]), '- a\n\n* b\n\n1. c\n')
})

t.test('blocks without content are omitted', async t => {
  t.equal(
    writeMarkdown([
      heading(2),
      paragraph(' '),
      { kind: 'code', text: '\n\n' },
      { kind: 'math', latex: '' },
      { kind: 'table', head: [], body: [] },
      paragraph('x')
    ]),
    'x\n'
  )
  t.equal(writeMarkdown([]), '')
})

t.test('the depth of nested lists and quotations is bounded', async t => {
  const nest = (around: (block: Block) => Block) => Array.from({ length: 40 }).reduce<Block>(around, paragraph('deep'))
  const depth = (markdown: string) => Math.max(...markdown.split('\n').map(line => line.length))
  t.ok(depth(writeMarkdown([nest(block => ({ kind: 'quote', content: [block] }))])) < 40)
  t.ok(depth(writeMarkdown([nest(block => ({ kind: 'list', ordered: false, items: [[block]] }))])) < 40)
})

t.test('an item of several blocks is indented below its mark', async t => {
  t.equal(
    writeMarkdown([{ kind: 'list', ordered: true, start: 9, items: [[paragraph('a'), { kind: 'code', text: 'b\nc' }], [paragraph('d')]] }]),
    '9. a\n\n   ```\n   b\n   c\n   ```\n\n10. d\n'
  )
})

t.test('lines that look like Markdown syntax are escaped', async t => {
  for (const line of ['# x', '> x', '- x', '* x', '+ x', '---', '===', '~~~']) t.not(written(line), line)
  t.equal(written('1) x'), '1\\) x')
  t.equal(written('ends in a backslash\\'), 'ends in a backslash\\\\')
  t.equal(written('C:\\path and \\*'), 'C:\\path and \\\\\\*')
  t.equal(written('~~struck~~, ~5 and a~b'), '\\~\\~struck\\~\\~, ~5 and a\\~b')
  t.equal(written('AT&T &amp; &#38; &unknown entity'), 'AT&T \\&amp; \\&#38; &unknown entity')
  t.equal(written('a _ b'), 'a _ b')
})

t.test('code with backquotes has a longer fence', async t => {
  t.equal(written({ kind: 'code', text: 'a`b' }, ' ', { kind: 'code', text: '`c' }, { kind: 'code', text: ' ' }), '``a`b`` `` `c ``')
  t.equal(writeMarkdown([{ kind: 'code', text: '```\nx' }]), '````\n```\nx\n````\n')
})

t.test('adjacent and empty marks', async t => {
  t.equal(written(strong('a'), strong('b')), '**ab**', 'the same mark goes on')
  t.equal(written(strong(), 'x', emphasis(' ')), 'x', 'a mark without text is omitted')
  t.equal(written(strong('a'), emphasis('b')), '**a**<em>b</em>')
  t.equal(written(strong(emphasis('a'), 'b')), '***a*b**')
  t.equal(written('a', strong('(b)'), 'c'), 'a<strong>(b)</strong>c', 'stars would not open here')
  t.equal(written(lineBreak, 'a', lineBreak, lineBreak, 'b', lineBreak), 'a\\\nb')
})

t.test('a link has a safe address, and is bare where its text is the address', async t => {
  t.equal(linkAddress('10.5555/12345678'), 'https://doi.org/10.5555/12345678')
  t.equal(linkAddress('doi: 10.5555/a(b)'), 'https://doi.org/10.5555/a%28b%29')
  t.equal(linkAddress('www.example.org/a'), 'https://www.example.org/a')
  t.equal(linkAddress('file:///etc/passwd'), undefined)
  t.equal(linkAddress('no address'), undefined)
  t.equal(linkAddress(`https://example.org/${'a'.repeat(2000)}`), undefined)
  t.strictSame(link(undefined, ['x']), ['x'])
  t.equal(written(...link('https://example.org/a', ['https://example.org/a'])), '<https://example.org/a>')
  t.equal(
    written(...link('https://example.org/', ['https://EXAMPLE.org'])),
    '<https://example.org/>',
    'the text is the address in another form'
  )
  t.equal(written(...link('https://example.org/', ['https://other.example'])), '[https://other.example](https://example.org/)')
  t.equal(written(...link('https://example.org/', ['a [b]'])), '[a \\[b\\]](https://example.org/)')
  t.equal(written(doiLink('10.5555/1')), '[doi:10.5555/1](https://doi.org/10.5555/1)')
})

t.test('a cell over rows and columns is repeated or left empty, and a huge table is left out', async t => {
  const cell = (text: string, columns = 1, rows = 1): Cell => ({ content: [text], columns, rows })
  const table = (...body: Cell[][]) => writeMarkdown([{ kind: 'table', head: [], body }]).trim()
  t.equal(
    table([cell('a', 1, 3), cell('b')], [cell('c')], [cell('d')]),
    '| a | b |\n| --- | --- |\n| a | c |\n| a | d |',
    'a cell over three rows'
  )
  t.equal(table([cell('a'), cell('b', 1, 3)], [cell('c')], []), '| a | b |\n| --- | --- |\n| c | b |\n|  | b |', 'below the end of a row')
  t.equal(
    table([cell('a'), cell('b', 1, 2)], [cell('wide', 2)], [cell('c')]),
    '| a | b |\n| --- | --- |\n| wide | b |\n| c |  |',
    'a span ends at a cell from above'
  )
  t.equal(table(...Array.from({ length: 400 }, () => [cell('x', 1000, 400)])), '(The table is too large to be shown.)')
})

t.test('bars of formulas do not end a cell, and stay what they are', async t => {
  const formulas = ['|x|', '\\left|x\\right|', '\\|x\\|', '\\\\|x', 'x\\mid y']
  const cells = [...formulas.map((latex): Cell => ({ content: [strong({ kind: 'math', latex })] })), { content: ['a | b'] }]
  t.equal(
    writeMarkdown([{ kind: 'table', head: [], body: [cells] }]).split('\n')[0],
    '| **$\\vert x\\vert$** | **$\\left\\vert x\\right\\vert$** | **$\\Vert x\\Vert$** | **$\\\\\\vert x$** | **$x\\mid y$** | a \\| b |'
  )
  const array = '\\begin{array}{c|c}a\\text{|}\\end{array}'
  t.equal(
    writeMarkdown([{ kind: 'table', head: [], body: [[{ content: [{ kind: 'math', latex: array }] }]] }]).split('\n')[0],
    `| $${array.replaceAll('|', '\\|')}$ |`
  )
})
