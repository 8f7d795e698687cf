import t from 'tap'
import { body, markdown, references, warnings } from '../support/jats.js'

t.test('formatting keeps its meaning in Markdown, and marks of citations are on the line', async t => {
  t.equal(
    body(
      '<p>Set in <monospace>a*b</monospace>,<break/>on a new line<hr/>; as shown <xref ref-type="bibr" rid="r1"><sup>3</sup></xref>, not ' +
      '<xref ref-type="bibr" rid="r2">Doe <sup>2</sup></xref>.</p>'
    ),
    'Set in `a*b`,\\\non a new line; as shown [3], not Doe ².'
  )
  t.equal(
    body(
      '<p>x<sup>,</sup>y; a<sup><xref ref-type="bibr" rid="r1">[1]</xref></sup>; <chem-struct>CH<sub>4</sub></chem-struct>, ' +
      '<named-content>Mus musculus</named-content>.<index-term><term>hidden</term></index-term></p>'
    ),
    'x,y; a[1]; CH₄, Mus musculus.'
  )
})

t.test('links to DOIs, addresses and mail', async t => {
  t.equal(
    body(
      '<p><ext-link ext-link-type="doi" xlink:href="http://dx.doi.org/10.5555/12345678">data</ext-link>, <ext-link ext-link-type="doi" ' +
      'xlink:href="10.5555/1">more</ext-link>, <ext-link ext-link-type="doi">nowhere</ext-link></p>'
    ),
    '[data](https://doi.org/10.5555/12345678), [more](https://doi.org/10.5555/1), nowhere'
  )
  t.equal(
    body(
      '<p><ext-link href="https://example.org/a">a</ext-link>, <uri>https://example.org/b</uri>, <self-uri ' +
      'xlink:href="https://example.org/c">c</self-uri>, <email>ada@example.org</email></p>'
    ),
    '[a](https://example.org/a), <https://example.org/b>, [c](https://example.org/c), [ada@example.org](mailto:ada@example.org)'
  )
  t.equal(
    body('<p><pub-id pub-id-type="doi">10.5555/9</pub-id>, <pub-id pub-id-type="pmid">12</pub-id></p>'),
    '[doi:10.5555/9](https://doi.org/10.5555/9), 12'
  )
})

t.test('alternatives: TeX, then MathML, then the first with text', async t => {
  t.equal(
    body(
      '<p>Take <inline-alternatives><inline-graphic/><styled-content>this</styled-content></inline-alternatives>, <alternatives>' +
      '<mml:math><mml:mi>y</mml:mi></mml:math><textual-form>why</textual-form></alternatives>, <alternatives>' +
      '<textual-form>z</textual-form><tex-math>z^2</tex-math></alternatives>.<alternatives><graphic/></alternatives></p>'
    ),
    'Take this, $y$, $z^2$.'
  )
  t.equal(body('<p>See <inline-graphic><alt-text>an arrow</alt-text></inline-graphic>.</p>'), 'See an arrow.')
})

t.test('a formula without TeX or MathML is its text, or named as an image', async t => {
  t.equal(body('<p>Area <inline-formula>r<sup>2</sup></inline-formula>.</p>'), 'Area r².')
  const image = '<p>Area <inline-formula><inline-graphic xlink:href="x.gif"/></inline-formula>.</p>'
  t.equal(body(image), 'Area (formula as an image).')
  t.strictSame(warnings(image), ['A formula is given as an image only.'])
})

t.test('notes without a label are numbered', async t => {
  t.equal(
    body('<p>One<fn><p>First note.</p></fn>, two<fn><p>Second note.</p></fn>.</p>'),
    'One¹, two².\n\n## Footnotes\n\n¹ First note.\n\n² Second note.'
  )
})

