import t from 'tap'
import { recordFormatOf } from '../../../src/sources/formats/index.js'
import { readAll, readRecords } from '../../support/readings.js'

t.test('PubMed XML', async t => {
  const article = (inner: string, data = '') =>
    `<?xml version="1.0"?><!DOCTYPE PubmedArticleSet SYSTEM "x.dtd" [<!ENTITY bomb "boom">]><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">990000100</PMID>${inner}</MedlineCitation><PubmedData>${data}</PubmedData></PubmedArticle></PubmedArticleSet>`

  t.test('parses title, authors, abstract, ids and date', async t => {
    const [record] = await readRecords('pubmed-xml', article(`
      <Article><Journal><Title>A Journal</Title><JournalIssue><Volume>3</Volume><PubDate><Year>2026</Year><Month>Feb</Month></PubDate></JournalIssue></Journal>
        <ArticleTitle>Effects of CO<sub>2</sub> on <i>Rattus</i> &amp; others.</ArticleTitle>
        <ELocationID EIdType="doi" ValidYN="N">10.5555/wrong</ELocationID><ELocationID EIdType="doi" ValidYN="Y">10.5555/Right</ELocationID>
        <Abstract><AbstractText Label="AIM">One.</AbstractText><AbstractText Label="RESULT">p &lt; 0.05.</AbstractText></Abstract>
        <AuthorList><Author><LastName>Böhm</LastName><ForeName>Ana B</ForeName></Author><Author><CollectiveName>The Group</CollectiveName></Author></AuthorList>
        <ArticleDate><Year>2025</Year><Month>12</Month><Day>24</Day></ArticleDate></Article>`,
        `<ArticleIdList><ArticleId IdType="pmc">PMC990001</ArticleId></ArticleIdList>
       <ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.5555/of-a-reference</ArticleId></ArticleIdList></Reference></ReferenceList>`
    )
    )
    t.strictSame(record, {
      title: 'Effects of CO2 on Rattus & others',
      abstract: 'AIM: One.\n\nRESULT: p < 0.05.',
      authors: [{ name: 'Ana B Böhm' }, { name: 'The Group' }],
      url: 'https://pubmed.ncbi.nlm.nih.gov/990000100/',
      pdf_url: null,
      doi: '10.5555/right',
      external_ids: { pmid: '990000100', pmcid: 'PMC990001' },
      source: { name: 'pubmed' },
      source_paper_id: '990000100',
      published_date: '2026-02-01',
      venue_name: 'A Journal',
      metadata: { published: '2026 Feb', volume: '3' },
      citations: { references: ['10.5555/of-a-reference'], cited_by: null }
    })
  })

  for (const [stated, date] of [
    ['<Year>2026</Year><Month>03</Month><Day>05</Day>', '2026-03-05'],
    ['<Year>2026</Year><Season>Spring</Season>', '2026-04-01'],
    ['<MedlineDate>1998 Dec-1999 Jan</MedlineDate>', '1998-12-01'],
    ['<Year>2026</Year><Month>Feb</Month><Day>31</Day>', '2026-02-01'],
    ['<MedlineDate>undated</MedlineDate>', null]
  ] as const) {
    t.test(`parses the date ${stated}`, async t => {
      const [record] = await readRecords(
        'pubmed-xml',
        article(
          `<Article><ArticleTitle>T</ArticleTitle><Journal><JournalIssue><PubDate>${stated}</PubDate></JournalIssue></Journal></Article>`
        )
      )
      t.equal(record!.published_date, date)
    })
  }

  t.test('reports errors and continues if possible', async t => {
    t.match(await readAll('pubmed-xml', article('<Article><ArticleTitle></ArticleTitle></Article>')), [
      { place: 1, reason: 'title is missing' }
    ])
    t.match(await readAll('pubmed-xml', '<eSearchResult><Count>1</Count></eSearchResult>'), [
      { reason: /the file contains <eSearchResult> instead of articles/ }
    ])
    t.match(await readAll('pubmed-xml', article('<Article><ArticleTitle>T</Article>')), [{ reason: /the XML is broken: .* \(line 1\)/ }])
    t.match(await readAll('pubmed-xml', '<a>'.repeat(500)), [{ reason: /nested deeper than 100/ }])
  })

  t.test('says that an article was retracted, by its type or by the notice that it names', async t => {
    const retracted = async (inner: string, links = '') =>
      (await readRecords('pubmed-xml', article(`<Article><ArticleTitle>T</ArticleTitle>${inner}</Article>${links}`)))[0]!.metadata.retracted
    const links = (type: string) =>
      `<CommentsCorrectionsList><CommentsCorrections RefType="${type}"><RefSource>J</RefSource></CommentsCorrections></CommentsCorrectionsList>`
    const types = (type: string) => `<PublicationTypeList><PublicationType>${type}</PublicationType></PublicationTypeList>`
    t.equal(await retracted(types('Retracted Publication')), true)
    t.equal(await retracted(types('Retraction of Publication')), undefined, 'the notice itself')
    t.equal(await retracted('', links('RetractionIn')), true)
    t.equal(await retracted('', links('RetractedandRepublishedIn')), true)
    t.equal(await retracted('', links('ErratumIn')), undefined)
  })

  t.test('expands no DTD entities', async t => {
    const [record] = await readRecords('pubmed-xml', article('<Article><ArticleTitle>A &bomb; B &eacute;</ArticleTitle></Article>'))
    t.equal(record!.title, 'A &bomb; B é')
  })
})

