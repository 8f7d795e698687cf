import t from 'tap'
import { teiToMarkdown } from '../../src/fulltext/tei/tei.js'
import { notConvertible } from '../support/not-convertible.js'

const tei = (body: string, back = '', header = '') => `<?xml version="1.0" encoding="UTF-8"?>
<TEI xml:space="preserve" xmlns="http://www.tei-c.org/ns/1.0"><teiHeader xml:lang="en"><fileDesc><titleStmt><title level="a" type="main">Small steps</title></titleStmt></fileDesc>
<encodingDesc><appInfo><application version="0.8.2" ident="GROBID"><desc>GROBID</desc></application></appInfo></encodingDesc>${header}</teiHeader>
<text xml:lang="en"><body>${body}</body><back>${back}</back></text></TEI>`
const markdown = (...given: Parameters<typeof tei>): string => teiToMarkdown(tei(...given)).markdown

t.test('an article in TEI', async t => {
  await t.test('has title, abstract, keywords, and heading levels by number', async t => {
    const header =
      '<profileDesc><textClass><keywords><term>steps</term><term>size</term></keywords></textClass><abstract><div ' +
      'xmlns="http://www.tei-c.org/ns/1.0"><p>We take small steps.</p></div></abstract></profileDesc>'
    t.equal(
      markdown(
        '<div><head n="1">Why</head><p>Because.</p></div><div><head n="1.1">How</head><p>So <ref type="bibr" target="#b0">[1]</ref>.</p>' +
        '</div><div><head>Results</head><p>Good.</p></div>',
        '<div type="acknowledgement"><div><p>We thank all.</p></div></div>',
        header
      ),
      '# Small steps\n\n## Abstract\n\nWe take small steps.\n\n**Keywords:** steps, size\n\n## 1. Why\n\nBecause.\n\n### 1.1. How\n\nSo ' +
      '[1].\n\n## Results\n\nGood.\n\n## Acknowledgements\n\nWe thank all.\n'
    )
    t.equal(teiToMarkdown(tei('<div><p>x</p></div>')).converter, 'grobid 0.8.2')
  })
  await t.test('has captions, tables, lists and notes', async t => {
    t.equal(
      markdown(
        '<div><p>See.</p><list><item>one</item><item>two</item></list></div><figure xml:id="fig_0"><head>Figure 1 :</head>' +
        '<label>1</label><figDesc>A step.</figDesc><graphic coords="1"/></figure><figure type="table"><head>Table 1</head>' +
        '<figDesc>Sizes.</figDesc><table><row><cell>Step</cell><cell>Size</cell></row><row><cell>first</cell><cell>2</cell></row></table>' +
        '</figure><note place="foot" n="1">A proviso.</note>'
      ),
      '# Small steps\n\nSee.\n\n- one\n- two\n\n**Figure 1.** A step.\n\n**Table 1.** Sizes.\n\n| ' +
      'Step | Size |\n| --- | --- |\n| first | ' +
      '2 |\n\n## Footnotes\n\n¹ A proviso.\n'
    )
  })
  await t.test('has raw references, or composes structured ones', async t => {
    const parts =
      '<analytic><title level="a">On steps</title><author><persName><forename type="first">A</forename><surname>Example</surname>' +
      '</persName></author><idno type="DOI">10.5555/12345678</idno></analytic><monogr><title level="j">Journal of Steps</title><imprint>' +
      '<biblScope unit="volume">3</biblScope><biblScope unit="page" from="1" to="9"/><date type="published" when="2020-01"/></imprint>' +
      '</monogr>'
    t.match(
      markdown(
        '<div><p>x</p></div>',
        `<div type="references"><listBibl><biblStruct>${parts}</biblStruct><biblStruct><note type="raw_reference">[2] B. Other. Steps. 2021.</note></biblStruct></listBibl></div>`
      ),
      '## References\n\n1. A. Example (2020). On steps. *Journal of Steps*, 3, 1–9. ' +
      '[doi:10.5555/12345678](https://doi.org/10.5555/12345678)\n2. B. Other. Steps. 2021.\n'
    )
  })
})

