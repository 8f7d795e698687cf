import t from 'tap'
import { TableSplitter } from '../../../src/sources/formats/csv-rows.js'
import { findFormat, recordFormatOf } from '../../../src/sources/formats/index.js'
import { namesIn } from '../../../src/sources/formats/name-lists.js'
import { collect, readAll, readRecords } from '../../support/readings.js'

const rowsOf = (text: string, separator = ',', size = text.length) => {
  const splitter = new TableSplitter(separator)
  const rows = []
  for (let at = 0; at < text.length; at += size) rows.push(...splitter.write(text.slice(at, at + size)))
  return [...rows, ...splitter.end()]
}

t.test('a table is split as RFC 4180 says, in pieces of any size, with the line of each row', t => {
  const table = '\uFEFFa,b,c\r\n1,"two, and ""three""","line\r\nline\n\nline"\r\n\r\n,,\n  ,"x" , "y, z"\rlast,,"'
  for (const size of [1, 2, 3, 5, 1000]) {
    t.strictSame(rowsOf(table, ',', size), [
      { cells: ['a', 'b', 'c'], line: 1 },
      { cells: ['1', 'two, and "three"', 'line\nline\n\nline'], line: 2 },
      { cells: ['  ', 'x', 'y, z'], line: 8 },
      { cells: [], line: 9, fault: 'a cell begins with a quote that is not closed; rows after it were not read' }
    ], `in pieces of ${size}`)
  }
  t.strictSame(rowsOf('"Big data" in medicine,5" disks,"a"b"c"\n').map(({ cells }) => cells), [
    ['"Big data" in medicine', '5" disks', '"a"b"c"']
  ], 'quotes that enclose no cell are text')
  t.end()
})

t.test('a row that is too long or broken is rejected, and the next one is read', async t => {
  const long = 'x'.repeat(9 * 1024 * 1024)
  t.match(await readAll('csv', `Title,Year\n${long},2026\nShort,2026\n"${'""'.repeat(1024 * 1024)}",2026\n,2026\nOne,2026,3,4\nLast,2026,,\n"Open,2026\nx,2026\n`), [
    { place: 1, reason: 'the row is longer than 8 MB' },
    { place: 2, record: { title: 'Short' } },
    { place: 3, reason: 'the row is longer than 8 MB' },
    { place: 4, reason: 'title is missing' },
    { place: 5, reason: 'the row has 4 cells, but the table has 2 columns. Check its quotes and separators' },
    { place: 6, record: { title: 'Last' } },
    { place: 7, reason: /a quote that is not closed/ }
  ])
})

t.test('a file is closed, whatever it contains', async t => {
  for (const content of ['', 'Name,Price\n', 'Title,Year\nOne,2026\nTwo,2026\n']) {
    let isClosed = false
    async function * text () { try { yield content } finally { isClosed = true } }
    for await (const each of findFormat('csv')!.read(text())) if ('record' in each) break
    t.ok(isClosed, content)
  }
})

t.test('a table without titles is refused with the columns that are understood', async t => {
  t.match(await readAll('csv', 'Name,Price\nx,1\ny,2\n'), [
    { place: 1, reason: /^the table has no column of titles\. Name its columns in the first row: Title, Authors, Year, .*DOI/, ended: true }
  ])
  t.strictSame(await readAll('csv', '\n\n'), [])
  t.match(await readAll('csv', 'title\nAlone\n'), [{ record: { title: 'Alone', authors: [] } }])
})

const scopus = `\uFEFF"Authors","Author full names","Author(s) ID","Title","Year","Source title","Volume","Issue","Art. No.","Page start","Page end","Page count","Cited by","DOI","Link","Abstract","Author Keywords","Index Keywords","ISSN","PubMed ID","Language of Original Document","Document Type","Publication Stage","Source","EID"
"Böhm A.B.; García Luján J.","Böhm, Ana B. (57190000001); García Luján, José (57190000002)","57190000001; 57190000002","Sleep, memory and ""replay""","2026","Journal of Tests","12","3","","34","56","22","5","10.5555/CSV.1","https://www.scopus.com/inward/record.uri?eid=2-s2.0-1","First line.
Second line.","sleep; memory","Rats","15251234; 0028-0836","990000001","English","Conference paper","Final","Scopus","2-s2.0-1"
"Doe K.","","57190000003","No journal","2025","","","","101234","","","","","","","[No abstract available]","","","","","English","Retracted","Final","Scopus","2-s2.0-2"
`