t.test('formulas in MathML', async t => {
  const math = (content: string, attributes = '') =>
    body(`<p><inline-formula><mml:math ${attributes}>${content}</mml:math></inline-formula></p>`)
  t.equal(math('<mml:mi>x</mml:mi>', 'alttext="\\alpha"'), '$\\alpha$', 'TeX in the alternative text')
  t.equal(math('<mml:mi>x</mml:mi>', 'alttext="x"'), '$x$')
  t.equal(
    math('<mml:semantics><mml:mi>x</mml:mi><mml:annotation encoding="application/x-tex">x_{1}</mml:annotation></mml:semantics>'),
    '$x_{1}$',
    'TeX as an annotation'
  )
  t.equal(
    math('<mml:semantics><mml:mi>x</mml:mi><mml:annotation encoding="application/x-tex"> </mml:annotation></mml:semantics>'),
    '$x$',
    'an empty annotation'
  )
  t.equal(math('<mml:semantics><mml:mi>x</mml:mi><mml:annotation>ex</mml:annotation></mml:semantics>'), '$x$', 'another annotation')
  t.equal(math('<mml:mi>&lt;</mml:mi><mml:mfrac linethickness="0"><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfrac>').includes('a'), true)
  t.equal(math(`${'<mml:mrow>'.repeat(70)}<mml:mi>deep</mml:mi>${'</mml:mrow>'.repeat(70)}`), 'deep', 'nested too deeply')
  t.equal(math(`<mml:mi>${'long '.repeat(11_000)}</mml:mi>`).includes('$'), false, 'too long')
  t.equal(math('<mml:m-x>odd</mml:m-x>'), 'odd', 'an unknown element')
  t.equal(math('<mml:mi>x</mml:mi><mml:mo>=</mml:mo><mml:mn>100%</mml:mn><mml:mo>-</mml:mo><mml:mi>y</mml:mi>'), '$x = 100\\% - y$')
  t.equal(math('<mml:mn>5</mml:mn><mml:mo>%</mml:mo>'), '$5 \\%$')
  const cases = '<mml:mtable><mml:mtr><mml:mtd><mml:mi>x</mml:mi></mml:mtd></mml:mtr></mml:mtable>'
  for (const [open, close, left, right] of [['{', '', '\\{', '.'], ['', '}', '.', '\\}'], ['[', ' ', '[', '.']] as const) {
    t.equal(
      math(`<mml:mfenced open="${open}" close="${close}">${cases}</mml:mfenced>`),
      `$\\left${left}\\begin{matrix} x \\end{matrix}\\right${right}$`,
      'a delimiter on one side'
    )
  }
})

t.test('formulas in TeX', async t => {
  const tex = (source: string, label = '') => body(`<disp-formula>${label}<tex-math>${source}</tex-math></disp-formula>`)
  t.equal(tex('\\[ x \\]'), '$$\nx\n$$')
  t.equal(tex('a % a comment\n= b'), '$$\na = b\n$$')
  t.equal(tex('x \\tag{7}', '<label>(7)</label>'), '$$\nx \\tag{7}\n$$', 'its own number')
  t.equal(tex('x $y$ z'), '$$\nx y z\n$$')
  t.equal(tex('$\\sim\\ $'), '$$\n\\sim\n$$', 'without a space at the end')
  t.equal(tex('a \\\\'), '$$\na \\\\\n$$', 'with a line break at the end')
  t.equal(tex('y'.repeat(20_001)).includes('$'), false, 'too long')
})

t.test('a list of references keeps labels, remarks and headings, has one of alternatives, and is left out if empty', async t => {
  t.equal(
    references(
      '<p>Cited works.</p><ref><label>1</label><citation-alternatives><mixed-citation>One. 2020.</mixed-citation><mixed-citation>Un. ' +
      '2020.</mixed-citation></citation-alternatives></ref><ref><note><p>A remark.</p></note></ref><ref>' +
      '<mixed-citation>Three.</mixed-citation><mixed-citation>And more.</mixed-citation></ref><ref-list><title>Further reading</title>' +
      '<ref><mixed-citation>Four.</mixed-citation></ref></ref-list>'
    ),
    'Cited works.\n\n- 1 One. 2020.\n- A remark.\n- Three. And more.\n\n### Further reading\n\n- Four.'
  )
  t.notMatch(markdown({ back: '<ref-list><title>Literature</title></ref-list>' }), 'Literature', 'an empty list is omitted')
})

t.test('the elements of a printed reference are separate words', async t => {
  t.equal(
    references(
      '<ref><mixed-citation><person-group><name><surname>Doe</surname><given-names>J</given-names></name><name><surname>Roe</surname>' +
      '<given-names>R</given-names></name></person-group><article-title>On steps</article-title><source>J Steps</source> 3, PMID: ' +
      '<pub-id pub-id-type="pmid">99</pub-id>, <pub-id pub-id-type="pmcid">PMC1</pub-id> doi:<pub-id pub-id-type="doi">10.5555/1</pub-id>' +
      '</mixed-citation></ref>'
    ),
    '- Doe J, Roe R On steps J Steps 3, PMID: 99, [doi:10.5555/1](https://doi.org/10.5555/1)'
  )
  t.equal(
    references(
      '<ref><mixed-citation><string-name><surname>Poe</surname><given-names>E</given-names></string-name>, <name>Lee A</name>: ' +
      '<italic>Steps</italic>.</mixed-citation></ref>'
    ),
    '- Poe E, Lee A: *Steps*.'
  )
})

