import t from 'tap'
import { readDate, readStatedDate } from '../../src/papers/stated-date.js'
import { readName } from '../../src/sources/formats/names.js'
import { plainText } from '../../src/sources/formats/plain-text.js'
import { arxivIn, doiIn, pmcidIn, pmidIn, webAddress } from '../../src/papers/identifiers.js'
import { indexUrlOf, referenceLabelOf, slugOf, titleKeyOf } from '../../src/papers/identity.js'
import { merge } from '../../src/papers/merge.js'
import { contradicts } from '../../src/papers/same-work.js'
import { registerSources } from '../../src/papers/source-traits.js'
import { sources } from '../../src/sources/index.js'
import { takesLess } from '../support/event-loop.js'
import { record } from '../support/service.js'

registerSources(sources)

const cases = <I, O>(read: (written: I) => O, table: ReadonlyArray<readonly [I, O]>) => async (t: any) => {
  for (const [written, expected] of table) t.equal(read(written), expected, JSON.stringify(written))
}

t.test(
  'a DOI is found in free text and returned in lower case',
  cases(doiIn, [
    ['10.1000/ABC', '10.1000/abc'],
    ['doi:10.1000/abc', '10.1000/abc'],
    ['https://doi.org/10.1000/a%2Fb', '10.1000/a/b'],
    ['http://dx.doi.org/10.1000/abc.', '10.1000/abc'],
    ['(10.1000/abc)', '10.1000/abc'],
    ['10.1002/(SICI)1097-0258(19980815)17:15', '10.1002/(sici)1097-0258(19980815)17:15'],
    ['10.1000/abc [doi]', '10.1000/abc'],
    ['https://example.org/%zz/10.1000/x', '10.1000/x'],
    ['no doi', null],
    ['', null],
    ['10.1/x', null]
  ])
)

t.test(
  'an arXiv id is found without its version',
  cases(arxivIn, [
    ['2401.01234v2', '2401.01234'],
    ['http://arxiv.org/abs/2401.01234', '2401.01234'],
    ['math.GT/0309136v1', 'math/0309136'],
    ['quant-ph/0201082', 'quant-ph/0201082'],
    ['AX123456', null],
    ['', null]
  ])
)

t.test('PubMed ids are digits, PubMed Central ids have PMC', async t => {
  await cases(pmidIn, [['12345678', '12345678'], ['PMID: 123', '123'], ['P123456', null], ['12a', null]])(t)
  await cases(pmcidIn, [['PMC123', 'PMC123'], ['pmc 123', 'PMC123'], ['123', null]])(t)
})

t.test(
  'addresses are http or https',
  cases(webAddress, [
    ['https://example.org/a b', 'https://example.org/a b'],
    ['javascript:alert(1)', null],
    ['file:///etc/passwd', null],
    ['data:text/html,x', null],
    ['//example.org', null],
    ['', null]
  ])
)

t.test('finds identifiers in linear time', async t => {
  for (const hostile of [
    'a-'.repeat(2_000_000),
    '10.1234.'.repeat(500_000),
    `10.1000/${')'.repeat(2_000_000)}`,
    'https://' + '%41'.repeat(1_000_000)
  ]) {
    for (const find of [doiIn, arxivIn, pmidIn, pmcidIn]) find(hostile)
  }
  t.pass()
})

t.test(
  'parses dates as written in references',
  cases(readDate, [
    ['2019', '2019-01-01'],
    ['2019-04', '2019-04-01'],
    ['2019 Apr 5', '2019-04-05'],
    ['2004/02/15/', '2004-02-15'],
    ['5 April 2019', '2019-04-05'],
    ['Spring 2011', '2011-04-01'],
    ['1998 Dec-1999 Jan', '1998-12-01'],
    ['2019-13-45', '2019-01-01'],
    ['2019 Feb 31', '2019-02-01'],
    ['2020/2021', '2020-01-01'],
    ['1996///', '1996-01-01'],
    ['Article 10 2019', '2019-01-01'],
    ['05/2019', '2019-05-01'],
    ['5.12.2019', '2019-12-05'],
    ['31/12/2019', '2019-12-31'],
    ['12/31/2019', '2019-12-31'],
    ['05/12/2019', '2019-01-01'],
    ['5. Mai 2019', '2019-05-05'],
    ['5 août 2019', '2019-08-05'],
    ['2019年5月3日', '2019-05-03'],
    ['2020 JAN 15', '2020-01-15'],
    ['2019 03 05', '2019-03-05'],
    ['0000', null],
    ['n.d.', null],
    ['', null]
  ])
)

