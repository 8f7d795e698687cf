import t, { type Test } from 'tap'
import { takesLess } from '../support/event-loop.js'
import { doiVersions, versionInDoi, versionlessDoi } from '../../src/papers/doi-versions.js'
import {
  arxivIn, arxivVersionIn, citedDoiIn, doiIn, idsIn, openalexIn, orcidIn, pmcidIn, pmidIn, webAddress
} from '../../src/papers/identifiers.js'

/** Holds a reader to what it gives for each text. */
const reads = (t: Test, read: (text: string | null | undefined) => unknown, cases: Record<string, unknown>) => {
  for (const [text, expected] of Object.entries(cases)) t.equal(read(text), expected, JSON.stringify(text).slice(0, 80))
  for (const nothing of ['', null, undefined]) t.equal(read(nothing), null, 'nothing')
}

t.test('a DOI is found anywhere in text', async t => {
  reads(t, doiIn, {
    '10.1000/ABC': '10.1000/abc',
    ' doi:10.1000/abc. ': '10.1000/abc',
    'See (10.1000/abc), and more': '10.1000/abc',
    '"10.1000/abc"': '10.1000/abc',
    '10.1000/abc,;:\'’”': '10.1000/abc',
    '10.1016/S0140-6736(20)30183-5': '10.1016/s0140-6736(20)30183-5',
    '(10.1016/S0140-6736(20)30183-5).': '10.1016/s0140-6736(20)30183-5',
    '[10.1000/a[1]]': '10.1000/a[1]',
    '{10.1000/a{1}}': '10.1000/a{1}',
    '10.1000/abc.)': '10.1000/abc',
    '10.1000/a(b).);)': '10.1000/a(b)',
    '10.1000/abc’]': '10.1000/abc’',
    '10.1000.10/abc': '10.1000.10/abc',
    '10.123456789/abc': '10.123456789/abc',
    '10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2':
      '10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2',
    '10.1002/(SICI)1097-0258(19980815)17:15&lt;1661::AID-SIM968&gt;3.0.CO;2-2':
      '10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2',
    '10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2': '10.1175/1520-0469(1963)020<0130:dnf>2.0.co;2',
    'See 10.1175/1520-0469(1963)020&lt;0130:DNF&gt;2.0.CO;2.': '10.1175/1520-0469(1963)020<0130:dnf>2.0.co;2',
    '(10.1002/1097-0258(20001130)19:22<3127::AID-SIM627>3.0.CO;2-P)': '10.1002/1097-0258(20001130)19:22<3127::aid-sim627>3.0.co;2-p',
    'https://doi.org/10.1002/1097-0258(20001130)19:22%3C3127::AID-SIM627%3E3.0.CO;2-P':
      '10.1002/1097-0258(20001130)19:22<3127::aid-sim627>3.0.co;2-p',
    '<doi>10.1000/abc</doi>': '10.1000/abc',
    '<a href="x">10.1000/abc</a>': '10.1000/abc',
    '10.1000/abc<br>2.0': '10.1000/abc',
    '10.1000/a&amp;b': '10.1000/a&b',
    '10.1000/a\\_b\\%c\\&d\\#e\\$f': '10.1000/a_b%c&d#e$f',
    '10.123/abc': null,
    '10.1234567890/abc': null,
    'x10.1000/abc': null,
    'no DOI': null
  })
  t.equal(doiIn(`${' '.repeat(2000)}10.1000/abc`), '10.1000/abc')
  for (const character of ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u200e']) {
    for (const text of [`10.1000/a${character}bc`, `doi:${character}10.1000/abc${character}.`, `10.${character}1000/abc${character}`]) {
      t.equal(doiIn(text), '10.1000/abc', JSON.stringify(text))
      t.equal(doiIn(`https://doi.org/${encodeURIComponent(text.replace(/^doi:|\.$/g, ''))}`), '10.1000/abc')
    }
  }
  for (const hidden of ['https://doi.org/10.1000/a%00b', 'https://doi.org/10.1000/a%7Fb', '10.1000/a\ud800b']) t.equal(doiIn(hidden), null)
  t.equal(doiIn(`${'x '.repeat(1024)}10.1000/abc`), null, 'what a long text goes on with is not searched')
})