t.test('a name in two scripts is listed once, in the first', async t => {
  const both = '<name-alternatives><name xml:lang="en"><surname>Doe</surname><given-names>J</given-names></name>' +
    '<name xml:lang="ja"><surname>土井</surname></name></name-alternatives>'
  const group = '<collab-alternatives><collab>Walkers</collab><collab>歩行者</collab></collab-alternatives>'
  for (const people of [`<person-group>${both}${group}</person-group>`, both + group]) {
    t.equal(references(`<ref><element-citation>${people}<year>2019</year></element-citation></ref>`), '- Doe J, Walkers (2019).')
  }
  t.equal(references(`<ref><mixed-citation>${both}, ${group}. 2019.</mixed-citation></ref>`), '- Doe J, Walkers. 2019.')
})

t.test('references without punctuation are composed of their fields', async t => {
  const composed = (fields: string) => references(`<ref><element-citation>${fields}</element-citation></ref>`)
  const doe = '<name><surname>Doe</surname><given-names>J</given-names><suffix>Jr</suffix></name>'
  t.equal(
    composed(
      `<person-group person-group-type="author">${doe}<etal/></person-group><person-group person-group-type="editor"><name><surname>Ed</surname><given-names>E</given-names></name></person-group><chapter-title>Small steps?</chapter-title><source>Book of steps</source><year>2019</year><volume>3</volume><issue>2</issue><fpage>7</fpage><lpage>7</lpage><publisher-name>Walk</publisher-name><publisher-loc>Graz</publisher-loc><ext-link xlink:href="https://example.org/book">online</ext-link><pub-id pub-id-type="doi">10.5555/2</pub-id>`
    ),
    '- Doe J Jr, et al. (2019). Small steps? In: Ed E (eds.) *Book of steps*, 3(2), 7. Graz: Walk. [online](https://example.org/book) ' +
    '[doi:10.5555/2](https://doi.org/10.5555/2)'
  )
  t.equal(composed('<year>2018</year><source>Data</source><elocation-id>e12</elocation-id>'), '- (2018). *Data*, e12.', 'without authors')
  t.equal(
    composed('<collab>Step Group</collab><anonymous/><data-title>Counts</data-title><edition>2nd ed</edition>'),
    '- Step Group, Anonymous. Counts. 2nd ed.',
    'without a year'
  )
  t.equal(
    composed(
      '<person-group><string-name>Eve <surname>Own</surname></string-name><role>editor</role></person-group>' +
      '<article-title>Late</article-title><page-range>3–5</page-range>'
    ),
    '- Eve Own. Late. 3–5.',
    'without a source'
  )
  t.equal(composed('<name>Own name</name><article-title>Again</article-title>'), '- Own name. Again.')
})

t.test('rare elements of a sentence keep their text, or leave none', async t => {
  t.equal(body('<p>See <target id="t">this</target><x>,</x> and that<x>.</x></p>'), 'See this, and that.', 'targets and punctuation')
  t.equal(body('<p>The word <ruby><rb>漢字</rb><rt>kanji</rt></ruby>.</p>'), 'The word 漢字 (kanji).', 'readings')
  t.equal(body('<p>A <private-char><glyph-data format="PBM">0001</glyph-data></private-char>sign.</p>'), 'A sign.', 'pictures of glyphs')
})

t.test('marks of notes are raised, also without markup for it', async t => {
  const mark = (type: string, text: string) => `<xref ref-type="${type}" rid="n">${text}</xref>`
  t.equal(body(`<p>Ten${mark('fn', '9')} of them${mark('table-fn', 'a')}${mark('fn', '<sup>*</sup>')}.</p>`),
    'Ten⁹ of them<sup>a\\*</sup>.')
  t.equal(body(`<p>See ${mark('fn', 'Footnote 2')}.</p>`), 'See Footnote 2.')
})
