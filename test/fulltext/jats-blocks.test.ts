import t from 'tap'
import { jatsToMarkdown } from '../../src/fulltext/jats/jats.js'
import { body, markdown, warnings } from '../support/jats.js'
import { notConvertible } from '../support/not-convertible.js'

t.test('a section without a title has its label as heading, or no heading', async t => {
  t.equal(body('<sec><label>2.</label><p>Labeled.</p></sec><sec><p>Bare.</p></sec>'), '## 2.\n\nLabeled.\n\nBare.')
})

t.test('a glossary becomes a list of terms with their meanings', async t => {
  const list = '<def-list><title>Short forms</title>' +
    '<def-item><term>DOI</term><term>D.O.I.</term><def><p>digital object identifier</p><p>A second paragraph.</p></def></def-item>' +
    '<def-item><term>ORCID</term></def-item><def-item><term>Code</term><def><preformat>a = 1</preformat></def></def-item>' +
    '<def-list><def-item><term>PMID</term><def><p>PubMed identifier</p></def></def-item></def-list></def-list>'
  t.equal(body(`<glossary>${list}</glossary>`), [
    '## Abbreviations', '**Short forms**', '- **DOI**, **D.O.I.**: digital object identifier', '  A second paragraph.',
    '- **ORCID**', '- **Code**:', '  ```\n  a = 1\n  ```', '* **PMID**: PubMed identifier'
  ].join('\n\n'))
})

t.test("a list keeps its title, its items' titles and labels that are not bullets", async t => {
  t.equal(
    body(
      '<list list-type="simple"><title>Steps</title><list-item><label>•</label><title>First</title><p>one</p></list-item><list-item>' +
      '<p>two</p></list-item></list>'
    ),
    '**Steps**\n\n- **First**\n\n  one\n\n- two'
  )
  t.equal(
    body(
      '<list><list-item><label>(a)</label><p>x</p></list-item><list-item><label>(b)</label><list><list-item><p>y</p></list-item></list>' +
      '</list-item></list>'
    ),
    '- (a) x\n- (b)\n  - y'
  )
  t.equal(body('<list><list-item/></list><p>Text.</p>'), 'Text.', 'an empty list is omitted')
})

t.test('groups of figures keep the caption of the group and of each figure', async t => {
  t.equal(
    body(
      '<fig-group><caption><title>Both steps</title></caption><fig><label>Figure 1</label><caption><p>Left.</p></caption></fig><fig>' +
      '<label>Figure 2</label><caption>Right</caption></fig></fig-group>'
    ),
    '**Both steps.**\n\n**Figure 1.** Left.\n\n**Figure 2.** Right'
  )
})

t.test('figures and tables keep lists, quotations, formulas and other content that is no image', async t => {
  const list = '<list><list-item><p>Start small.</p></list-item></list>'
  const box = `<table-wrap><label>Box 1</label><caption><p>Advice.</p></caption>${list}<graphic xlink:href="a.gif"/></table-wrap>`
  t.equal(body(box), '**Box 1.** Advice.\n\n- Start small.')
  t.strictSame(warnings(box), [])
  t.equal(
    body(
      '<table-wrap><label>Box 2</label><def-list><def-item><term>DOI</term><def><p>identifier</p></def></def-item></def-list>' +
      '<preformat>a = 1</preformat><disp-quote><p>One step.</p></disp-quote><table><tr><td>x</td></tr></table></table-wrap>'
    ),
    '**Box 2.**\n\n- **DOI**: identifier\n\n```\na = 1\n```\n\n> One step.\n\n| x |\n| --- |'
  )
  t.equal(body(`<table-wrap><alternatives><graphic xlink:href="a.gif"/>${list}</alternatives></table-wrap>`), '- Start small.')
  t.equal(
    body(
      `<fig><label>Figure 1</label><caption><p>Steps.</p></caption>${list}<disp-formula><tex-math>x = 1</tex-math></disp-formula>` +
      '<graphic xlink:href="a.gif"/></fig>'
    ),
    '**Figure 1.** Steps.\n\n- Start small.\n\n$$\nx = 1\n$$'
  )
})

