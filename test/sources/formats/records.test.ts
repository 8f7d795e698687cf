import t from 'tap'
import { readAll, readRecords } from '../../support/readings.js'

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

t.test('CSL-JSON: an id is a citation key unless a program made it', async t => {
  const keys = async (item: object) =>
    (await readRecords('csl-json', JSON.stringify([{ title: 'T', ...item }]))).map(({ metadata }) => metadata.citation_key)
  t.strictSame(await keys({ id: 'lovelace1843' }), ['lovelace1843'])
  t.strictSame(await keys({ id: 'doi:10.1000/a' }), ['doi:10.1000/a'])
  for (const id of ['0B5E7C1A-3d2f-4e6b-9a8c-7f6e5d4c3b2a', 'http://zotero.org/users/1/items/ABCD2345']) {
    t.strictSame(await keys({ id }), [undefined], id)
    t.strictSame(await keys({ id, 'citation-key': 'own' }), ['own'])
  }
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
  for (const invalid of ['0000-0000-0000-0000', '0000-0002-1825-0098', 'unknown']) {
    t.strictSame((await readRecords('nbib', `PMID- 1\nTI  - T.\nFAU - Böhm, Ana\nAUID- ORCID: ${invalid}\nAUID- ORCID: ${orcid}\n`))[0]!.authors, [
      expected[0]
    ], invalid)
    const ids = [invalid, `https://orcid.org/${orcid}`].map(id => `<Identifier Source="ORCID">${id}</Identifier>`).join('')
    t.strictSame((await readRecords('pubmed-xml', '<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>' +
      '<ArticleTitle>T</ArticleTitle><AuthorList><Author><LastName>Böhm</LastName><ForeName>Ana</ForeName>' + ids +
      '</Author></AuthorList></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>'))[0]!.authors, [expected[0]], invalid)
  }
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

t.test('names: a suffix stands behind the name, wherever it is written', async t => {
  const [record] = await readRecords('nbib', 'PMID- 1\nTI  - T.\nFAU - Johnson, Robert S Jr\nFAU - Doe, Jane\nFAU - Rice, Anne 3rd\n')
  t.match(record!.authors, [{ name: 'Robert S Johnson Jr' }, { name: 'Jane Doe' }, { name: 'Anne Rice 3rd' }])
  const ris = 'TY  - JOUR\nTI  - T\nAU  - John Smith, Jr.\nAU  - Jane Doe, PhD\nAU  - King, Martin, Jr.\nER  - \n'
  t.match((await readRecords('ris', ris))[0]!.authors, [{ name: 'John Smith Jr.' }, { name: 'Jane Doe PhD' }, { name: 'Martin King Jr.' }])
})
