import t from 'tap'
import { recordFormatOf } from '../../../src/sources/formats/index.js'
import { readAll, readRecords } from '../../support/readings.js'

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

t.test('RIS: a chapter names its book, and people in both tags are there once', async t => {
  const people = 'A1  - Smith, J\nA1  - Doe, K\nAU  - Smith, J\nAU  - Doe, K\nAU  - Ray, L\n'
  const chapter = `TY  - CHAP\nTI  - A chapter\nBT  - The Book\n${people}ER  - \n`
  t.match(await readRecords('ris', chapter), [
    { title: 'A chapter', venue_name: 'The Book', authors: [{ name: 'J Smith' }, { name: 'K Doe' }, { name: 'L Ray' }] }
  ])
  t.match(await readRecords('ris', 'TY  - BOOK\nBT  - The Book\nER  - \n'), [{ title: 'The Book', venue_name: null }])
})

t.test('RIS: the number of an article stands for its pages', async t => {
  for (const [type, fields, pages] of [
    ['JOUR', 'C7  - e41532', 'e41532'],
    ['EJOUR', 'C7  - 1587', '1587'],
    ['JOUR', 'C7  - 1587\nSP  - 1\nEP  - 9', '1-9'],
    ['JOUR', 'C7  - Article Number', undefined],
    ['CPAPER', 'C7  - 2', undefined]
  ] as const) {
    const [record] = await readRecords('ris', `TY  - ${type}\nTI  - T\n${fields}\nER  - \n`)
    t.equal(record!.metadata.pages, pages, `${type} ${fields}`)
  }
})

t.test('RIS: a DOI alone in a field of another meaning counts, as an address too', async t => {
  for (const [fields, doi] of [
    ['L3  - https://dx.doi.org/10.5555/ovid.1', '10.5555/ovid.1'],
    ['M3  - http://doi.org/10.5555/OVID.2', '10.5555/ovid.2'],
    ['N1  - Includes 3 figures\nN1  - https://doi.org/10.5555/ovid.3', '10.5555/ovid.3'],
    ['M3  - Article\nL3  - doi:10.5555/ovid.4', '10.5555/ovid.4'],
    ['N1  - Comment on https://doi.org/10.5555/other', null],
    ['L3  - https://example.org/10.5555/other', null]
  ] as const) {
    const [record] = await readRecords('ris', `TY  - JOUR\nTI  - T\n${fields}\nER  - \n`)
    t.equal(record!.doi, doi, fields)
  }
})

t.test('RIS: tags may be indented, identifiers stand in several tags, and an endless record is skipped', async t => {
  const [record, ...others] = await readRecords(
    'ris',
    '  TY  - JOUR\n  TI  - Indented\n  M3  - doi: 10.5555/m3\n  UR  - ' +
    'https://pubmed.ncbi.nlm.nih.gov/990000900/\n  DA  - 20260305\n  ER  ' +
    '- \n'
  )
  t.strictSame(others, [])
  t.match(record, { title: 'Indented', doi: '10.5555/m3', external_ids: { pmid: '990000900' }, published_date: '2026-03-05' })
  t.match(await readAll('ris', `TY  - JOUR\nTI  - Endless\n${'AU  - \n'.repeat(200_000)}ER  - \nTY  - JOUR\nTI  - After it\nER  - \n`), [
    { reason: /longer than 8 MB/ },
    { record: { title: 'After it' } }
  ])
})

t.test('records of PubMed that EndNote exports keep their PMID', async t => {
  const [record] = await readRecords('ris', 'TY  - JOUR\nTI  - T\nAN  - 25657356\nDP  - NLM\nER  - \n')
  t.strictSame(record!.external_ids, { pmid: '25657356' })
})

t.test('RIS: records of Embase have their PMID and both ISSNs', async t => {
  const fields = ['TY  - JOUR', 'TI  - A title', 'U2  - L2017287948', 'C5  - 35275808', 'SN  - 1558-2531', 'SN  - 0018-9294', 'ER  - ']
  t.match(await readRecords('ris', fields.join('\n')), [{
    external_ids: { pmid: '35275808' }, metadata: { issns: ['1558-2531', '0018-9294'] }
  }])
})