t.test('a film within a figure keeps its caption', async t => {
  t.equal(
    body('<fig><media xlink:href="a.mp4"><label>Video 1</label><caption><p>Steps.</p></caption></media></fig>'),
    '**Video 1.** Steps.'
  )
})

t.test('questions and answers are paragraphs', async t => {
  t.equal(
    body('<question-wrap><question><label>1</label><p>How?</p><option><p>So.</p></option></question><answer><p>So.</p></answer>' +
      '<explanation><p>Because.</p></explanation></question-wrap>'),
    '1\n\nHow?\n\nSo.\n\nSo.\n\nBecause.'
  )
})

t.test('the footer of a table stands below its body, wherever it is stated', async t => {
  const [head, foot, bodyRows] = ['thead', 'tfoot', 'tbody'].map(part => `<${part}><tr><td>${part}</td></tr></${part}>`)
  for (const rows of [`${head}${foot}${bodyRows}`, `${head}${bodyRows}${foot}`]) {
    t.equal(body(`<table-wrap><table>${rows}</table></table-wrap>`), '| thead |\n| --- |\n| tbody |\n| tfoot |')
  }
})

t.test('supplementary files have their caption, and a link if they have a web address', async t => {
  t.equal(
    body(
      '<supplementary-material xlink:href="https://example.org/data.csv"><label>Data S1</label><caption><p>All steps.</p></caption>' +
      '</supplementary-material>'
    ),
    '**Data S1.** All steps.\n\n[File](https://example.org/data.csv)'
  )
  t.equal(
    body(
      '<supplementary-material><media xlink:href="movie.mp4"><label>Movie S1</label><caption><p>A walk.</p></caption></media>' +
      '</supplementary-material>'
    ),
    '**Movie S1.** A walk.'
  )
  t.equal(body('<chem-struct-wrap><p>Water.</p></chem-struct-wrap>'), 'Water.')
})

t.test('a box is a quotation with one label, outside the outline', async t => {
  t.equal(
    body(
      '<boxed-text><label>Box 1</label><caption><title>Advice</title></caption><p>Start small.</p><sec><title>Then</title><p>Go on.</p>' +
      '</sec></boxed-text>'
    ),
    '> **Box 1.** **Advice.**\n>\n> Start small.\n>\n> **Then**\n>\n> Go on.'
  )
  t.equal(
    body('<boxed-text><label>Box 2</label><title>Summary</title><p>Small steps.</p></boxed-text>'),
    '> **Box 2 Summary**\n>\n> Small steps.'
  )
})

t.test('quotations, verses and speeches keep their form and their sources', async t => {
  t.equal(
    body('<disp-quote><title>Motto</title><p>One step.</p><attrib>A. Walker</attrib></disp-quote>'),
    '> **Motto**\n>\n> One step.\n>\n> — A. Walker'
  )
  t.equal(
    body(
      '<verse-group><title>Ode</title><verse-line>One step</verse-line><verse-line>and more</verse-line><verse-group><verse-line>to ' +
      'go</verse-line></verse-group><attrib>A. Poet</attrib></verse-group>'
    ),
    '> **Ode**\n>\n> One step\\\n> and more\n>\n> to go\n>\n> — A. Poet'
  )
  t.equal(body('<speech><speaker>Ada</speaker><p>Shall we?</p><p>Yes.</p></speech>'), '**Ada** Shall we?\n\nYes.')
})