t.test('a DOI among very many brackets is read in linear time', async t => {
  const hostileEnds =
    [['}', null], ['.)', null], ['.', null], [')]', 2029], ['(', 2030], ['.x', 2030], ['10.1000/', 2023], ['a<', 1]] as const
  for (const [hostile, kept] of hostileEnds) {
    const text = `10.1000/${hostile.repeat(2030 / hostile.length)}`
    t.equal(doiIn(text)?.length, kept === null ? undefined : '10.1000/'.length + kept, hostile)
    await takesLess(t, 500, () => { for (let call = 0; call < 100; call++) doiIn(text) }, `${hostile}, 100 times`)
  }
})

t.test('versions of a DOI are looked for where they are registered', async t => {
  t.same(doiVersions('10.48550/arxiv.2401.01234v2'), ['10.48550/arxiv.2401.01234v2', '10.48550/arxiv.2401.01234'])
  t.equal(doiVersions('10.21203/rs.3.rs-1234567/v2').length, 10)
  t.same(doiVersions('10.1000/abc'), ['10.1000/abc'])
})

t.test('versions of a DOI are written as their publisher writes them', async t => {
  for (const [base, end] of [
    ['10.6084/m9.figshare.1234567', '.v'],
    ['10.25384/sage.c.1234567', '.v'],
    ['10.36227/techrxiv.1234567', '.v'],
    ['10.20944/preprints202401.0123', '.v'],
    ['10.21203/rs.3.rs-1234567', '/v'],
    ['10.22541/au.1234567.89', '/v'],
    ['10.26434/chemrxiv-2021-ab1cd', '-v'],
    ['10.26434/chemrxiv.1234567', '.v'],
    ['10.7287/peerj.preprints.1234', 'v'],
    ['10.1101/2024.01.02.123456', 'v'],
    ['10.31234/osf.io/ab1cd', '_v'],
    ['10.12688/f1000research.12345', '.'],
    ['10.12688/f1000research.2-94', '.v'],
    ['10.21203/rs.2.10083', '/v'],
    ['10.36227/techrxiv.170654596.64216021', '/v'],
    ['10.22541/essoar.168275789.98571021', '/v'],
    ['10.33774/coe-2021-abcde', '-v'],
    ['10.35542/osf.io/ab1cd', '_v'],
    ['10.32388/h7s5fb', '.']
  ] as const) {
    const versions = Array.from({ length: 9 }, (_each, at) => `${base}${end}${at + 1}`)
    t.same(doiVersions(versions[1]!).sort(), [base, ...versions])
    for (const [at, doi] of versions.entries()) {
      t.equal(versionlessDoi(doi), base)
      t.equal(versionInDoi(doi), at + 1)
    }
    t.equal(versionInDoi(base), undefined)
    t.equal(versionlessDoi(base), base)
    const part = `${base}${end}1${end}2`
    t.equal(versionlessDoi(part), part, 'a part of a version is no version')
    t.equal(versionInDoi(part), undefined)
  }
})

t.test('versions of a DOI that is never without one are told apart from other works', async t => {
  for (const [version, base] of [
    ['10.1364/opticaopen.29459153.v1', '10.1364/opticaopen.29459153'], ['10.1158/1078-0432.c.6526710.v12', '10.1158/1078-0432.c.6526710'],
    ['10.31124/advance.12345678.v2', '10.31124/advance.12345678'], ['10.1002/essoar.10507868.2', '10.1002/essoar.10507868'],
    ['10.14293/s2199-1006.1.sor-.ppvrq8s.v1', '10.14293/s2199-1006.1.sor-.ppvrq8s'],
    ['10.12688/wellcomeopenres.12345.10', '10.12688/wellcomeopenres.12345']
  ] as const) {
    t.equal(versionlessDoi(version), base)
    t.ok(doiVersions(version).includes(base))
  }
  for (const doi of [
    '10.1000/journal.2019.v12', '10.7554/elife.86824.3', '10.1000/abc.v1', '10.17605/osf.io/ab1cd_v2', '10.1002/essoar.10507868'
  ]) {
    t.strictSame([versionlessDoi(doi), doiVersions(doi)], [doi, [doi]])
  }
})

