import t from 'tap'
import { readAll, readRecords } from '../../support/readings.js'

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

t.test('BibTeX', async t => {
  t.test('inherits venue and date, but no identifier, from crossref entries', async t => {
    const child = '@inproceedings{a, title={The paper}, author={Böhm, Ana}, crossref={Proc:26}}'
    const parent = '@proceedings{proc:26, title={Proceedings of it}, year=2026, doi={10.5555/proc}, publisher={A publisher}}'
    for (const content of [`${child}\n${parent}`, `${parent}\n${child}`]) {
      const readings = await readAll('bibtex', content)
      const paper = readings.find(reading => 'record' in reading && reading.record.title === 'The paper')
      t.match(paper, { record: { venue_name: 'Proceedings of it', published_date: '2026-01-01', doi: null } })
      t.equal(readings.length, 2)
    }
    t.match(await readAll('bibtex', child), [{ place: 1, record: { title: 'The paper', venue_name: null } }])
  })

  t.test('keeps LaTeX special characters as text', async t => {
    const [first, second, third] = await readRecords('bibtex', `
@article{a, title = {50% of {T}hem}, abstract = {Some 27% (p < 0.05) and {\\%} more.}, url = {https://example.org/a%20b_c}}
@misc(b, title = "In (paren)theses", journal = {arXiv preprint arXiv:2613.00040})
%@article{c, title = {Commented out}}
@article{d, title = {After joe@example(work)}, date = {2026-22}}`)
    t.match(first, { title: '50% of Them', abstract: 'Some 27% (p < 0.05) and % more.', url: 'https://example.org/a%20b_c' })
    t.match(second, { title: 'In (paren)theses', external_ids: { arxiv: '2613.00040' } })
    t.match(third, { title: 'After joe@example(work)', published_date: '2026-07-01', metadata: { citation_key: 'd' } })
  })

  t.test('uses the first of several addresses', async t => {
    for (const between of [' ', ', ', ';', '\n   ']) {
      const [record] = await readRecords(
        'bibtex',
        `@misc{a, title = {T}, url = {http://a.example/1${between}http://b.example/2}, pdf = {https://a.example/1.pdf${between}https://b.example/2.pdf}}`
      )
      t.strictSame([record!.url, record!.pdf_url], ['http://a.example/1', 'https://a.example/1.pdf'])
    }
    t.match(await readRecords('bibtex', '@misc{a, title = {T}, url = {https://archive.example/web/http://a.example/?a=1,2;b}}'), [
      { url: 'https://archive.example/web/http://a.example/?a=1,2;b' }
    ])
  })

  t.test('resolves nested abbreviations', async t => {
    const [record] = await readRecords(
      'bibtex',
      '@string{j = "Journal"}@string{jx = j # " of X"}@string{unused = {Other}}@article{a, title = {T}, journal = JX, month = dec, year ' +
      '= 2026}'
    )
    t.match(record, { venue_name: 'Journal of X', published_date: '2026-12-01' })
  })

  t.test('parses papers with missing crossref entries', async t => {
    const readings = await readAll(
      'bibtex',
      Array.from({ length: 2000 }, (_, index) => `@inproceedings{k${index}, title={T}, crossref={p${index % 7}}}`).join('\n')
    )
    t.strictSame(
      readings.map(({ place }) => place),
      Array.from({ length: 2000 }, (_, index) => index + 1)
    )
  })

  t.test('reports unclosed entries one by one in linear time', async t => {
    const readings = await readAll('bibtex', '@article{k, title = {Never closed, year = 2026\n'.repeat(5000))
    t.equal(readings.length, 5000)
    t.ok(readings.every(reading => 'reason' in reading && /unclosed braces/.test(reading.reason)))
  })
})