t.test('nbib: values go on in indented lines, and a full author replaces its short form', async t => {
  const [first, second] = await readRecords('nbib', `
PMID- 990000200
OWN - NLM
DP  - 2026 Oct 7
TI  - A title that goes
      on in the next line.
LID - S0000-0000(26)1 [pii]
LID - 10.5555/nbib.1 [doi]
AB  - First.
      Second.
FAU - Böhm, Ana B
AU  - Böhm AB
FAU - García Luján, José
AU  - García Luján J
AU  - et al.
CN  - The Group
JT  - A journal
PMC - PMC990002

OWN - ERIC
TI  - Another. With a stop.
AU  - Hulse, Taylor
DP  - Apr 2019
OID - EJ1
LID - http://eric.example.org/?id=EJ1
`
  )
  t.match(first, {
    title: 'A title that goes on in the next line',
    abstract: 'First. Second.',
    doi: '10.5555/nbib.1',
    published_date: '2026-10-07',
    source: { name: 'pubmed' },
    external_ids: { pmid: '990000200', pmcid: 'PMC990002' },
    pdf_url: null
  })
  t.strictSame(first!.authors, [{ name: 'Ana B Böhm' }, { name: 'José García Luján' }, { name: 'The Group' }])
  t.match(second, {
    title: 'Another. With a stop.',
    authors: [{ name: 'Taylor Hulse' }],
    published_date: '2019-04-01',
    source: { name: 'nbib' },
    source_paper_id: 'EJ1',
    url: 'http://eric.example.org/?id=EJ1'
  })
})

t.test('arXiv Atom: an entry is a preprint with its version, and an entry of an error is none', async t => {
  const feed = (entries: string) =>
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"><id>http://arxiv.org/api/x</id>${entries}</feed>`
  const [record, old, error] = await readAll(
    'arxiv-atom',
    feed(`
    <entry><id>http://arxiv.org/abs/2613.00012v3</id><published>2026-01-02T10:00:00Z</published><title>Folded
      title</title><summary> An $x$. </summary><author><name>Ana Böhm</name></author><arxiv:doi>10.5555/J.1</arxiv:doi>
      <link href="http://arxiv.org/pdf/2613.00012v3" rel="related" type="application/pdf" title="pdf"/></entry>
    <entry><id>http://arxiv.org/abs/q-bio.NC/0601001v1</id><title>Old</title></entry>
    <entry><id>http://arxiv.org/api/errors#x</id><title>Error</title><summary>start must be an integer</summary></entry>`)
  )
  t.match(record, {
    record: {
      title: 'Folded title',
      abstract: 'An $x$.',
      external_ids: { arxiv: '2613.00012' },
      source_paper_id: '2613.00012',
      url: 'https://arxiv.org/abs/2613.00012',
      pdf_url: 'https://arxiv.org/pdf/2613.00012v3',
      doi: '10.5555/j.1',
      published_date: '2026-01-02',
      metadata: { version: 3 }
    }
  })
  t.match(old, { record: { external_ids: { arxiv: /0601001$/ } } })
  t.match(error, { place: 3, reason: 'arXiv returned an error instead of the record' }, 'without the words of the source')
  t.strictSame(await readAll('arxiv-atom', feed('')), [])
})

