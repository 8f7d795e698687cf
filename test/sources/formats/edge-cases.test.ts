import t from 'tap'
import { Readable } from 'node:stream'
import { findFormat, formatNames, formats, recordFormatOf } from '../../../src/sources/formats/index.js'
import { plainParagraphs, plainText } from '../../../src/sources/formats/plain-text.js'
import { doiIn, idsIn, idsInNote } from '../../../src/papers/identifiers.js'
import { collect, readAll, readRecords } from '../../support/readings.js'
import { takesLess } from '../../support/event-loop.js'

t.test('a DOI ends where the address or the sentence around it goes on', async t => {
  for (const [written, doi] of [
    [
      '10.1002/(SICI)1097-0142(19960501)77:9<1823::AID-CNCR10>3.0.CO;2-1',
      '10.1002/(sici)1097-0142(19960501)77:9<1823::aid-cncr10>3.0.co;2-1'
    ],
    [
      '10.1002/(SICI)1097-0142(19960501)77:9&lt;1823::AID-CNCR10&gt;3.0.CO;2-1</a>',
      '10.1002/(sici)1097-0142(19960501)77:9<1823::aid-cncr10>3.0.co;2-1'
    ],
    ['https://example.org/doi/full/10.5555/abc.12?casa_token=x:y', '10.5555/abc.12'],
    ['https://example.org/doi/10.5555/abc.12/full#part', '10.5555/abc.12'],
    ['http://example.org/resolve?sid=x&id=doi:10.5555/abc.12&issn=0000-0000', '10.5555/abc.12'],
    ['https://example.org/content/pdf/10.5555/abc-12.pdf', '10.5555/abc-12'],
    ['https://example.org/content/10.1101/2026.01.02.123456v2.full-text', '10.1101/2026.01.02.123456'],
    ['https://doi.org/10.5555/a%23b', '10.5555/a#b'],
    ['10.5555/978\\_3-x', '10.5555/978_3-x']
  ] as const) t.equal(doiIn(written), doi, written.slice(0, 90))
})

t.test("an index address contains the record's id", async t => {
  t.strictSame(
    idsIn([
      'https://pubmed.ncbi.nlm.nih.gov/990000700/',
      'https://arxiv.org/pdf/2613.00020v2',
      'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC990007/'
    ]),
    { arxiv: '2613.00020', pmid: '990000700', pmcid: 'PMC990007', openalex: null }
  )
  t.strictSame(idsIn(['10.48550/arxiv.2613.00021', 'https://example.org/990000700', null]), {
    arxiv: '2613.00021',
    pmid: null,
    pmcid: null,
    openalex: null
  })
  t.match(idsIn(['https://openalex.org/W990000001']), { openalex: 'W990000001' })
})

t.test('the format of a file is detected from its content, and an empty file has none', async t => {
  for (const { name } of formats) {
    t.strictSame(await readAll(name, ''), [], `${name}: empty`)
    const readings = await readAll(name, 'Dear all, this is prose.\n')
    t.match(readings, [{ place: 1, reason: /\S/ }], `${name}: prose`)
  }
})

t.test('formats are found by name', async t => {
  t.strictSame(formatNames.map(name => findFormat(name)?.name), [...formatNames])
  for (const [name, found] of [
    ['jsonl', 'json-lines'], ['PubMed XML', 'pubmed-xml'], ['pubmed', 'pubmed-xml'], ['medline', 'nbib'], ['arXiv', 'arxiv-atom'],
    ['csl', 'csl-json'], ['bib', 'bibtex'], ['RIS', 'ris'], ['TSV', 'csv'], ['scopus', 'csv'], ['wos', 'web-of-science'], ['txt', 'nbib'],
    ['endnote', 'endnote-xml'], ['enw', 'ris'], ['refer', 'ris']
  ] as const) t.equal(findFormat(name)?.name, found, name)
  for (const name of ['docx', '', 'constructor']) t.equal(findFormat(name), undefined, name)
})

t.test('CSL-JSON and JSON Lines are distinguished', async t => {
  for (const [head, name] of [
    ['[{"title":"x"}]', 'csl-json'],
    ['{"title":"x"}\n{"title":"y"}', 'json-lines'],
    ['{}\n{"title":"x"}\n{"title":"y"}', 'json-lines'],
    ['{"title":\n\nbroken\n{"title":"x"}\n{"title":"y"}', 'json-lines'],
    ['broken\n{"title":"x"}', 'json-lines'],
    ['{"title":"x","authors":[{"name":"A"}]}', 'json-lines'],
    ['{\n "title": "x",\n "issued": {"date-parts": [[2026]]}\n}', 'csl-json'],
    ['{"id":"a","title":"x","author":[{"family":"A"}]}', 'csl-json'],
    ['{"config":{},\n"items":[{"title":"x"}]}', 'csl-json'],
    [`{"title":"x","abstract":"${'word '.repeat(20_000)}`, 'json-lines']
  ] as const) { t.equal(recordFormatOf(head)?.name, name, head.slice(0, 60)) }
})