t.test("a theorem's name precedes its first paragraph", async t => {
  t.equal(
    body('<statement><label>Theorem 1</label><title>Steps</title><p>They add up.</p><p>Always.</p></statement>'),
    '**Theorem 1 Steps.** They add up.\n\nAlways.'
  )
  t.equal(
    body('<statement><label>Proof.</label><list><list-item><p>Trivial.</p></list-item></list></statement>'),
    '**Proof.**\n\n- Trivial.'
  )
  t.equal(body('<statement><label>Lemma 2</label></statement>'), '**Lemma 2.**')
  t.equal(body('<statement><p>No name.</p></statement><statement/>'), 'No name.')
})

t.test('code is a block, or inline within a sentence', async t => {
  t.equal(body('<code>x = 1\ny = 2</code><preformat>  z</preformat>'), '```\nx = 1\ny = 2\n```\n\n```\n  z\n```')
  t.equal(body('<p>Run <code>make</code> now.</p><p>Run<code>a\nb</code>then.</p><p><code>alone()</code></p>'),
    'Run `make` now.\n\nRun\n\n```\na\nb\n```\n\nthen.\n\n```\nalone()\n```')
})

t.test('a display formula without TeX or MathML is written as its text, or named as an image', async t => {
  t.equal(
    body(
      '<disp-formula-group><disp-formula><label>(2)</label>a<sub>1</sub> = b</disp-formula><disp-formula>c = d</disp-formula>' +
      '</disp-formula-group>'
    ),
    '(2) a₁ = b\n\nc = d'
  )
  const image = '<disp-formula><label>(3)</label><graphic xlink:href="f.gif"/></disp-formula>'
  t.equal(body(image), '(3) (The formula is given as an image only.)')
  t.strictSame(warnings(image), ['A formula is given as an image only.'])
})

t.test('writes the first alternative', async t => {
  t.equal(
    body(
      '<p>Before<block-alternatives><preformat>one</preformat><preformat>two</preformat></block-alternatives></p><alternatives>' +
      '<p>first</p><p>second</p></alternatives>'
    ),
    'Before\n\n```\none\n```\n\nfirst'
  )
})

t.test('note marks do not become bullets', async t => {
  t.equal(
    body(
      '<fn-group><title>Notes</title><fn><label>*</label><p>Equal work.</p><p>Since May.</p></fn><fn><title>Funding</title><p>None.</p>' +
      '</fn></fn-group>'
    ),
    '## Notes\n\n\\* Equal work.\n\nSince May.\n\n*Funding*\n\nNone.'
  )
  t.equal(
    body(
      '<fn><label>a</label><p>A note.</p></fn><attrib>Source: us</attrib><styled-content>Loose words.</styled-content><answer><p>Nested ' +
      'words.</p></answer>'
    ),
    'a A note.\n\n— Source: us\n\nLoose words.\n\nNested words.'
  )
})

t.test('tables of every kind keep their cells', async t => {
  t.equal(body('<array><table><tbody><tr><td>a</td><td>b</td></tr></tbody></table></array>'), '| a | b |\n| --- | --- |')
  t.equal(body('<array><tbody><tr><td>c</td></tr></tbody></array>'), '| c |\n| --- |')
  t.equal(body('<table><tr><th>h</th></tr><tr><td>d</td></tr></table>'), '| h |\n| --- |\n| d |')
  t.equal(
    body('<table-wrap><table><tr><td>first</td><td>1</td></tr><tr><td colspan="2">all</td></tr></table></table-wrap>'),
    '| first | 1 |\n| --- | --- |\n| all |  |'
  )
  t.equal(
    body('<table><tr><td>a</td><td><table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table></td></tr></table>'),
    '| a | 1 2<br>3 4<br> |\n| --- | --- |',
    'cells of a table within a cell are separate words'
  )
  const row = (...cells: string[]) => `<oasis:row>${cells.join('')}</oasis:row>`
  const entry = (text: string, attributes = '') => `<oasis:entry ${attributes}>${text}</oasis:entry>`
  t.equal(
    body(
      '<table-wrap><label>Table 3</label><oasis:table><oasis:tgroup cols="3"><oasis:colspec colname="c1"/><oasis:colspec colname="c2"/>' +
      '<oasis:colspec/>' +
        `<oasis:thead>${row(entry('Step', 'morerows="1"'), entry('Size', 'namest="c2" nameend="3"'))}${row(entry('a'), entry('b'))}</oasis:thead>` +
        `<oasis:tbody>${row(entry('first'), entry('1'), entry('2'))}</oasis:tbody></oasis:tgroup></oasis:table></table-wrap>`
    ),
    '**Table 3.**\n\n| Step | Size – a | Size – b |\n| --- | --- | --- |\n| first | 1 | 2 |',
    'of the OASIS exchange model'
  )
})