t.test('RIS: each tag fills its field, and addresses of other schemes are left out', async t => {
  const [first, second, third] = await readRecords('ris', `TY  - JOUR
T1  - A title
goes on
A1  - Böhm,Ana B.
AU  - García Luján, José
A2  - An Editor
PY  - 2026
DA  - 2026/03/05/
N2  - An abstract.
JO  - A journal
UR  - javascript:alert(1)
UR  - https://doi.org/10.5555/RIS.1
L1  - https://example.org/a.pdf
L1  - file:///etc/passwd
ER  -
TY  - JOUR
TI  - From PubMed
DB  - PubMed
AN  - 990000300
C2  - PMC990003
Y1  - 1996///
ER  -
TY  - BOOK
BT  - A book
`
  )
  t.match(first, {
    title: 'A title goes on',
    authors: [{ name: 'Ana B. Böhm' }, { name: 'José García Luján' }],
    published_date: '2026-03-05',
    abstract: 'An abstract.',
    doi: '10.5555/ris.1',
    url: 'https://doi.org/10.5555/RIS.1',
    pdf_url: 'https://example.org/a.pdf'
  })
  t.match(second, { external_ids: { pmid: '990000300', pmcid: 'PMC990003' }, published_date: '1996-01-01' })
  t.match(third, { title: 'A book' })
})

t.test('RIS: the most trusted date is used, completed by dates that agree with it', async t => {
  for (const [lines, date, published] of [
    [['Y1  - 1900', 'DA  - 1950'], '1950-01-01', '1950'],
    [['PY  - 2014', 'DA  - Nov 24'], '2014-11-24', '2014 Nov 24'],
    [['PY  - 2014', 'DA  - 2019/05/06/'], '2014-01-01', '2014'],
    [['Y1  - 2014/05/06/', 'PY  - 2014'], '2014-05-06', '2014/05/06/'],
    [['PY  - 2014/05//', 'DA  - 2014/07/02/'], '2014-05-01', '2014/05//'],
    [['PY  - in press', 'DA  - 2014/07/02/'], '2014-07-02', '2014/07/02/'],
    [['DA  - Nov 24'], null, 'Nov 24']
  ] as const) {
    const [record] = await readRecords('ris', ['TY  - JOUR', 'TI  - A title', ...lines, 'ER  - ', ''].join('\n'))
    t.match(record, { published_date: date, metadata: { published } }, lines.join(', '))
  }
})