t.test('CSL-JSON in every wrapper', async t => {
  const one = [{ place: 1, record: { title: 'One' } }]
  for (const content of [
    '{"title":"One"}', '[{"title":"One"}]', '{"a":[1,{"items":2}],"items":[{"title":"One"}],"b":[]}',
    '{"status":"ok","message":{"items":[{"title":["One"]}]}}', ' [ {"title":"One"} ] and more'
  ]) {
    for (const size of [1, 7, 1000]) t.match(await readAll('csl-json', content, size), one, `${content} in pieces of ${size}`)
  }
  t.match(await readAll('csl-json', '{"title":"A \\"quoted\\" } [ brace \\\\"}\n{"title":"Two"}', 1), [
    { record: { title: 'A "quoted" } [ brace \\' } },
    { record: { title: 'Two' } }
  ])
  t.match(await readAll('csl-json', '[{"title":"No end of text\n},\n{"title":"After it"}]'), [
    { reason: 'the record is not valid JSON' },
    { place: 2, record: { title: 'After it' } }
  ])
  t.match(await readAll('csl-json', `[{"title":"Long","abstract":"${'x'.repeat(9 * 1024 * 1024)}"},{"title":"Short"}]`), [
    { reason: /longer than 8 MB/ },
    { place: 2, record: { title: 'Short' } }
  ])
  t.match(await readAll('csl-json', '['.repeat(100_000)), [{ reason: 'the JSON is incomplete' }])
  const [dated] = await readRecords('csl-json', '[{"title":"x","issued":{"literal":"Spring 2026"},"keyword":"sleep, memory"}]')
  t.match(dated, { published_date: '2026-04-01', metadata: { published: 'Spring 2026', keywords: ['sleep', 'memory'] } })
})

t.test('records contain no NUL or lone surrogate', async t => {
  const [line] = await readRecords('json-lines', '{"title":"a\\u0000b\\ud800","authors":["X\\u0000"]}')
  t.match(line, { title: 'ab\ufffd', authors: [{ name: 'X' }] })
  const [item] = await readRecords('csl-json', '[{"title":"a\\u0000b","author":[{"family":"X\\u0001"}]}]')
  t.match(item, { title: 'ab', authors: [{ name: 'X' }] })
})

t.test('Unicode line separators are whitespace and end no record', async t => {
  const written: Readonly<Record<string, (separator: string) => string>> = {
    ris: s => `TY  - JOUR\nTI  - A${s}title\nAU  - Doe, J${s}K\nAB  - Some${s}text\nKW  - key${s}word\nER  - \n`,
    nbib: s => `PMID- 1\nTI  - A${s}title.\nFAU - Doe, J${s}K\nAB  - Some${s}text\nOT  - key${s}word\n`,
    bibtex: s => `@article{a, title = {A${s}title}, author = {Doe, J${s}K}, abstract = {Some${s}text}, keywords = {key${s}word}}`,
    'csl-json': s =>
      JSON.stringify([
        { title: `A${s}title`, author: [{ given: `J${s}K`, family: 'Doe' }], abstract: `Some${s}text`, keyword: `key${s}word` }
      ]),
    csv: s => `Title,Authors,Abstract,Keywords\n"A${s}title","Doe, J${s}K","Some${s}text","key${s}word"\n`,
    'web-of-science': s => `FN Clarivate\nPT J\nTI A${s}title\nAU Doe, J${s}K\nAB Some${s}text\nDE key${s}word\nER\n`,
    cochrane: s => `Record #1 of 1\nID: CN-1\nAU: Doe, J${s}K\nTI: A${s}title\nKY: key${s}word\nAB: Some${s}text\n`,
    'endnote-xml': s =>
      `<xml><records><record><ref-type name="Journal Article">17</ref-type><contributors><authors><author><style>Doe, J${s}K</style></author></authors></contributors>
      <titles><title>A${s}title</title></titles><keywords><keyword>key${s}word</keyword></keywords><abstract>Some${s}text</abstract></record></records></xml>`,
    'json-lines': s => JSON.stringify({ title: `A${s}title`, authors: [`J${s}K Doe`], abstract: `Some${s}text` }),
    'pubmed-xml':
      s => `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>A${s}title.</ArticleTitle><Abstract><AbstractText>Some${s}text</AbstractText></Abstract>
      <AuthorList><Author><LastName>Doe</LastName><ForeName>J${s}K</ForeName></Author></AuthorList></Article><KeywordList><Keyword>key${s}word</Keyword></KeywordList></MedlineCitation></PubmedArticle></PubmedArticleSet>`,
    'arxiv-atom': s =>
      `<feed><entry><id>http://arxiv.org/abs/2613.00001v1</id><title>A${s}title</title><summary>Some${s}text</summary><author><name>J${s}K Doe</name></author></entry></feed>`
  }
  t.strictSame(Object.keys(written).sort(), [...formatNames].sort())
  for (const [name, write] of Object.entries(written)) {
    for (const separator of ['\u2028', '\u2029', '\u0085', '\v', '\f', '\u001c', '\u001e']) {
      const label = `${name}: U+${separator.charCodeAt(0).toString(16)}`
      const [record, ...others] = await readRecords(name, write(separator))
      t.strictSame(others, [])
      t.match(record, { title: 'A title', authors: [{ name: 'J K Doe' }], abstract: /^Some\s+text$/ }, label)
      t.match(record?.metadata.keywords ?? ['key word'], ['key word'], label)
      // Sources send the same formats without a file's decoding.
      if (/xml|atom/.test(name)) {
        t.match(
          await collect(findFormat(name)!.read(Readable.from([write(separator)]))),
          [{ record: { title: 'A title' } }],
          `${label}, from a source`
        )
      }
    }
  }
})