t.test(
  'tells which part of a date was stated',
  cases(written => readStatedDate(written)?.precision, [
    ['2019', 'year'],
    ['2019-2020', 'year'],
    ['2019-01', 'month'],
    ['2019-01-01', 'day'],
    ['20190101', 'day'],
    ['Jan 2019', 'month'],
    ['1 January 2019', 'day'],
    ['1998 Dec-1999 Jan', 'month'],
    ['Spring 2011', 'year'],
    ['2011-21', 'year'],
    ['2011/04//', 'month'],
    ['01/2019', 'month'],
    ['05/12/2019', 'year'],
    ['1. Januar 2019', 'day'],
    ['2019-13-45', 'year'],
    ['2019 Feb 31', 'month']
  ])
)

t.test(
  'a name starts with the given name',
  cases(readName, [
    ['Böhm, Ana', 'Ana Böhm'],
    ['King, Martin Luther, Jr.', 'Martin Luther King Jr.'],
    ['Ana Böhm', 'Ana Böhm'],
    ['Baldwin,S.A.', 'S.A. Baldwin'],
    ['The Group', 'The Group']
  ])
)

t.test(
  'removes markup and entities',
  cases(plainText, [
    ['A <i>b</i><sub>2</sub> &amp; &eacute;', 'A b2 & é'],
    ['p < 0.05 and q > 1', 'p < 0.05 and q > 1'],
    ['a<b and c>d', 'a<b and c>d'],
    ['<p>One</p><p>Two</p>', 'One Two'],
    ['&lt;script&gt;', '<script>'],
    ['Guide to <scp>SHAP</scp>, <ovl>x</ovl> and <bold>H</bold><sub>2</sub>', 'Guide to SHAP, x and H2'],
    ['A <mi>b</mi> of <math xmlns="http://www.w3.org/1998/Math/MathML"><msub><mi>H</mi><mn>2</mn></msub></math>', 'A b of H2'],
    ['The <T> of <K, V> and <monad>', 'The <T> of <K, V> and <monad>'],
    [
      '<inline-formula><tex-math notation="LaTeX">$H_\\infty$ </tex-math></inline-formula> Control &amp; more',
      '$H_\\infty$ Control & more'
    ],
    ['&lt;inline-formula&gt;&lt;tex-math&gt;$x$&lt;/tex-math&gt;&lt;/inline-formula&gt; control', '$x$ control'],
    [
      '<jats:inline-formula><jats:alternatives><jats:tex-math>\\alpha &lt; 2</jats:tex-math><mml:math><mml:mi>α</mml:mi></mml:math>' +
      '</jats:alternatives></jats:inline-formula> decay',
      '$\\alpha < 2$ decay'
    ],
    [
      'at <jats:inline-formula><jats:tex-math><?CDATA $z\\gtrsim 7$?></jats:tex-math><?MML <mml:math><mml:mi>z</mml:mi></mml:math>?>' +
      '<jats:inline-graphic xlink:href="a.gif"/></jats:inline-formula> km',
      'at $z\\gtrsim 7$ km'
    ],
    ['<alternatives><mml:math><mml:mi>x</mml:mi></mml:math><inline-graphic xlink:href="a.gif"/></alternatives>s', 'xs'],
    ['<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math>', 'x'],
    ['a \\documentclass[12pt]{minimal}\n\\usepackage{amsmath}\\begin{document}$$x_1$$\\end{document}-ray', 'a $$x_1$$-ray'],
    ['The \\documentclass of LaTeX', 'The \\documentclass of LaTeX'],
    [`e${'\u0301'.repeat(100)}`, `é${'\u0301'.repeat(29)}`]
  ])
)