t.test('BibTeX: macros, commands and names are read, and a broken entry ends only itself', async t => {
  const readings = await readAll('bibtex', `This is a comment.
@string{jn = "A journal"}
@comment{ignored}
@article{böhm_2026_????, title = {On {DNA}$_{2}$ \\& {\\"O}nnu{\\dh}}, author = {B{\\"o}hm, Ana and {The Group} and van der Meulen, Jan}, journal = jn, year = 2026, month = mar, doi = {https://doi.org/10.5555/Bib.1}, note = {PMID: 990000400}, url = {https://example.org/a.pdf}}
@misc(paren, title = "In parentheses", eprint = {2613.00013v2}, archiveprefix = {arXiv}, date = {2026-02})
@book{untitled, year = 2026}
@article{broken, title = {Never closed
@article{after, title = {After it}}
@article{last, title = {Cut`)
  t.match(readings, [
    {
      place: 1,
      record: {
        title: 'On DNA₂ & Önnuð',
        authors: [{ name: 'Ana Böhm' }, { name: 'The Group' }, { name: 'Jan van der Meulen' }],
        venue_name: 'A journal',
        published_date: '2026-03-01',
        doi: '10.5555/bib.1',
        external_ids: { pmid: '990000400' },
        pdf_url: 'https://example.org/a.pdf',
        metadata: { citation_key: 'böhm_2026_????' }
      }
    },
    { place: 2, record: { title: 'In parentheses', external_ids: { arxiv: '2613.00013' }, published_date: '2026-02-01' } },
    { place: 3, reason: 'untitled: title is missing' },
    { place: 4, reason: /^broken: .*unclosed braces/ },
    { place: 5, record: { title: 'After it' } },
    { place: 6, reason: /unclosed braces/ }
  ])
})

t.test('BibTeX: converts character commands and drops style commands', async t => {
  const [record] = await readRecords(
    'bibtex',
    '@article{k, title = {\\guillemetleft A\\guillemetright\\ \\textendash\\ 5\\textpermil{} of \\textsf{sans} in \\texttt{code}, ' +
    '\\textquotedblleft Stra{\\ss}e\\textquotedblright, {\\O}re, \\textasciitilde1}, author = {D\\textquotesingle Aspremont, Alexandre}}'
  )
  t.match(record, { title: '«A» – 5‰ of sans in code, “Straße”, Øre, ~1', authors: [{ name: "Alexandre D'Aspremont" }] })
})

t.test('BibTeX: reads accents on a dotless i and unknown macros', async t => {
  const [record] = await readRecords('bibtex', "@article{k, title = {Roc{\\'\\i}o and $\\ln N$}, author = {Garc{\\'\\i}a, Roc\\'{\\i}o}}")
  t.match(record, { title: 'Rocío and ln N', authors: [{ name: 'Rocío García' }] })
})

t.test('BibTeX: reads the day that the Web of Science states with the month', async t => {
  for (const [fields, date, published] of [
    ['Year = {{2020}}, Month = {{JAN 15}}', '2020-01-15', /^2020 jan 15$/i],
    ['year = 2020, month = may, day = 3', '2020-05-03', /2020/],
    ['year = 2020, month = 5, day = 3', '2020-05-03', /^2020-5-3$/],
    ['year = {2019/2020}, month = 5', '2019-05-01', /2019/],
    ['date = {2019-05}', '2019-05-01', /^2019-05$/]
  ] as const) t.match(await readRecords('bibtex', `@article{a, title = {T}, ${fields}}`), [{ published_date: date, metadata: { published } }])
})

t.test('CSL-JSON: names and dates have several forms, and invalid items have their place', async t => {
  const items = [
    {
      id: 'a',
      title: 'One <i>of</i> them',
      author: [{ family: 'Meulen', given: 'Jan', 'non-dropping-particle': 'van der' }, { literal: 'The Group' }],
      issued: { 'date-parts': [['2026', '3']] },
      DOI: '10.5555/CSL.1',
      PMID: 990000500,
      'container-title': 'A journal'
    },
    { title: '' },
    7,
    { title: 'Raw date', issued: { raw: '5 April 2026' } }
  ]
  const expected = [
    {
      place: 1,
      record: {
        title: 'One of them',
        authors: [{ name: 'Jan van der Meulen' }, { name: 'The Group' }],
        published_date: '2026-03-01',
        doi: '10.5555/csl.1',
        external_ids: { pmid: '990000500' },
        venue_name: 'A journal'
      }
    },
    { place: 2, reason: 'title is missing' },
    { place: 3, reason: 'a record must be an object' },
    { place: 4, record: { title: 'Raw date', published_date: '2026-04-05' } }
  ]
  t.match(await readAll('csl-json', JSON.stringify(items)), expected)
  t.match(await readAll('csl-json', JSON.stringify({ items }, null, 2)), expected)
  t.match(await readAll('csl-json', '[{"title":"One"},{"title":'), [{ record: { title: 'One' } }, { place: 2, reason: /incomplete/ }])
  t.match(await readAll('csl-json', '[{"title":"One"},{"title":wrong},{"title":"After it"}]'), [
    { record: { title: 'One' } },
    { place: 2, reason: 'the record is not valid JSON' },
    { place: 3, record: { title: 'After it' } }
  ])
})

