import t from 'tap'
import { jatsToMarkdown } from '../../src/fulltext/jats/jats.js'
import { article, body, markdown } from '../support/jats.js'
import { notConvertible } from '../support/not-convertible.js'

t.test('an article in JATS', async t => {
  await t.test('has title, abstracts, keywords, nested sections with labels, acknowledgements', async t => {
    t.equal(
      markdown({
        title: 'Small <italic>steps</italic><xref ref-type="fn" rid="n1">*</xref>',
        meta:
          '<abstract><sec><title>Aim</title><p>To step.</p></sec></abstract><abstract abstract-type="graphical"><p>A picture.</p>' +
          '</abstract><kwd-group><kwd>steps</kwd><kwd>size</kwd></kwd-group>',
        body: '<sec><label>1.</label><title>Why</title><p>Because.</p><sec><title>How</title><p>So.</p></sec></sec>',
        back: '<ack><p>We thank all.</p></ack>'
      }),
      '# Small *steps*\n\n## Abstract\n\n### Aim\n\nTo step.\n\n## Graphical abstract\n\nA ' +
      'picture.\n\n**Keywords:** steps, size\n\n## 1. ' +
      'Why\n\nBecause.\n\n### How\n\nSo.\n\n## Acknowledgements\n\nWe thank all.\n'
    )
  })
  await t.test('has text formatting, links, and superscript citations in brackets', async t => {
    t.equal(
      body(
        '<p>A <bold>bold</bold> <italic>word</italic>, H<sub>2</sub>O, 10<sup>-3</sup>, <ext-link xlink:href="https://example.org/a">a ' +
        'link</ext-link>; shown<sup><xref ref-type="bibr" rid="r1">1</xref>,<xref ref-type="bibr" rid="r2">2</xref></sup>.</p>'
      ),
      'A **bold** *word*, H₂O, 10⁻³, [a link](https://example.org/a); shown[1,2].'
    )
  })
  await t.test('has formulas as LaTeX, from TeX or MathML', async t => {
    t.equal(
      body(
        '<p>Let <inline-formula><alternatives><tex-math>\\documentclass{minimal}\\begin{document}$$x^{2}$$\\end{document}</tex-math>' +
        '<mml:math><mml:mi>y</mml:mi></mml:math></alternatives></inline-formula> be.</p><disp-formula><label>(1)</label><mml:math>' +
        '<mml:mfrac><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfrac></mml:math></disp-formula>'
      ),
      'Let $x^{2}$ be.\n\n$$\n\\frac{a}{b} \\tag{1}\n$$'
    )
  })
  await t.test('has lists within lists', async t => {
    t.equal(
      body(
        '<list list-type="order"><list-item><p>one</p><list list-type="bullet"><list-item><p>within</p></list-item></list></list-item>' +
        '<list-item><p>two</p></list-item></list>'
      ),
      '1. one\n   - within\n2. two'
    )
  })
  await t.test('has tables with captions, spans and notes', async t => {
    t.equal(
      body(
        '<table-wrap><label>Table 1</label><caption><title>Sizes</title></caption><table><thead><tr><th rowspan="2">Step</th><th ' +
        'colspan="2">Size</th></tr><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>first</td><td>1</td><td>2|3</td></tr></tbody>' +
        '</table><table-wrap-foot><fn><label>a</label><p>In metres.</p></fn></table-wrap-foot></table-wrap>'
      ),
      '**Table 1.** **Sizes.**\n\n| Step | Size – a | Size – b |\n| --- | --- | --- |\n| first | 1 | 2\\|3 |\n\nᵃ In metres.'.replace(
        'ᵃ',
        '<sup>a</sup>'
      )
    )
  })
  await t.test('places floats at their first mention, with figure captions', async t => {
    t.equal(
      markdown({
        body: '<p>See <xref ref-type="fig" rid="f1">Figure 1</xref>.</p><p>More.</p>',
        floats:
          '<floats-group><fig id="f1"><label>Figure 1</label><caption><p>A step.</p></caption><graphic xlink:href="x.jpg"/></fig><fig ' +
          'id="f2"><label>Figure 2</label><caption><p>Alone.</p></caption></fig></floats-group>'
      }),
      '# Small steps\n\nSee Figure 1.\n\n**Figure 1.** A step.\n\nMore.\n\n## Figures and tables\n\n**Figure 2.** Alone.\n'
    )
  })
  await t.test('has footnotes at the end, before the references', async t => {
    t.match(
      markdown({
        body: '<p>A claim<fn><label>1</label><p>With a proviso.</p></fn>.</p>',
        back:
          '<ref-list><ref><label>1</label><mixed-citation>A. Example. <source>Steps</source>. 2020. <pub-id ' +
          'pub-id-type="doi">10.5555/1</pub-id></mixed-citation></ref></ref-list>'
      }),
      /A claim¹\.\n\n## Footnotes\n\n¹ With a proviso\.\n\n## References\n\n1\. A\. Example\. Steps\. 2020\. \[doi:10\.5555\/1\]\(https:\/\/doi\.org\/10\.5555\/1\)\n$/
    )
  })
  await t.test('composes structured references', async t => {
    t.match(
      markdown({
        back:
          '<ref-list><title>Literature</title><ref><element-citation><person-group person-group-type="author"><name>' +
          '<surname>Example</surname><given-names>A</given-names></name></person-group><article-title>On steps</article-title><source>J ' +
          'Steps</source><year>2020</year><volume>3</volume><fpage>1</fpage><lpage>9</lpage></element-citation></ref></ref-list>'
      }),
      /## Literature\n\n- Example A \(2020\)\. On steps\. \*J Steps\*, 3, 1–9\.\n$/
    )
  })
  await t.test('is found in an OAI-PMH envelope', async t => {
    t.match(jatsToMarkdown(`<pmc-articleset>${article({}).replace(/^[^]*?(?=<article )/, '')}</pmc-articleset>`).markdown, /^# Small steps/)
  })
})

t.test('Markdown syntax in text is escaped', async t => {
  t.equal(
    body('<p>5 * 3 is a*b*c, snake_case, [x](y), &lt;script&gt;alert(1)&lt;/script&gt;, $5 and `tick`</p>'),
    '5 * 3 is a\\*b\\*c, snake_case, [x\\](y), \\<script>alert(1)\\</script>, \\$5 and \\`tick\\`'
  )
  t.equal(body('<p># not a heading</p><p>1. not a list</p>'), '\\# not a heading\n\n1\\. not a list')
  t.notMatch(body('<p><ext-link xlink:href="javascript:alert(1)">x</ext-link></p>'), /javascript/)
})

t.test('an unreadable article is rejected with a reason', async t => {
  t.throws(() => jatsToMarkdown('<article><front>broken'), notConvertible('damaged'))
  t.throws(() => jatsToMarkdown('<html><body>Error</body></html>'), notConvertible(/not_this_format|damaged/))
  t.throws(() => jatsToMarkdown(article({ body: '' })), notConvertible('no_text'))
  t.throws(() => jatsToMarkdown(''), notConvertible('damaged'))
  t.throws(() => jatsToMarkdown(article({ body: '<p>'.repeat(100_000) + '</p>'.repeat(100_000) })), notConvertible('damaged'))
  t.throws(() => jatsToMarkdown('<a>' + 'x'.repeat(21_000_000)), notConvertible('too_large'))
})

t.test('DTD entities are not expanded; HTML entities are decoded', async t => {
  const bomb = `<!DOCTYPE article [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, at) => `<!ENTITY ${String.fromCharCode(98 + at)} "${`&${String.fromCharCode(97 + at)};`.repeat(10)}">`).join('')}<!ENTITY file SYSTEM "file:///etc/passwd">]>`
  const read = jatsToMarkdown(article({ body: '<p>x &t; &file; &alpha; y</p>' }).replace(/<!DOCTYPE[^>]*>/, bomb)).markdown
  t.match(read, /x . . α y/)
  t.ok(read.length < 200)
})

t.test('numbers of citations', async t => {
  const cite = (...ids: number[]) => ids.map(id => `<xref ref-type="bibr" rid="r${id}">${id}</xref>`).join('')
  const reference = (id: number, text: string) => `<ref id="r${id}"><mixed-citation>${text}</mixed-citation></ref>`
  const list = `<ref-list>${reference(1, 'One.')}${reference(2, 'Two.')}</ref-list>`

  await t.test('stand in brackets where they follow a word directly', async t => {
    t.equal(
      body(`<p>Glassy melts${cite(1, 2)}, batteries.${cite(1)},${cite(2)} However, Ref. ${cite(2)} and [${cite(1)}].</p>`),
      'Glassy melts[1,2], batteries.[1,2] However, Ref. 2 and [1].'
    )
    t.equal(
      body(`<p>Shown [${cite(1)},${cite(2)}] and [${cite(1)}–${cite(2)},${cite(1)}], Refs. ${cite(1)},${cite(2)}.</p>`),
      'Shown [1,2] and [1–2,1], Refs. 1,2.'
    )
    t.equal(body('<p>Smith <xref ref-type="bibr" rid="r1">2020</xref></p>'), 'Smith 2020')
  })

  await t.test('are those of the list, also without labels', async t => {
    t.match(markdown({ body: `<p>Shown [${cite(1)}] and [${cite(2)}].</p>`, back: list }), /## References\n\n1\. One\.\n2\. Two\./)
    t.match(
      markdown({ body: '<p>Shown by One (<xref ref-type="bibr" rid="r1">2020</xref>).</p>', back: list }),
      /## References\n\n- One\.\n- Two\./
    )
  })
})

t.test('statements in the front follow the text, unless the back has them', async t => {
  const meta = '<author-notes><fn fn-type="COI-statement"><p>No competing interests exist.</p></fn>' +
    '<fn fn-type="con"><p>AB wrote.</p></fn></author-notes>' +
    '<funding-group><funding-statement>Funded by CAPES.</funding-statement></funding-group>' +
    '<custom-meta-group><custom-meta><meta-name>Data Availability</meta-name><meta-value>In a repository.</meta-value></custom-meta>' +
    '</custom-meta-group>'
  t.match(markdown({ meta }), new RegExp([
    '## Funding', 'Funded by CAPES\\.', '## Competing interests', 'No competing interests exist\\.',
    '## Author contributions', 'AB wrote\\.', '## Data availability', 'In a repository\\.'
  ].join('\n\n')))
  const back = '<sec><title>Acknowledgements</title><p>We thank all. Funded by CAPES.</p></sec>'
  t.notMatch(markdown({ meta, back }), /## Funding/)
})