t.test('BibTeX: < and > are what they say, also around markup', async t => {
  t.match(await readRecords('bibtex', `@article{a, title = {<scp>ggtree</scp>: an <i>R</i> package for $n < 3$ and p > 0.05},
    journal = {Acta <b>X</b>},
    author = {Roe, J.}, abstract = {(p < 0.05) in 5\\% of the \\textit{in vivo} cases}, keywords = {a < b, c}}`), [{
    title: 'ggtree: an R package for n<3 and p > 0.05',
    venue_name: 'Acta X',
    abstract: '(p < 0.05) in 5% of the in vivo cases',
    metadata: { keywords: ['a < b', 'c'] }
  }])
})

t.test('BibTeX: identifiers are read as Mendeley, DBLP and Semantic Scholar write them', async t => {
  t.match(await readRecords('bibtex', `@inbook{a, title = {A chapter}, doi = {10.1007/978-3-319-24574-4{\\_}28}, url = {http://example.org/a{\\_}1}}
@article{b, title = {Attention}, journal = {CoRR}, volume = {abs/1706.03762}}
@article{c, title = {Another}, journal = {ArXiv}, volume = {abs/1810.04805}}
@misc{d, title = {A third}, howpublished = {arXiv:2301.00001 [cs.CL]}}
@article{e, title = {A letter}, journal = {J X}, volume = {abs/1}}
@misc{f, title = {A fifth}, howpublished = {Preprint}, note = {arXiv:2301.00002}}`), [
    { doi: '10.1007/978-3-319-24574-4_28', url: 'http://example.org/a_1' },
    { external_ids: { arxiv: '1706.03762' } },
    { external_ids: { arxiv: '1810.04805' } },
    { external_ids: { arxiv: '2301.00001' } },
    { external_ids: {}, metadata: { volume: 'abs/1' } },
    { external_ids: { arxiv: '2301.00002' } }
  ])
})

t.test('BibTeX: the number of an article stands for its pages', async t => {
  t.match(await readRecords('bibtex', `@article{a, title = {A}, eid = {e0209899}}
@article{b, title = {B}, articleno = {13}, numpages = {20}}
@article{c, title = {C}, eid = {7}, pages = {1--9}}`), ['e0209899', '13', '1-9'].map(pages => ({ metadata: { pages } })))
})

t.test('BibTeX: journals that ADS writes as macros have their names', async t => {
  t.match(await readRecords('bibtex', `@article{a, title = {Stars}, journal = {\\mnras}}
    @article{b, title = {Dust}, journal = "\\unknown"}`), [
    { venue_name: 'Monthly Notices of the Royal Astronomical Society' }, { venue_name: 'unknown' }
  ])
})

t.test('BibTeX: a missing comma between fields loses nothing', async t => {
  const authors = [{ name: 'John Smith' }, { name: 'Mary Jones' }]
  const record = { title: 'A title', authors, published_date: '2020-01-01', doi: '10.1000/x' }
  t.match(await readRecords('bibtex', `@article{a, title={A title}, author={Smith, John and Jones, Mary}
    journal={J X}, year=2020, doi={10.1000/x}}
@article{b, title={A title}
  author={Smith, John and Jones, Mary},
  year=2020
  doi={10.1000/x}}`), [record, record])
})

t.test('BibTeX: names that semicolons or commas separate are several authors', async t => {
  const authors = async (names: string) =>
    (await readRecords('bibtex', `@article{a, title = {A title}, author = {${names}}}`))[0]!.authors.map(({ name }) => name)
  t.same(await authors('John Smith, Mary Jones, and Bob Brown'), ['John Smith', 'Mary Jones', 'Bob Brown'])
  t.same(await authors('Smith, A. B.; Jones, C.; Brown, D.'), ['A. B. Smith', 'C. Jones', 'D. Brown'])
  t.same(await authors('Smith, John; Jones, Mary'), ['John Smith', 'Mary Jones'])
  t.same(
    await authors('García Márquez, Gabriel José and van der Berg, Jan Piet and {Group A, B; C} and M&uuml;ller, J.'),
    ['Gabriel José García Márquez', 'Jan Piet van der Berg', 'Group A, B; C', 'J. Müller']
  )
  t.same(await authors('Van Dyke, Milton D., and Smith, John'), ['Milton D. Van Dyke', 'John Smith'])
})