t.test('Scopus', async t => {
  t.equal(recordFormatOf(scopus)?.name, 'csv')
  const [first, second] = await readRecords('csv', scopus)
  t.strictSame(first, {
    title: 'Sleep, memory and "replay"',
    abstract: 'First line. Second line.',
    authors: [{ name: 'Ana B. Böhm' }, { name: 'José García Luján' }],
    published_date: '2026-01-01',
    url: 'https://www.scopus.com/inward/record.uri?eid=2-s2.0-1',
    pdf_url: null,
    doi: '10.5555/csv.1',
    venue_name: 'Journal of Tests',
    external_ids: { pmid: '990000001' },
    source: { name: 'csv' },
    source_paper_id: null,
    metadata: {
      type: 'Conference paper',
      published: '2026',
      volume: '12',
      issue: '3',
      pages: '34-56',
      issn: '1525-1234',
      issns: ['1525-1234', '0028-0836'],
      language: 'English',
      keywords: ['sleep', 'memory']
    }
  })
  t.match(second, { authors: [{ name: 'K. Doe' }], venue_name: null, abstract: null, metadata: { pages: '101234', retracted: true } })
})

t.test('PubMed', async t => {
  const [record] = await readRecords('csv', `PMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,Create Date,PMCID,NIHMS ID,DOI
990000002,"A title, with a comma.","Böhm AB, García Luján J, Doe K Jr.","J Test. 2026 Mar 5;12(3):34-56. doi: 10.5555/csv.2. eCollection 2026.",Böhm AB,J Test,2026,2026/03/06,PMC990002,,10.5555/csv.2
`)
  t.match(record, {
    title: 'A title, with a comma.',
    authors: [{ name: 'AB Böhm' }, { name: 'J García Luján' }, { name: 'K Doe Jr' }],
    published_date: '2026-03-05',
    venue_name: 'J Test',
    doi: '10.5555/csv.2',
    external_ids: { pmid: '990000002', pmcid: 'PMC990002' },
    metadata: { volume: '12', issue: '3', pages: '34-56', published: '2026 Mar 5' }
  })
  t.equal(record!.authors.length, 3)
})

t.test('Embase', async t => {
  const [record] = await readRecords('csv', `"Title","Author Names","Source title","Publication Year","Volume","Issue","First Page","Last Page","Date of Publication","Publication Type","ISSN","Abstract","Author Keywords","Article Language","Medline PMID","PUI","DOI","Full Text Link","Embase Link"
"A title","Böhm A.B., García Luján J.","Journal of Tests","2026","12","3","34","56","5 Mar 2026","Article","1525-1234","An abstract.","sleep, memory","English","990000003","L990000003","10.5555/csv.3","https://doi.org/10.5555/csv.3","https://www.embase.com/1"
`)
  t.match(record, {
    title: 'A title',
    authors: [{ name: 'A.B. Böhm' }, { name: 'J. García Luján' }],
    published_date: '2026-03-05',
    venue_name: 'Journal of Tests',
    external_ids: { pmid: '990000003' },
    url: 'https://doi.org/10.5555/csv.3',
    metadata: { type: 'Article', pages: '34-56', keywords: ['sleep', 'memory'] }
  })
})

