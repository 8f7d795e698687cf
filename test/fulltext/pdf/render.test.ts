import t from 'tap'
import type { Block } from '../../../src/fulltext/pdf/layout/block.js'
import { render } from '../../../src/fulltext/pdf/render.js'

const paragraph = (text: string): Block =>
  ({ kind: 'paragraph', lines: [], text, page: 1, indented: false, reachesRightEdge: false, style: '' })

t.test('a text does not become a formula, a deletion or an entity', async t => {
  t.equal(render([paragraph('cost (US$) and benefit (US$)')]), 'cost (US\\$) and benefit (US\\$)\n')
  t.equal(render([paragraph('a ~~removed~~ value &lt; 3')]), 'a \\~\\~removed\\~\\~ value \\&lt; 3\n')
})

t.test('a table escapes the marks of its cells', async t => {
  t.equal(render([{ kind: 'table', page: 1, rows: [['US$', 'a|b']] }]), '| US\\$ | a\\|b |\n| --- | --- |\n')
})