t.test('JSON lines: a line is a record of the API, and an invalid one has its place and reason', async t => {
  const readings = await readAll(
    'json-lines',
    [
      '{"title":"Only a title"}',
      '{"id":"ignored","short_id":"x","title":"All","authors":["Ana Böhm",{"name":"José"}],"doi":"doi:10.5555/JL.1",' +
      '"external_ids":{"arxiv":"2613.00014v2","pmid":"990000600"},"published_date":"2026-02-28","source":{"name":"pubmed"},' +
      '"url":"javascript:x","metadata":{"a":1},"extra":true,"reference_label":"PMID 990000600","markdown_ready":false}',
      '',
      'not json',
      '[]',
      '{"abstract":"x"}',
      '{"title":7}',
      '{"title":"x","published_date":"2026-02-30"}',
      '{"title":"x","authors":"Ana"}',
      '{"title":"x","doi":7}',
      '{"title":"Of a year","published_date":"2026"}',
      '{"title":"Of a month","published_date":"2026-11"}'
    ].join('\n')
  )
  t.match(readings, [
    { place: 1, record: { title: 'Only a title', authors: [], doi: null, source: { name: 'json-lines' } } },
    {
      place: 2,
      record: {
        authors: [{ name: 'Ana Böhm' }, { name: 'José' }],
        doi: '10.5555/jl.1',
        external_ids: { arxiv: '2613.00014', pmid: '990000600' },
        source: { name: 'pubmed' },
        url: null,
        metadata: { a: 1, extra: true },
        reference_label: 'PMID 990000600'
      }
    },
    { place: 3, reason: 'the line is not valid JSON' },
    { place: 4, reason: 'the line is not a JSON object' },
    { place: 5, reason: 'title is missing' },
    { place: 6, reason: 'title must be a text' },
    { place: 7, reason: /^published_date must be a date/ },
    { place: 8, reason: /^authors must be a list/ },
    { place: 9, reason: 'doi must be text or null' },
    { place: 10, record: { title: 'Of a year', published_date: '2026-01-01' } },
    { place: 11, record: { title: 'Of a month', published_date: '2026-11-01', metadata: { published: '2026-11' } } }
  ])
})

t.test('nbib: says that an article was retracted, by its type or by the notice that it names', async t => {
  const record = async (lines: string) => (await readRecords('nbib', `PMID- 990000201\nTI  - T\n${lines}\n`))[0]!.metadata.retracted
  t.equal(await record('PT  - Retracted Publication'), true)
  t.equal(await record('RIN - J Test. 2026;1:2. PMID: 990000202'), true)
  t.equal(await record('RRI - J Test. 2026;1:2. PMID: 990000202'), true)
  t.equal(await record('ROF - J Test. 2020;1:2. PMID: 990000203'), undefined, 'the notice itself')
})

t.test('RIS: paragraphs of an abstract are joined, and several people in one field are no single name', async t => {
  const [record] = await readRecords('ris', ['TY  - JOUR', 'TI  - T', 'AU  - Smith, J., Doe, K., Miller, L.', 'AB  - One.', 'AB  - Two.',
    'ER  - ', ''].join('\n'))
  t.match(record, { abstract: 'One.\n\nTwo.', authors: [{ name: 'Smith, J., Doe, K., Miller, L.' }] })
})