t.test('Embase with a field in each row', async t => {
  const one = `"TITLE","Sleep, memory and ""replay"""
"AUTHOR NAMES","Böhm A.B.","García Luján J."
"AUTHOR ADDRESSES","(Böhm A.B.) Somewhere"
"SOURCE TITLE","Journal of Tests"
"SOURCE","Journal of Tests (2026) 12:3 (34-56)"
"PUBLICATION YEAR","2026"
"FIRST PAGE","34"
"LAST PAGE","56"
"DATE OF PUBLICATION","5 Mar 2026"
"PUBLICATION TYPE","Article"
"ISSN","1525-1234","0028-0836"
"ABSTRACT","One line.
Another."
"AUTHOR KEYWORDS","sleep","memory"
"MEDLINE PMID","990000011","https://pubmed.ncbi.nlm.nih.gov/990000011"
"DOI","10.5555/csv.6","https://doi.org/10.5555/csv.6"
"NAME","x"
"NAME","y"
`
  const other = '"ORIGINAL (NON-ENGLISH) TITLE","Ein Titel"\n"AUTHOR NAMES","Doe K."\n'
  const file = `${one}\n${other}\n"AUTHOR NAMES","Roe R."\n\n${one}${one}`
  t.equal(recordFormatOf(file)?.name, 'csv')
  for (const size of [1, 1000]) {
    const records = await readAll('csv', file, size)
    t.match(records, [
      {
        line: 1,
        record: {
          title: 'Sleep, memory and "replay"',
          abstract: 'One line. Another.',
          authors: [{ name: 'A.B. Böhm' }, { name: 'J. García Luján' }],
          published_date: '2026-03-05',
          doi: '10.5555/csv.6',
          venue_name: 'Journal of Tests',
          external_ids: { pmid: '990000011' },
          metadata: { pages: '34-56', issns: ['1525-1234', '0028-0836'], keywords: ['sleep', 'memory'], type: 'Article' }
        }
      },
      { place: 2, record: { title: 'Ein Titel', authors: [{ name: 'K. Doe' }] } },
      { place: 3, line: 23, reason: 'title is missing', stated: 'R. Roe' },
      { place: 4, line: 25 },
      { place: 5, line: 43 }
    ])
    t.equal(records.length, 5)
  }
  const long = `"TITLE","Long"\n"AUTHOR NAMES","x"\n${'"NAME","x"\n'.repeat(200_000)}\n${one}`
  t.match(await readAll('csv', long), [{ reason: 'the record is longer than 8 MB' }, { record: { doi: '10.5555/csv.6' } }])
})

t.test('Zotero', async t => {
  const [first, second] = await readRecords('csv', `"Key","Item Type","Publication Year","Author","Title","Publication Title","ISBN","ISSN","DOI","Url","Abstract Note","Date","Pages","Issue","Volume","Journal Abbreviation","Language","Extra","Manual Tags"
"ABCD2345","journalArticle","2026","García Márquez, Gabriel José","A title","Journal of Tests","","1525-1234","","https://example.org/a","An abstract.","2026-03-05","34-56","3","12","J Test","en","PMID: 990000004
DOI: 10.5555/csv.4","sleep; memory"
"ABCD2346","book","2025","Böhm, Ana; Doe, Karen","A book","","978-3-16-148410-0","","","","","March 2025","","","","","","",""
`)
  t.match(first, {
    authors: [{ name: 'Gabriel José García Márquez' }],
    published_date: '2026-03-05',
    doi: '10.5555/csv.4',
    external_ids: { pmid: '990000004' },
    metadata: { type: 'journal-article', keywords: ['sleep', 'memory'], journal_abbreviation: 'J Test' }
  })
  t.match(second, {
    authors: [{ name: 'Ana Böhm' }, { name: 'Karen Doe' }],
    published_date: '2025-03-01',
    metadata: { type: 'book', isbn: '978-3-16-148410-0' }
  })
})

t.test('Rayyan, and tables that a spreadsheet saved with semicolons, tabs and other encodings', async t => {
  const rayyan = 'key,title,year,month,day,journal,issn,volume,issue,pages,authors,url,language,abstract,notes,pubmed_id,pmc_id\n' +
    'rayyan-1,A title,2026,3,5,J Test,1525-1234,12,3,34-56,"Böhm, A. and García Luján, J.",https://example.org/a,eng,' +
    'An abstract.,,990000005,PMC990005\n'
  const record = {
    title: 'A title',
    authors: [{ name: 'A. Böhm' }, { name: 'J. García Luján' }],
    published_date: '2026-03-05',
    external_ids: { pmid: '990000005', pmcid: 'PMC990005' }
  }
  t.match(await readRecords('csv', rayyan), [record])
  const semicolons = 'sep=;\r\nTITLE;Authors;year;PubMed ID\r\n"A; title";"Böhm, A.; García Luján, J.";2026.0;990000005.0\r\n;;;\r\n'
  const marked = `\uFEFF${semicolons}`
  for (const bytes of [Buffer.from(semicolons, 'latin1'), Buffer.from(marked), Buffer.from(marked, 'utf16le')]) {
    t.match(await readRecords('csv', bytes), [{
      title: 'A; title',
      authors: [{ name: 'A. Böhm' }, { name: 'J. García Luján' }],
      published_date: '2026-01-01',
      external_ids: { pmid: '990000005' }
    }])
  }
  const tabs = 'TITLE\tAuthors\tyear\tPubMed ID\r\nA; title\t"Böhm, A.; García Luján, J."\t2026\t990000005\r\n'
  t.match(await readRecords('csv', tabs), [{ title: 'A; title', authors: { length: 2 } }])
  t.match(await readRecords('csv', '"About the data"\nRank,Title,PubYear,Source title\n1,A title,2026,J Test\n'), [
    { title: 'A title', venue_name: 'J Test', published_date: '2026-01-01' }
  ], 'a remark above the header')
})