t.test('the DOI of a reference is read from what publishers write', async t => {
  reads(t, text => citedDoiIn(text), {
    '10.1002/(SICI)1097-0258(19960229)15:4%3C361::AID-SIM168%3E3.0.CO;2-4':
      '10.1002/(sici)1097-0258(19960229)15:4<361::aid-sim168>3.0.co;2-4',
    '10.1002/(SICI)1096-8644(199904)108:4<391::AID-AJPA2>3.0.CO;2-%23': '10.1002/(sici)1096-8644(199904)108:4<391::aid-ajpa2>3.0.co;2-#',
    '10.1016%2Fj.cell.2020.01.001': '10.1016/j.cell.2020.01.001',
    '10.1000/a%': '10.1000/a%',
    '10.1002/cncr.28077/abstract': '10.1002/cncr.28077',
    'https://doi.org/10.1016/j.x/': '10.1016/j.x',
    'Vaswani A. Attention is all you need. arXiv:1706.03762': '10.48550/arxiv.1706.03762',
    'arXiv preprint arXiv:1810.04805 (2018)': '10.48550/arxiv.1810.04805',
    'arXiv preprint hep-th/9711200': '10.48550/arxiv.hep-th/9711200',
    'J. Test. 2019;1706.03762': null,
    'A letter to the arXiv': null
  })
  t.equal(citedDoiIn('', undefined, 'arXiv:1706.03762', 'https://doi.org/10.1000/other'), '10.48550/arxiv.1706.03762')
})

t.test('an ORCID iD is read with typographic hyphens, spaces and what an address goes on with', async t => {
  reads(t, orcidIn, {
    '0000‐0002‐1825‐0097': '0000-0002-1825-0097',
    '0000–0002–1825–0097': '0000-0002-1825-0097',
    '0000 0002 1825 0097': '0000-0002-1825-0097',
    'https://orcid.org/0000-0002-1825-0097.': '0000-0002-1825-0097',
    'https://orcid.org/0000-0002-1825-0097/print': '0000-0002-1825-0097',
    'https://orcid.org/0000-0002-1825-0097 (A. L.)': '0000-0002-1825-0097',
    '0000-0002-1825-00971': null,
    'https://orcid.org/0000-0002-1825-0098': null
  })
})

t.test("a DOI in a URL excludes the publisher's suffix", async t => {
  reads(t, doiIn, {
    'https://doi.org/10.1000/ABC': '10.1000/abc',
    'HTTP://DX.DOI.ORG/10.1000/abc/full': '10.1000/abc/full',
    'https://doi.org/10.1000/a%2Fb': '10.1000/a/b',
    'https://doi.org/10.1000/abc.pdf': '10.1000/abc.pdf',
    'https://example.org/doi/10.1000/abc?x=10.2000/def': '10.1000/abc',
    'https://example.org/look?doi=10.1000/abc&more=1': '10.1000/abc',
    'https://example.org/#10.1000/abc': '10.1000/abc',
    'https://example.org/doi/10.1000/abc/full': '10.1000/abc',
    'https://example.org/doi/10.1000/abc/epdf': '10.1000/abc',
    'https://example.org/doi/10.1000/abc/pdf/full-text': '10.1000/abc',
    'https://example.org/10.1000/abc.html': '10.1000/abc',
    'https://example.org/10.1000/abc.htm': '10.1000/abc',
    'https://example.org/10.1000/abc.pdf': '10.1000/abc',
    'https://example.org/10.1000/abc.pdfx': '10.1000/abc.pdfx',
    'https://www.biorxiv.org/content/10.1101/2024.01.01.573821v2.full': '10.1101/2024.01.01.573821',
    'https://www.biorxiv.org/content/10.1101/2024.01.01.573821v12': '10.1101/2024.01.01.573821',
    'https://www.medrxiv.org/content/10.64898/2026.05.30.26354512v1.full': '10.64898/2026.05.30.26354512',
    'https://example.org/10.1000/abcv2': '10.1000/abcv2',
    'https://example.org/%E0%A4%A/10.1000/abc': '10.1000/abc',
    'https://example.org/abc': null
  })
})