t.test('a rejected record says on which line it begins, and what it states', async t => {
  const found = { line: 5, stated: 'Ana Böhm, 2026, 10.5555/a', reason: /title is missing/ }
  for (const [name, content, expected] of [
    ['ris', 'TY  - JOUR\nTI  - One\nER  - \n\nTY  - JOUR\nAU  - Böhm, Ana\nPY  - 2026\nDO  - 10.5555/a\nER  - \n', found],
    ['nbib', 'PMID- 1\nTI  - One\n\n\nPMID- 2\nFAU - Böhm, Ana\nDP  - 2026\nLID - 10.5555/a [doi]\n', found],
    ['web-of-science', 'FN Clarivate\nPT J\nTI One\nER\nPT J\nAU Böhm, Ana\nPY 2026\nDI 10.5555/a\nER\n', found],
    ['cochrane', 'Record #1 of 2\nTI: One\n\nRecord #2 of 2\nID: CN-2\nAU: Böhm, Ana\nYR: 2026\nDOI: 10.5555/a\n', found],
    ['csv', 'Title,Authors,Year,DOI\n"One","A\n\nB",,\n,"Böhm, Ana",2026,10.5555/a\n', found],
    ['bibtex', '@article{one,\n title = {One}\n}\n\n@article{two,\n author = {Böhm, Ana}, year = 2026, doi = {10.5555/a}\n}\n', found],
    ['csl-json', '[\n{"title":\n"One"},\n\n{"author":[{"given":"Ana","family":"Böhm"}],"issued":"2026","DOI":"10.5555/a"}]', found],
    ['json-lines', '{"title":"One"}\n\n\n\n{"authors":["Ana Böhm"]}\n', { line: 5 }],
    ['pubmed-xml', '<PubmedArticleSet>\n<PubmedArticle><MedlineCitation><Article><ArticleTitle>One</ArticleTitle></Article>\n' +
      '</MedlineCitation></PubmedArticle>\n\n<PubmedArticle></PubmedArticle></PubmedArticleSet>', { line: 5 }],
    ['endnote-xml', '<xml><records>\n<record><titles><title>One</title></titles></record>\n\n\n' +
      '<record><dates><year>2026</year></dates></record></records></xml>', { line: 5, stated: '2026' }],
    ['arxiv-atom', '<feed>\n<entry><id>http://arxiv.org/abs/2613.00001v1</id><title>One</title></entry>\n\n\n<entry></entry></feed>', { line: 5 }]
  ] as const) {
    for (const size of [1, 64 * 1024]) t.match(await readAll(name, content, size), [{ record: { title: 'One' } }, expected], name)
  }
})

t.test('an invalid byte does not change the detected encoding', async t => {
  const content = Buffer.concat([Buffer.from('TY  - JOUR\nTI  - Größe '), Buffer.from([0xff]), Buffer.from(' Größe\nER  - \n')])
  for (const size of [1, 5, 1000]) {
    t.match(await readAll('ris', content, size), [{ record: { title: 'Größe \ufffd Größe' } }], `in pieces of ${size}`)
  }
})