t.test('a table that is an image keeps its label and notes', async t => {
  const image =
    '<table-wrap><label>Table 2.</label><graphic xlink:href="t.gif"/><table-wrap-foot><title>Key</title><p>Mean.</p><fn-group><fn>' +
    '<p>Alone.</p></fn><fn><label>b</label><p/></fn></fn-group></table-wrap-foot></table-wrap><table-wrap><graphic/></table-wrap>'
  t.equal(
    body(image),
    '**Table 2.**\n\n(The table is given as an image only.)\n\n**Key**\n\nMean.\n\nAlone.\n\n(The table is given as an image only.)'
  )
  t.strictSame(warnings(image), ['Table 2 is given as an image only.', 'A table is given as an image only.'])
})

t.test('back matter has headings for its kinds; biographies and empty sections are omitted', async t => {
  t.equal(
    markdown({
      back:
        '<app-group><app><label>A</label><title>Data</title><p>All of it.</p></app><app/></app-group><notes><p>Of interest.</p></notes>' +
        '<glossary><p>DOI: an identifier</p></glossary><fn-group><fn><p>None.</p></fn></fn-group><bio><p>Ada walks.</p></bio>' +
        '<p>Loose.</p><sec><title>Empty</title></sec>'
    }),
    '# Small steps\n\nText.\n\n## A Data\n\nAll of it.\n\nOf interest.\n\n## Abbreviations\n\nDOI: an identifier\n\n## ' +
    'Notes\n\nNone.\n\nLoose.\n'
  )
})

t.test('a subtitle follows the title, and a translated abstract replaces a missing one', async t => {
  const front = (title: string, more: string) =>
    jatsToMarkdown(`<article><front-stub><title-group>${title}</title-group>${more}</front-stub><body><p>Text.</p></body></article>`)
      .markdown
  t.equal(
    front(
      '<article-title>Reply:</article-title><subtitle>on steps</subtitle>',
      '<trans-abstract><title>Résumé</title><p>Petits pas.</p></trans-abstract>'
    ),
    '# Reply: on steps\n\n## Résumé\n\nPetits pas.\n\nText.\n'
  )
  t.equal(
    front(
      '<article-title>Steps</article-title><subtitle>a study</subtitle>',
      '<abstract abstract-type="scanned-figures"><p>x</p></abstract><abstract><title>Only a title</title></abstract>'
    ),
    '# Steps: a study\n\nText.\n'
  )
})

t.test('floats without an identifier or a mention are written at the end', async t => {
  t.equal(
    markdown({
      body: '<p>See <xref>this</xref> and <xref rid="a b">that</xref>.</p>',
      floats:
        '<floats-group><fig id="b"><caption><p>B.</p><p>More of b.</p></caption></fig><fig><caption><title>Which?</title><p>No id.</p>' +
        '</caption></fig><fig><graphic/></fig></floats-group>'
    }),
    '# Small steps\n\nSee this and that.\n\nB.\n\nMore of b.\n\n## Figures and tables\n\n**Which?** No id.\n'
  )
})

t.test('an article without readable text has no text', async t => {
  t.throws(() => jatsToMarkdown('<article><front/><body><p><index-term>steps</index-term></p></body></article>'), notConvertible('no_text'))
})