t.test('RIS: reads the tags of Refer in files of EndNote', async t => {
  const file = `%0 Journal Article
%T A title
that goes on
%A Böhm, Ana B.
%A García Luján, José
%E Editor, Else
%J A journal
%V 7
%N 2
%P 132-42
%D 2026
%8 March 5
%@ 1234-5678
%R 10.5555/ENW.1
%U https://example.org/a
%K sleep
memory
%X An abstract.

%0 Book
%T A book
%9 Monograph
`
  t.ok(recordFormatOf(file)?.name === 'ris')
  const [first, second, ...others] = await readRecords('ris', file)
  t.strictSame(others, [])
  t.match(first, {
    title: 'A title that goes on',
    authors: [{ name: 'Ana B. Böhm' }, { name: 'José García Luján' }],
    published_date: '2026-03-05',
    venue_name: 'A journal',
    doi: '10.5555/enw.1',
    url: 'https://example.org/a',
    abstract: 'An abstract.',
    metadata: { type: 'JOUR', volume: '7', issue: '2', pages: '132-42', issn_or_isbn: '1234-5678', keywords: ['sleep', 'memory'] }
  })
  t.match(second, { title: 'A book', metadata: { type: 'BOOK' } })
  const [ris] = await readRecords('ris', 'TY  - JOUR\nTI  - T\nAB  - Of these,\n%T were in time.\nER  - \n')
  t.match(ris, { title: 'T', abstract: 'Of these, %T were in time.' }, 'only in files that begin with it')
})

t.test('files state the ids of authors', async t => {
  const orcid = '0000-0002-1825-0097'
  const expected = [{ name: 'Ana Böhm', orcid }, { name: 'José García' }]
  t.strictSame((await readRecords('csl-json', JSON.stringify([{
    title: 'T', author: [{ given: 'Ana', family: 'Böhm', ORCID: `https://orcid.org/${orcid}` }, { given: 'José', family: 'García', ORCID: 'x' }]
  }])))[0]!.authors, expected)
  t.strictSame((await readRecords('nbib', `PMID- 1
TI  - T.
FAU - Böhm, Ana
AU  - Böhm A
AUID- ISNI: 0000000121032683
AUID- ORCID: ${orcid}
FAU - García, José
AU  - García J
`))[0]!.authors, expected)
  const stated = [{ name: 'Ana Böhm', orcid, openalex: 'A1', affiliations: ['05gq02987', 'I1'] }, { name: 'José García' }]
  t.strictSame((await readRecords('json-lines', JSON.stringify({ title: 'T', authors: stated })))[0]!.authors, stated)
  t.strictSame((await readRecords('json-lines', JSON.stringify({
    title: 'T',
    authors: [
      { name: 'Ana Böhm', orcid: `https://orcid.org/${orcid}`, openalex: null, affiliations: ['MIT', 'I1', 7] },
      { name: 'José García', orcid: null, affiliations: null }
    ]
  })))[0]!.authors, [{ name: 'Ana Böhm', orcid, affiliations: ['I1'] }, { name: 'José García' }], 'invalid ids invalidate nothing else')
})

t.test('JSON lines: null and empty texts are unknown values', async t => {
  const [record] = await readRecords('json-lines', JSON.stringify({
    title: 'T', abstract: '', published_date: '', external_ids: { pmid: '', arxiv: null, openalex: 'W1' }, source: { name: '' }, doi: ''
  }))
  t.match(record, { abstract: null, published_date: null, external_ids: { openalex: 'W1' }, source: { name: 'json-lines' }, doi: null })
  t.notOk('pmid' in record!.external_ids)
  t.match((await readRecords('json-lines', '{"title":"T","external_ids":{"pmid":990000600}}'))[0], { external_ids: { pmid: '990000600' } })
})

t.test('a JSON array of records of the API loses no field', async t => {
  const records = [{ title: 'One', authors: [{ name: 'Ana Böhm' }], doi: '10.5555/one', published_date: '2026-11-20' }, { title: 'Two' }]
  t.match(await readRecords('csl-json', JSON.stringify(records, null, 2)), [
    { title: 'One', authors: [{ name: 'Ana Böhm' }], doi: '10.5555/one', published_date: '2026-11-20' }, { title: 'Two' }
  ])
})