t.test('ignores an impossible XML encoding declaration', async t => {
  const [record] = await readRecords(
    'pubmed-xml',
    '<?xml version="1.0" encoding="UTF-16"?><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>' +
    '<ArticleTitle>Größe</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>'
  )
  t.equal(record!.title, 'Größe')
})

t.test('arXiv Atom: a suffix stays with its name, and other sites are not arXiv', async t => {
  const readings = await readAll('arxiv-atom', `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <entry><id>http://arxiv.org/abs/2613.00030v1</id><title>T</title><author><name>Ana Böhm, Jr.</name></author></entry>
    <entry><id>oai:arXiv.org:2613.00031v2</id><title>Daily</title><summary>arXiv:2613.00031v2 Announce Type: new
Abstract: What it says.</summary><dc:creator>Ana Böhm, Jr., José García</dc:creator></entry>
    <entry><id>urn:uuid:5f0c</id><title>Of another site that names arxiv.org</title></entry></feed>`)
  t.match(readings, [
    { record: { authors: [{ name: 'Ana Böhm, Jr.' }] } },
    {
      record: {
        external_ids: { arxiv: '2613.00031' },
        abstract: 'What it says.',
        authors: [{ name: 'Ana Böhm, Jr.' }, { name: 'José García' }]
      }
    },
    { place: 3, reason: 'the entry has no arXiv id' }
  ])
})

t.test('parses lines of any length in linear time', async t => {
  async function * endless () { for (let time = 0; time < 1000; time++) yield 'x '.repeat(32 * 1024) }
  t.match(await collect(findFormat('json-lines')!.read(endless())), [{ place: 1, reason: /longer than 8 MB/ }])
})

t.test('handles all line ends across chunks', async t => {
  for (const end of ['\n', '\r\n', '\r']) {
    for (const size of [1, 2, 3, 1000]) {
      t.match(
        await readAll('ris', ['TY  - JOUR', 'TI  - One', 'goes on', 'ER  - ', ''].join(end), size),
        [{ record: { title: 'One goes on' } }],
        `${JSON.stringify(end)} in pieces of ${size}`
      )
    }
  }
})

t.test('small files with long runs of spaces take no time, since they are read without a thread', async t => {
  const gap = ' '.repeat(15_000)
  const files = [
    ['ris', `TY  - JOUR\nTI  - x\nAU  - Lovelace${gap}x\nUR  - x;${gap}x\nER  - \n`],
    ['bibtex', `@article{a, title = {x}, author = {Ada${gap}Lovelace}, pages = {1${gap}2}, url = {x${gap}x}}`],
    ['csl-json', JSON.stringify([{ title: 'x', author: [{ literal: `Ada${gap}x` }], keyword: `sleep${gap}x` }])]
  ] as const
  for (const [format, content] of files) {
    await readRecords(format, content.replaceAll(gap, ' '))
    await takesLess(t, 200, async () => { await readRecords(format, content) }, format)
  }
})

t.test('identifiers in notes count only where a line states one', async t => {
  const noted = async (note: string) => (await readRecords('bibtex', `@article{a, title = {T}, note = {${note}}}`))[0]!.external_ids
  t.strictSame(await noted('PMID: 28087671'), { pmid: '28087671' })
  t.strictSame(await noted('PMID: 28087671\nPMCID: PMC5239793'), { pmid: '28087671', pmcid: 'PMC5239793' })
  t.strictSame(await noted('Copyright - ProQuest; PCID: 112175342; PMID: 66569; 2010-01-01'), {}, 'a number of another index')
  const inCsl = async (note: string) => (await readRecords('csl-json', JSON.stringify([{ title: 'T', note }])))[0]!.external_ids
  t.strictSame(await inCsl('Erratum in: J Test. 2020;1:2. PMID: 28087671. See PMC5239793'), {})
  t.strictSame(await inCsl('PMID: 28087671\nPMCID: PMC5239793'), { pmid: '28087671', pmcid: 'PMC5239793' })
})

t.test('all ISSNs of a field are read', async t => {
  const [bibtex] = await readRecords('bibtex', '@article{a, title = {T}, issn = {0360-9170,19432402}}')
  t.match(bibtex!.metadata, { issn: '0360-9170', issns: ['0360-9170', '1943-2402'] })
  const [csl] = await readRecords('csl-json', '[{"title": "T", "ISSN": "0028-0836, 1476-4687"}]')
  t.match(csl!.metadata, { issn: '0028-0836', issns: ['0028-0836', '1476-4687'] })
  const ris = async (sn: string) => (await readRecords('ris', `TY  - JOUR\nTI  - T\nSN  - ${sn}\nER  - \n`))[0]!.metadata
  t.match(await ris('0007-1250 (Print) 1472-1465 (Linking)'), { issn: '0007-1250', issns: ['0007-1250', '1472-1465'] })
  t.strictSame((await ris('978-3-16-148410-0')).issn, undefined, 'an ISBN')
})