t.test('removes hostile markup in linear time', async t => {
  const many = 300_000
  for (const hostile of [
    '<alternatives>', '<tex-math>', '<?MML ', '<?CDATA ', '<![CDATA[', '<annotation>', '\\documentclass', '<inline-formula a='
  ]) {
    await takesLess(t, 2000, () => plainText(hostile.repeat(many)), hostile)
  }
})

t.test('a slug is a bounded list of ASCII words', async t => {
  t.equal(slugOf('Größe & GTPase: a Study'), 'groesse-and-gtpase-a-study')
  t.equal(slugOf('睡眠'), 'paper')
  t.ok(slugOf('word '.repeat(100)).length <= 80)
})

t.test("a label is the index's, else the first identifier's", async t => {
  const labeled = (part: object) => {
    const each = record({ title: 'x', ...part })
    return [referenceLabelOf(each), indexUrlOf(each)]
  }
  t.strictSame(labeled({ source: { name: 'pubmed' }, external_ids: { pmid: '1', arxiv: '2613.00001' }, doi: '10.5555/x' }), [
    'PMID 1',
    'https://pubmed.ncbi.nlm.nih.gov/1/'
  ])
  t.strictSame(labeled({ source: { name: 'arxiv' }, external_ids: { pmid: '1', arxiv: '2613.00001' } }), [
    'arXiv 2613.00001',
    'https://arxiv.org/abs/2613.00001'
  ])
  t.strictSame(labeled({ doi: '10.5555/<x>' }), ['DOI 10.5555/<x>', 'https://doi.org/10.5555/%3Cx%3E'])
  t.strictSame(labeled({}), [null, null])
})

t.test('matches title, first author and year in any notation', async t => {
  const key = (title: string, author: string, published_date: string | null) =>
    titleKeyOf({ title, authors: [{ name: author }], published_date })
  t.equal(key('On Sleep: a Study', 'Ana Böhm', '2026-03-01'), key('on sleep — A study', 'A. Bohm', '2026-12-31'))
  t.not(key('On Sleep', 'Ana Böhm', '2026-01-01'), key('On Sleep', 'Ana Böhm', '2025-01-01'))
  t.not(key('On Sleep', 'Ana Böhm', null), key('On Sleep', 'Ben Böhmer', null))
})

t.test('records with different identifiers of a kind are two works', async t => {
  const one = record({ title: 'x', doi: '10.5555/1', external_ids: { pmid: '1' } })
  t.ok(contradicts(one, record({ title: 'x', doi: '10.5555/2' })))
  t.ok(contradicts(one, record({ title: 'x', external_ids: { pmid: '2' } })))
  t.notOk(contradicts(one, record({ title: 'x', external_ids: { arxiv: '2613.00001' } })))
})

t.test('prefers index records, then the newer of one format, then the first of two formats, and keeps all data', async t => {
  const pubmed = record({
    title: 'Right',
    source: { name: 'pubmed' },
    external_ids: { pmid: '1' },
    published_date: '2026-03-05',
    abstract: 'From PubMed.',
    source_paper_id: '1'
  })
  const manager = record({ title: 'right?', source: { name: 'bibtex' }, doi: '10.5555/x', published_date: '2026-01-01', url: 'https://example.org', metadata: { citation_key: 'k' } })
  for (const merged of [merge(pubmed, manager), merge(manager, pubmed)]) {
    t.match(merged, { title: 'Right', abstract: 'From PubMed.', doi: '10.5555/x', published_date: '2026-03-05', url: 'https://example.org', reference_label: 'PMID 1', external_ids: { pmid: '1' }, metadata: { citation_key: 'k' } })
  }
  t.equal(merge(manager, record({ title: 'Newer', source: { name: 'bibtex' } })).title, 'Newer')
  const changed = record({ title: 'In another form', source: { name: 'ris' }, abstract: 'Added.' })
  t.match(merge(manager, changed), { title: 'right?', abstract: 'Added.' })
})