t.test('nbib: reads ISSNs without their kind', async t => {
  const [record] = await readRecords('nbib', 'PMID- 1\nTI  - T.\nIS  - 1476-4687 (Electronic)\nIS  - 0028-0836 (Linking)\n')
  t.match(record, { metadata: { issn: '1476-4687', issn_l: '0028-0836' } })
})

t.test('PubMed: an exact date of the article narrows a month or year of the issue, and no other', async t => {
  const dateOf = async (pubDate: string, articleDate: string) => {
    const [record] = await readRecords('pubmed-xml', `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><Journal>
      <JournalIssue><PubDate>${pubDate}</PubDate></JournalIssue></Journal><ArticleTitle>T.</ArticleTitle>
      <ArticleDate>${articleDate}</ArticleDate></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>`)
    return record!.published_date
  }
  const on18th = '<Year>2026</Year><Month>11</Month><Day>18</Day>'
  t.equal(await dateOf('<Year>2026</Year>', on18th), '2026-11-18')
  t.equal(await dateOf('<Year>2026</Year><Month>Nov</Month>', on18th), '2026-11-18')
  t.equal(await dateOf('<Year>2026</Year><Month>Jan</Month><Day>1</Day>', on18th), '2026-01-01')
  t.equal(await dateOf('<Year>2027</Year>', on18th), '2027-01-01')
  t.equal(await dateOf('', on18th), '2026-11-18')
  for (const [issue, date] of [
    ['2026', '2026-11-18'], ['2026 Nov', '2026-11-18'], ['2026 Dec', '2026-12-01'], ['2026 Jan 1', '2026-01-01']
  ] as const) {
    t.equal((await readRecords('nbib', `PMID- 1\nTI  - T.\nDP  - ${issue}\nDEP - 20261118\n`))[0]!.published_date, date, issue)
  }
})

t.test('names: a suffix stands behind the name, wherever it is written', async t => {
  const [record] = await readRecords('nbib', 'PMID- 1\nTI  - T.\nFAU - Johnson, Robert S Jr\nFAU - Doe, Jane\nFAU - Rice, Anne 3rd\n')
  t.match(record!.authors, [{ name: 'Robert S Johnson Jr' }, { name: 'Jane Doe' }, { name: 'Anne Rice 3rd' }])
  const ris = 'TY  - JOUR\nTI  - T\nAU  - John Smith, Jr.\nAU  - Jane Doe, PhD\nAU  - King, Martin, Jr.\nER  - \n'
  t.match((await readRecords('ris', ris))[0]!.authors, [{ name: 'John Smith Jr.' }, { name: 'Jane Doe PhD' }, { name: 'Martin King Jr.' }])
})

t.test('RIS: a chapter names its book, and people in both tags are there once', async t => {
  const people = 'A1  - Smith, J\nA1  - Doe, K\nAU  - Smith, J\nAU  - Doe, K\nAU  - Ray, L\n'
  const chapter = `TY  - CHAP\nTI  - A chapter\nBT  - The Book\n${people}ER  - \n`
  t.match(await readRecords('ris', chapter), [
    { title: 'A chapter', venue_name: 'The Book', authors: [{ name: 'J Smith' }, { name: 'K Doe' }, { name: 'L Ray' }] }
  ])
  t.match(await readRecords('ris', 'TY  - BOOK\nBT  - The Book\nER  - \n'), [{ title: 'The Book', venue_name: null }])
})

t.test('PubMed: brackets at both ends of a title that belong to different parts stay', async t => {
  const titleOf = async (title: string) => (await readRecords('nbib', `PMID- 1\nTI  - ${title}\n`))[0]!.title
  const corrected = '[18F]FDG uptake in somatostatin-negative disease [corrected]'
  t.equal(await titleOf(`${corrected}.`), corrected)
  t.equal(await titleOf('[A [18F] study of sleep].'), 'A [18F] study of sleep')
})