t.test('an arXiv id is found without its version', async t => {
  reads(t, arxivIn, {
    2401.01234: '2401.01234',
    'arXiv:2401.01234v2 [q-bio]': '2401.01234',
    '0704.0001': '0704.0001',
    2401.012345: null,
    12401.01234: null,
    'math.GT/0309136v1': 'math/0309136',
    'math.gt/0309136': 'math/0309136',
    '10.48550/arxiv.math.gt/0309136': 'math/0309136',
    'HEP-TH/9901001': 'hep-th/9901001',
    'vol/0309136': null,
    'hep-th/9901001': 'hep-th/9901001',
    'hep-th/99010011': null,
    'hep-th/0309136 and 2401.01234': '2401.01234'
  })
  t.equal(arxivIn(`${'x'.repeat(2047)} 2401.01234`), null)
  t.equal(arxivVersionIn('2401.01234v12'), 12)
  t.equal(arxivVersionIn('2401.01234'), null)
  t.equal(arxivVersionIn('v2 of 2401.01234'), null)
})

t.test('PubMed, PMC and OpenAlex ids are parsed in pasted forms', async t => {
  reads(t, pmidIn, {
    31452104: '31452104',
    ' PMID: 31452104 ': '31452104',
    'pmid:1': '1',
    'PMID 1': '1',
    '31452104.': null,
    'about 31452104': null,
    1234567890123: null,
    123456789012: '123456789012',
    0: null,
    '000000000000': null,
    'PMID: 0031452104': '31452104',
    PMC1: null
  })
  reads(t, pmcidIn, {
    PMC7654321: 'PMC7654321',
    'pmc 7654321': 'PMC7654321',
    'see PMC1.': 'PMC1',
    7654321: null,
    XPMC1: null,
    PMC0: null,
    PMC007654321: 'PMC7654321',
    PMC12345678901: null
  })
  reads(t, openalexIn, { W2741809807: 'W2741809807', ' w1 ': 'W1', 'W1 and more': null, A1: null, W1234567890123456: null })
})

t.test('addresses are http or https', async t => {
  reads(t, webAddress, {
    'https://example.org/a': 'https://example.org/a',
    ' http://example.org ': 'http://example.org',
    'HTTPS://EXAMPLE.ORG': 'HTTPS://EXAMPLE.ORG',
    'file:///etc/passwd': null,
    'javascript:alert(1)': null,
    'see https://example.org': null,
    'https://': null
  })
})

t.test('index addresses contain ids', async t => {
  const none = { arxiv: null, pmid: null, pmcid: null, openalex: null }
  t.strictSame(idsIn([]), none)
  t.strictSame(idsIn([null, undefined, 'https://example.org/12345']), none)
  const cases: Array<[string, Partial<typeof none> | Record<string, string>]> = [
    ['https://arxiv.org/abs/2401.01234v3', { arxiv: '2401.01234' }],
    ['http://export.arxiv.org/pdf/math.GT/0309136', { arxiv: 'math/0309136' }],
    ['https://arxiv.org/html/2401.01234', { arxiv: '2401.01234' }],
    ['10.48550/arXiv.2401.01234', { arxiv: '2401.01234' }],
    ['https://pubmed.ncbi.nlm.nih.gov/31452104/', { pmid: '31452104' }],
    ['https://www.ncbi.nlm.nih.gov/pubmed/31452104', { pmid: '31452104' }],
    ['https://pmc.ncbi.nlm.nih.gov/articles/PMC7654321/', { pmcid: 'PMC7654321' }],
    ['https://www.ncbi.nlm.nih.gov/pmc/articles/pmc7654321', { pmcid: 'PMC7654321' }],
    ['https://openalex.org/W2741809807', { openalex: 'W2741809807' }]
  ]
  for (const [address, ids] of cases) t.strictSame(idsIn(['https://example.org', address]), { ...none, ...ids }, address)
  t.strictSame(idsIn(['https://openalex.org/W1', 'https://openalex.org/W2']), { ...none, openalex: 'W1' }, 'the first counts')
})