t.test('tables of Web of Science have tags, and quotes are text', async t => {
  const header = 'PT\tAU\tBA\tAF\tTI\tSO\tLA\tDT\tDE\tAB\tSN\tEI\tJ9\tPD\tPY\tVL\tIS\tBP\tEP\tAR\tDI\tUT\tPM'
  const row = 'J\tBöhm, AB; Doe, K\t\tBöhm, Ana B.; Doe, Karen\t"Big data" in tests\tJOURNAL OF TESTS\tEnglish\t' +
    'Article; Early Access\tsleep; memory\tAn abstract.\t1525-1234\t0028-0836\tJ TEST\tMAR 5\t2026\t12\t3\t34\t56\t\t' +
    '10.5555/CSV.5\tWOS:000000000000001\t990000006'
  t.equal(recordFormatOf(`\uFEFF${header}\n`)?.name, 'csv')
  const quoted = row.replace('"Big data" in tests', '"Of ""quotes"""')
  const [first, second, ...others] = await readRecords('csv', `\uFEFF${header}\r\n${row}\r\n${quoted}\r\n`)
  t.strictSame(others, [])
  t.match(first, {
    title: '"Big data" in tests',
    authors: [{ name: 'Ana B. Böhm' }, { name: 'Karen Doe' }],
    published_date: '2026-03-05',
    doi: '10.5555/csv.5',
    venue_name: 'JOURNAL OF TESTS',
    external_ids: { pmid: '990000006' },
    metadata: {
      publication_types: ['Article', 'Early Access'],
      pages: '34-56',
      keywords: ['sleep', 'memory'],
      issns: ['1525-1234', '0028-0836']
    }
  })
  t.equal(second!.title, 'Of "quotes"')
})

t.test('one field of names is split as it is written', t => {
  for (const [written, names] of [
    ['Smith J, Doe KL.', ['J Smith', 'KL Doe']],
    ['Smith J., Doe K.-L.', ['J. Smith', 'K.-L. Doe']],
    ['Smith, J., Doe, K. L.', ['J. Smith', 'K. L. Doe']],
    ['Smith J. B., Doe K. L.', ['J. B. Smith', 'K. L. Doe']],
    ['Smith, J., Doe, K.', ['J. Smith', 'K. Doe']],
    ['Smith, John', ['John Smith']],
    ['John Smith, Karen Doe', ['John Smith', 'Karen Doe']],
    ['John Smith, Karen Doe, and Ann Lee', ['John Smith', 'Karen Doe', 'Ann Lee']],
    ['Smith, John and Doe, Karen', ['John Smith', 'Karen Doe']],
    ['Smith, John\nDoe, Karen', ['John Smith', 'Karen Doe']],
    ['John Smith|Karen Doe', ['John Smith', 'Karen Doe']],
    ['Smith, J; Doe, K; et al.', ['J Smith', 'K Doe', 'et al.']],
    ['de la Cruz M; O&apos;Neill &amp; Sons', ['M de la Cruz', 'O\'Neill & Sons']],
    ['Research and Development Group', ['Research and Development Group']],
    ['Plato', ['Plato']],
    ['', []]
  ] as const) t.strictSame(namesIn(written), names, written)
  t.end()
})

t.test('prose, code and other formats are no tables', async t => {
  const others = [
    'Title of the paper\nby somebody, in 2026\n', 'a,b,c\n1,2,3', 'Title\nOne\n', 'Dear title, author and all\n', '10.1000/a,b\n'
  ]
  for (const head of others) t.equal(recordFormatOf(head), undefined, head)
  t.equal(recordFormatOf('TY  - JOUR\nTI  - Title, Authors, Year\nER  - \n')?.name, 'ris')
  t.strictSame(await collect(findFormat('csv')!.read((async function * () {})())), [])
})