t.test('text formatting, links and sentences in TEI', async t => {
  const text = (content: string) => markdown(`<div><p>${content}</p></div>`).replace('# Small steps\n\n', '').trim()
  t.equal(
    text(
      'A<lb/>line, <hi rend="bold">bold</hi> <hi rend="italic">slanted</hi> <hi rend="superscript">2</hi> <hi ' +
      'rend="underline">plain</hi> <hi>also</hi><graphic url="x"/>'
    ),
    'A\\\nline, **bold** *slanted* ² plain also'
  )
  t.equal(
    text(
      '<ref target="https://example.org/a">a</ref> <ptr target="https://example.org/b"/> <ref>nowhere</ref> <ref target="#fig_1">Fig. ' +
      '1</ref>'
    ),
    '[a](https://example.org/a) <https://example.org/b> nowhere Fig. 1'
  )
  t.equal(text('<s>One.</s><s>Two.</s>'), 'One. Two.')
})

t.test('blocks in TEI', async t => {
  const text = (content: string) => markdown(content).replace('# Small steps\n\n', '').trim()
  t.equal(
    text(
      '<div><head/><formula>a = b<label>(1)</label></formula><formula/><quote><p>Said.</p></quote><listBibl><bibl>x</bibl>' +
      '</listBibl>loose</div>'
    ),
    'a = b (1)\n\n> Said.\n\nloose'
  )
  t.equal(
    text('<div><list rend="numbered"><item><label>(a)</label>one</item><item n="(b)">two</item></list></div>'),
    '- (a) one\n- (b) two'
  )
  t.equal(
    text(
      '<div><table><row role="label"><cell>Step</cell></row><row><cell cols="1">first</cell></row></table></div><figure type="table">' +
      '<figDesc>No head.</figDesc><table><row><cell/></row></table></figure>'
    ),
    '| Step |\n| --- |\n| first |\n\nNo head.'
  )
  t.equal(
    text('<div><p>x</p></div><note place="foot">No mark.</note><note place="margin">No footnote.</note>'),
    'x\n\n## Footnotes\n\nNo mark.'
  )
})

t.test('back matter in TEI has a heading for its kind, unless it has its own', async t => {
  t.match(
    markdown(
      '<div><p>x</p></div>',
      '<div><p>Untyped.</p></div><div type="funding"><head>Grants</head><p>G.</p></div><div type="availability"><p>D.</p></div><div ' +
      'type="annex"/>'
    ),
    /x\n\nUntyped\.\n\n## Grants\n\nG\.\n\n## Data availability\n\nD\.\n$/
  )
})

t.test('references in TEI are composed of their fields', async t => {
  const reference = (content: string) =>
    markdown('<div><p>x</p></div>', `<div type="references"><listBibl><biblStruct>${content}</biblStruct></listBibl></div>`)
      .split('## References\n\n')[1]
      ?.trim()
  t.equal(
    reference(
      '<monogr><imprint><date>Spring 2019</date><biblScope unit="volume">3</biblScope><biblScope unit="issue">2</biblScope></imprint>' +
      '</monogr>'
    ),
    '1. (2019). 3(2).'
  )
  t.equal(
    reference(
      '<analytic><title>No place</title><author><persName><forename>Ada Maria</forename><surname>Example</surname></persName></author>' +
      '</analytic><monogr><imprint><date>n.d.</date></imprint></monogr>'
    ),
    '1. Ada Maria Example. No place.'
  )
  t.equal(reference('<monogr><title>A book</title></monogr>'), '1. *A book*.')
  t.equal(reference(''), undefined)
})

t.test('a document without a TEI article is rejected', async t => {
  t.throws(() => teiToMarkdown('<article/>'), notConvertible('not_this_format'))
  t.throws(() => teiToMarkdown('<TEI><text>'), notConvertible('damaged'))
  t.throws(() => teiToMarkdown(tei('')), notConvertible('no_text'))
  t.throws(() => teiToMarkdown(`<TEI>${'<div>'.repeat(5000)}${'</div>'.repeat(5000)}</TEI>`), notConvertible('damaged'))
  const bomb = `<!DOCTYPE TEI [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 12 }, (_, at) => `<!ENTITY ${String.fromCharCode(98 + at)} "${`&${String.fromCharCode(97 + at)};`.repeat(10)}">`).join('')}]>`
  t.ok(teiToMarkdown(bomb + tei('<div><p>x &m; y</p></div>').replace(/^<\?xml.*\n/, '')).markdown.length < 200, 'entities are not expanded')
})
