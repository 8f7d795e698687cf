import t from 'tap'
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

t.test('nbib: a notice does not have the DOI of its article', async t => {
  const doiOf = async (lines: string) =>
    (await readRecords('nbib', `PMID- 990000201\nTI  - T\nLID - 10.5555/nbib.1 [doi]\n${lines}\n`))[0]!.doi
  for (const tag of ['EFR', 'ROF', 'ECF']) {
    t.equal(await doiOf(`${tag} - J Test. 2020;1:2. doi: 10.5555/nbib.1. PMID: 990000203`), null, tag)
    t.equal(await doiOf(`${tag} - J Test. 2020;1:2. doi: 10.5555/nbib.2. PMID: 990000203`), '10.5555/nbib.1', tag)
  }
  t.equal(await doiOf('EIN - J Test. 2020;1:2. doi: 10.5555/nbib.1. PMID: 990000203'), '10.5555/nbib.1')
})

t.test('nbib: says that an article was retracted, by its type or by the notice that it names', async t => {
  const record = async (lines: string) => (await readRecords('nbib', `PMID- 990000201\nTI  - T\n${lines}\n`))[0]!.metadata.retracted
  t.equal(await record('PT  - Retracted Publication'), true)
  t.equal(await record('RIN - J Test. 2026;1:2. PMID: 990000202'), true)
  t.equal(await record('RRI - J Test. 2026;1:2. PMID: 990000202'), true)
  t.equal(await record('ROF - J Test. 2020;1:2. PMID: 990000203'), undefined, 'the notice itself')
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

t.test('PubMed: brackets at both ends of a title that belong to different parts stay', async t => {
  const titleOf = async (title: string) => (await readRecords('nbib', `PMID- 1\nTI  - ${title}\n`))[0]!.title
  const corrected = '[18F]FDG uptake in somatostatin-negative disease [corrected]'
  t.equal(await titleOf(`${corrected}.`), corrected)
  t.equal(await titleOf('[A [18F] study of sleep].'), 'A [18F] study of sleep')
})

t.test('PubMed XML of irregular records', async t => {
  const set = (content: string) => `<PubmedArticleSet>${content}</PubmedArticleSet>`
  t.test('skips values that PubMed marks as invalid, and uses the original title if there is no other', async t => {
    const [record] = await readRecords(
      'pubmed-xml',
      set(`<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>[Not Available].</ArticleTitle><VernacularTitle>Der Titel.</VernacularTitle>
      <AuthorList><Author ValidYN="N"><LastName>Wrong</LastName></Author><Author ValidYN="Y"><LastName>Right</LastName><ForeName>Ana</ForeName></Author></AuthorList>
      <ELocationID EIdType="doi">10.5555/x</ELocationID></Article></MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="doi"></ArticleId></ArticleIdList></PubmedData></PubmedArticle>`)
    )
    t.match(record, { title: 'Der Titel', authors: [{ name: 'Ana Right' }], doi: '10.5555/x' })
    t.equal(record!.authors.length, 1)
  })

  t.test('parses book chapters and skips deleted citations', async t => {
    const [record, ...others] = await readRecords(
      'pubmed-xml',
      set(`<DeleteCitation><PMID>3</PMID></DeleteCitation><PubmedBookArticle><BookDocument><PMID>2</PMID>
      <Book><Publisher><PublisherName>A publisher</PublisherName></Publisher><BookTitle>The book</BookTitle><PubDate><Year>2026</Year><Month>Jan</Month></PubDate><AuthorList Type="editors"><Author><LastName>Editor</LastName></Author></AuthorList></Book>
      <ArticleTitle>The chapter</ArticleTitle><AuthorList Type="authors"><Author><LastName>Böhm</LastName><ForeName>Ana</ForeName></Author></AuthorList></BookDocument></PubmedBookArticle>`)
    )
    t.strictSame(others, [])
    t.match(record, {
      title: 'The chapter',
      venue_name: 'The book',
      authors: [{ name: 'Ana Böhm' }],
      published_date: '2026-01-01',
      metadata: { published: '2026 Jan', publisher: 'A publisher' }
    })
    t.equal(record!.authors.length, 1)
  })

  t.test('bounds the size of one record, including elements and attributes', async t => {
    const empties = '<a b="c"/>'.repeat(200_000)
    const readings = await readAll(
      'pubmed-xml',
      set(
        `<PubmedArticle>${empties}</PubmedArticle><PubmedArticle><MedlineCitation><Article><ArticleTitle>After it</ArticleTitle></Article></MedlineCitation></PubmedArticle>`
      )
    )
    t.match(readings, [{ reason: /longer than 8 MB/ }, { place: 2, record: { title: 'After it' } }])
  })

  t.test('tolerates invalid character references', async t => {
    const [record] = await readRecords(
      'pubmed-xml',
      set(
        '<PubmedArticle><MedlineCitation><Article><ArticleTitle>A &#x0; &lt;i&gt;b&lt;/i&gt;</ArticleTitle></Article></MedlineCitation>' +
        '</PubmedArticle>'
      )
    )
    t.equal(record!.title, 'A \ufffd b')
  })
})

t.test('nbib: a translated or missing title is replaced, and paragraphs of an abstract stay', async t => {
  const [first, second, ...others] = await readRecords('nbib', `PMID- 990000800
TI  - [Not Available].
TT  - Der Titel.
AB  - One.

      Two.
AU  - Böhm AB
AU  - de la Cruz M Jr
CN  - Department of Health, Education, and Welfare

PMID- 990000801
BTI - The book
TI  - The chapter
`)
  t.strictSame(others, [])
  t.match(first, {
    title: 'Der Titel',
    abstract: 'One.\n\nTwo.',
    authors: [{ name: 'AB Böhm' }, { name: 'M de la Cruz Jr' }, { name: 'Department of Health, Education, and Welfare' }]
  })
  t.match(second, { title: 'The chapter', venue_name: 'The book' })
})

t.test('a chapter of a continued book has its own date', async t => {
  const chapter = '<PubmedBookArticle><BookDocument><PMID>20301340</PMID><Book><PubDate><Year>1993</Year></PubDate><BookTitle>GeneReviews' +
    '</BookTitle></Book><ArticleTitle>Alzheimer Disease</ArticleTitle><ContributionDate><Year>1998</Year><Month>10</Month><Day>23</Day>' +
    '</ContributionDate></BookDocument></PubmedBookArticle>'
  const [xml] = await readRecords('pubmed-xml', `<PubmedArticleSet>${chapter}</PubmedArticleSet>`)
  t.equal(xml!.published_date, '1998-10-23')
  const [nbib] = await readRecords('nbib', 'PMID- 20301770\nTI  - A chapter\nBTI - GeneReviews\nCTDT- 20090630\nDP  - 1993\n')
  t.equal(nbib!.published_date, '2009-06-30')
})

t.test('abstracts of other indexes stand in for missing ones', async t => {
  const abstracts = '<OtherAbstract Language="spa"><AbstractText>Registros.</AbstractText></OtherAbstract>' +
    '<OtherAbstract Type="PIP" Language="eng"><AbstractText>Records.</AbstractText></OtherAbstract>'
  const article = `<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>T</ArticleTitle></Article>${abstracts}</MedlineCitation>
    </PubmedArticle>`
  t.equal((await readRecords('pubmed-xml', `<PubmedArticleSet>${article}</PubmedArticleSet>`))[0]!.abstract, 'Records.')
  t.equal((await readRecords('nbib', 'PMID- 1\nTI  - T\nOAB - Records.\n'))[0]!.abstract, 'Records.')
})