t.test('names that only commas separate are several authors', async t => {
  const namesOf = async (author: string) =>
    (await readRecords('bibtex', `@article{a, title = {T}, author = {${author}}}`))[0]!.authors.map(({ name }) => name)
  t.strictSame(await namesOf('Smith, J., Jones, K. L., Brown, M.'), ['J. Smith', 'K. L. Jones', 'M. Brown'])
  t.strictSame(await namesOf('Smith, J. and Jones, K. L.'), ['J. Smith', 'K. L. Jones'])
})

t.test('exponents stay above their number, and texts that are escaped twice are read', t => {
  t.equal(plainText('10<jats:sup>6</jats:sup> cells and 10<sup>−16</sup> M of Ca<sup>2+</sup>'), '10⁶ cells and 10⁻¹⁶ M of Ca2+')
  t.equal(plainText('<jats:p>Background &amp;amp; Objectives</jats:p>'), 'Background & Objectives')
  t.equal(plainParagraphs('<jats:p>&lt;p&gt;One.&lt;/p&gt;&lt;p&gt;Two &amp;lt;3.&lt;/p&gt;</jats:p>'), 'One.\n\nTwo <3.')
  t.equal(plainText('R&D of AT&T &lt;2'), 'R&D of AT&T <2')
  t.equal(plainText('See ?id=1&region=chr1&amp;section=2&copy'), 'See ?id=1&region=chr1&section=2&copy', 'references end with a semicolon')
  t.end()
})

t.test('the DOI in addresses of Silverchair ends before the number of the article', t => {
  for (const [address, doi] of [
    ['https://academic.oup.com/nar/advance-article/doi/10.1093/nar/gkae237/7642068', '10.1093/nar/gkae237'],
    ['https://pubs.acs.org/aelccp/article/doi/10.1021/acsenergylett.6c02060/5432975/Pressure-Driven-Performance', '10.1021/acsenergylett.6c02060'],
    ['https://academic.oup.com/nar/article-lookup/doi/10.1093/nar/gkae237', '10.1093/nar/gkae237'],
    ['https://doi.org/10.1000/123/45678', '10.1000/123/45678']
  ] as const) t.equal(doiIn(address), doi)
  t.end()
})

t.test('notes, names and exponents of any kind are read in linear time', async t => {
  const blank = '\n'.repeat(200_000)
  await takesLess(t, 500, () => idsInNote(`${blank}PMID${blank}`))
  const names = `Smith, J.${' '.repeat(100_000)}, Jones, K., Brown, M., and`
  await takesLess(t, 5000, async () => { await readRecords('bibtex', `@article{a, title = {T}, author = {${names}}}`) })
  const exponents = '<AbstractText>' + '1<sup>2</sup>'.repeat(50_000) + '</AbstractText>'
  const article = `<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>T</ArticleTitle><Abstract>${exponents}</Abstract></Article>
    </MedlineCitation></PubmedArticle>`
  await takesLess(t, 5000, async () => { await readRecords('pubmed-xml', `<PubmedArticleSet>${article}</PubmedArticleSet>`) })
})

t.test('identifiers in JSON lines may be addresses, and invalid ones are dropped', async t => {
  const idsOf = async (external_ids: object) =>
    (await readRecords('json-lines', JSON.stringify({ title: 'T', external_ids })))[0]!.external_ids
  t.strictSame(
    await idsOf({
      openalex: 'https://openalex.org/W123',
      pmid: 'https://pubmed.ncbi.nlm.nih.gov/5/',
      pmcid: 'https://pmc.ncbi.nlm.nih.gov/articles/PMC7/',
      arxiv: 'https://arxiv.org/abs/2613.00014v2'
    }),
    { arxiv: '2613.00014', pmid: '5', pmcid: 'PMC7', openalex: 'W123' }
  )
  t.strictSame(await idsOf({ pmid: 5, pmcid: 7, openalex: 'w123' }), { pmid: '5', pmcid: 'PMC7', openalex: 'W123' })
  t.strictSame(await idsOf({ pmid: 'none', pmcid: 'https://example.org/7', openalex: 'A123', arxiv: 'no id' }), {})
})
