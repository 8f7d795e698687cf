import t from 'tap'
import { identifierInTexts, typedIdentifier } from '../../src/papers/identifier-in-text.js'
import { HttpError } from '../../src/http/client.js'
import { findOnPage } from '../../src/sources/documents/paper-page.js'
import { identifierOnPage } from '../../src/papers/identifier-on-page.js'
import { formatIdentifier, pastedIdentifier } from '../../src/papers/pasted-identifier.js'
import { measureEventLoop, takesLess } from '../support/event-loop.js'

const found = (...texts: Array<string | undefined>) => {
  const identifier = identifierInTexts(texts)
  return identifier === undefined ? undefined : formatIdentifier(identifier)
}

t.test('finds the identifier in shared text', async t => {
  const cases: ReadonlyArray<[text: string, identifier: string | undefined]> = [
    ['10.1000/XYZ.1', 'DOI 10.1000/xyz.1'],
    ['https://doi.org/10.1000/xyz.1', 'DOI 10.1000/xyz.1'],
    ['41000001', undefined],
    ['PMID: 41000001', 'PMID 41000001'],
    ['https://pubmed.ncbi.nlm.nih.gov/41000001/?utm=x', 'PMID 41000001'],
    ['https://arxiv.org/abs/2401.01234v2', 'arXiv 2401.01234'],
    ['https://pmc.ncbi.nlm.nih.gov/articles/PMC1234567/', 'PMCID PMC1234567'],
    ['https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0000001', 'DOI 10.1371/journal.pone.0000001'],
    ['https://www.biorxiv.org/content/10.1101/2024.01.02.573900v2.full', 'DOI 10.1101/2024.01.02.573900'],
    ['https://www.nature.com/articles/s41586-020-2649-2', 'DOI 10.1038/s41586-020-2649-2'],
    ['https://papers.ssrn.com/sol3/papers.cfm?abstract_id=4567890', 'DOI 10.2139/ssrn.4567890'],
    ['https://papers.ssrn.com/sol3/papers.cfm?utm=x&abstract_id=4567890&dgcid=y#a', 'DOI 10.2139/ssrn.4567890'],
    ['https://papers.ssrn.com/sol3/Delivery.cfm/4567890.pdf?abstractid=4567890&mirid=1', 'DOI 10.2139/ssrn.4567890'],
    ['Read https://ssrn.com/abstract=4567890.', 'DOI 10.2139/ssrn.4567890'],
    [`https://papers.ssrn.com/sol3/papers.cfm?abstract_id=${'9'.repeat(3000)}`, undefined],
    ['https://papers.ssrn.com/sol3/papers.cfm?abstract_id=x4567890', undefined],
    ['https://papers.ssrn.com/sol3/papers.cfm#abstract_id=4567890', undefined],
    ['https://papers.ssrn.com/sol3/papers.cfm?not_abstract_id=4567890', undefined],
    ['https://notssrn.com/sol3/papers.cfm?abstract_id=4567890', undefined],
    ['https://ssrn.com.example.org/abstract=4567890', undefined],
    ['https://zenodo.org/records/1234567', 'DOI 10.5281/zenodo.1234567'],
    ['https://zenodo.org/record/1234567/files/data.csv?download=1', 'DOI 10.5281/zenodo.1234567'],
    [`https://zenodo.org/records/${'1'.repeat(3000)}`, undefined],
    ['https://notzenodo.org/records/1234567', undefined],
    ['https://zenodo.org@example.org/records/1234567', undefined],
    ['https://example.org/?next=https://zenodo.org/records/1234567', undefined],
    ['https://aclanthology.org/2020.acl-main.1/', 'DOI 10.18653/v1/2020.acl-main.1'],
    ['https://aclanthology.org/2023.findings-emnlp.12.pdf', 'DOI 10.18653/v1/2023.findings-emnlp.12'],
    ['https://aclanthology.org/2021.naacl-long.5v2.pdf', 'DOI 10.18653/v1/2021.naacl-long.5'],
    ['https://aclanthology.org/P19-1001/', undefined],
    ['https://aclanthology.org/2019.acl-main.1/', undefined],
    [`https://aclanthology.org/2020.acl-main.${'1'.repeat(3000)}`, undefined],
    ['https://myaclanthology.org/2020.acl-main.1', undefined],
    ['Array programming with NumPy https://www.nature.com/articles/s41586-020-2649-2.', 'DOI 10.1038/s41586-020-2649-2'],
    ['Look at this:\n“Sleep spindles” (https://arxiv.org/abs/2401.01234)!', 'arXiv 2401.01234'],
    ['Müller et al., doi: 10.1000/abc.(2), 2024', 'DOI 10.1000/abc.(2)'],
    ['A preprint, arXiv:2401.01234v1 [cs.CL]', 'arXiv 2401.01234'],
    ['See PMID 41000001 for details', 'PMID 41000001'],
    ['See PMID: 123, on sleep', 'PMID 123'],
    ['See PubMed ID 123 on sleep', 'PMID 123'],
    ['See PubMed 41000001.', 'PMID 41000001'],
    ['Sleep, PMCID: PMC123, 2001', 'PMCID PMC123'],
    ['Sleep (PMC1234567)', 'PMCID PMC1234567'],
    ['Sleep, PMCID: 123, 2001', 'PMCID PMC123'],
    ['PMCID: 1234567', 'PMCID PMC1234567'],
    ['doi=10.1000/xyz.1', 'DOI 10.1000/xyz.1'],
    ['10.1000%2Fxyz.1', 'DOI 10.1000/xyz.1'],
    ['doi:10.1000%2fXYZ.1', 'DOI 10.1000/xyz.1'],
    ['PMC1', 'PMCID PMC1'],
    ['Growth control in Saccharomyces cerevisiae mutants lacking PMC1, a homolog of plasma membrane Ca2+ ATPases', undefined],
    ['PubMed 2.0', undefined],
    ['Searching PubMed: 25 years of MEDLINE', undefined],
    ['PubMed 2024 in numbers', undefined],
    ['Sleep in 2024', undefined],
    ['https://example.org/a/page', undefined],
    ['javascript:alert(1)', undefined],
    ['', undefined]
  ]
  for (const [text, identifier] of cases) t.equal(found(text), identifier, text)
  t.equal(found(undefined, 'https://example.org/', 'Title 10.1000/in.title'), 'DOI 10.1000/in.title', 'the first text with one')
  await takesLess(t, 500, () => {
    found('https://'.repeat(100_000), '10.1000/'.repeat(100_000), 'arxiv: '.repeat(100_000), 'PubMed ID: '.repeat(50_000), '('.repeat(500_000))
    for (const repeated of ['&abstract_id=', '?&', '&a']) found(`https://papers.ssrn.com/?${repeated.repeat(100_000)}`)
    for (const start of ['arxiv', 'doi', 'PMID', '[', '[](']) pastedIdentifier(`${start}${' '.repeat(100_000)}x`)
  }, 'hostile texts')
})

t.test('accepts typed digits as a PubMed id', async t => {
  for (const [text, identifier] of [
    ['41000001', 'PMID 41000001'],
    [' 41000001 ', 'PMID 41000001'],
    ['doi:10.1000/XYZ.1', 'DOI 10.1000/xyz.1'],
    ['Müller et al., doi: 10.1000/abc, 2024', 'DOI 10.1000/abc']
  ] as const) t.equal(formatIdentifier(typedIdentifier(text)!), identifier)
  t.equal(typedIdentifier('Sleep in 2024'), undefined)
})

t.test('finds the identifier that a page states about its paper', async t => {
  const address = 'https://journal.example.org/article/7'
  const linked = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`
  for (const [html, identifier] of [
    ['<meta name="citation_pmid" content="41000001"><meta name="citation_doi" content="10.1000/A">', 'DOI 10.1000/a'],
    ['<META NAME="Citation_arXiv_id" CONTENT="2401.01234v2">', 'arXiv 2401.01234'],
    ['<meta name=citation_pmid content=41000001>', 'PMID 41000001'],
    ['<meta property="prism.doi" content="doi:10.1000/prism">', 'DOI 10.1000/prism'],
    ['<meta name="DC.Identifier" content="7"><meta name="DC.Identifier" content="doi:10.1000/core">', 'DOI 10.1000/core'],
    ['<meta name="citation_doi" content="10.1000/a&amp;b">', 'DOI 10.1000/a&b'],
    [linked({ '@type': 'ScholarlyArticle', sameAs: ['https://x.example.org', 'https://doi.org/10.1000/same'] }), 'DOI 10.1000/same'],
    [linked({
      '@graph': [{ '@type': 'Organization', '@id': 'https://doi.org/10.1000/publisher' },
        { '@type': ['Article'], '@id': 'https://doi.org/10.1000/graph' }]
    }), 'DOI 10.1000/graph'],
    [linked({ '@type': 'WebPage', mainEntity: { '@type': 'ScholarlyArticle', identifier: { propertyID: 'doi', value: '10.1000/main' } } }),
      'DOI 10.1000/main'],
    ['<link rel="canonical" href="/doi/full/10.1000/canonical">', 'DOI 10.1000/canonical'],
    ['<meta property="og:url" content="https://arxiv.org/abs/2401.01234">', 'arXiv 2401.01234']
  ] as const) t.equal(formatIdentifier((await identifierOnPage(Buffer.from(html), address))!), identifier, html)
  for (const html of [
    '',
    '<p>doi:10.1000/mentioned <a href="https://doi.org/10.1000/linked">linked</a>',
    '<meta name="citation_doi" content="10.1000"><meta name="citation_reference" content="citation_doi=10.1000/cited">',
    linked({ '@type': 'ScholarlyArticle', citation: [{ '@id': 'https://doi.org/10.1000/cited' }] }),
    '<script type="application/ld+json">{"sameAs": </script><script type="application/ld+json">[[null, 7]]</script>',
    '<link rel="canonical" href="http://[">'
  ]) t.equal(await identifierOnPage(Buffer.from(html), address), undefined, html)
})

t.test('trusts the address to which a page redirects, whatever it answers there', async t => {
  const pages = { fetch: async () => ({ status: 403, headers: new Headers(), url: 'https://doi.org/10.1000/redirected', bytes: Buffer.alloc(0) }) }
  t.strictSame(await findOnPage(pages, 'https://short.example.org/x'), { kind: 'doi', value: '10.1000/redirected' })
  const slow = { fetch: async () => { throw new HttpError('timeout', 'short.example.org did not answer within 15 s.') } }
  await t.rejects(findOnPage(slow, 'https://short.example.org/x'), { message: /did not answer within 15 s\. Enter the paper’s DOI/ })
})

t.test('reads hostile pages in bounded time', async t => {
  const end = '<meta name="citation_doi" content="10.1000/late">'
  for (const html of [
    '<a>'.repeat(1_000_000) + '</b>'.repeat(200_000),
    `<script type="application/ld+json">${'['.repeat(1_000_000)}</script>`,
    `<meta ${'a=1 '.repeat(500_000)}>`,
    '<'.repeat(2_000_000),
    ' '.repeat(5_000_000) + end,
    ...['citation_doi', 'citation_pmid', 'citation_arxiv_id'].map(name => `<meta name="${name}" content="arxiv${' '.repeat(1_000_000)}x">`),
    `<meta property="og:url" content="https://example.org/${'10.1000/'.repeat(100_000)}">`,
    `<script type="application/ld+json">{"@id": "arxiv${' '.repeat(400_000)}x"}</script>`
  ]) {
    const { result, worst, worstCpu } = await measureEventLoop(async () => await identifierOnPage(Buffer.from(html), 'https://example.org/'))
    t.equal(result, undefined)
    t.ok((Number.isNaN(worstCpu) ? worst : worstCpu) < 100, `${html.slice(0, 40)}: ${worstCpu} ms`)
  }
})

t.test('reads identifiers as people paste them, with the end of their sentence and in full-width characters', async t => {
  const cases: Record<string, string> = {
    'PMID: 41000001.': 'PMID 41000001',
    'PMID: 41000001;': 'PMID 41000001',
    'PMID：41000001': 'PMID 41000001',
    'PubMed ID: 41000001': 'PMID 41000001',
    'PMCID: PMC1234567.': 'PMCID PMC1234567',
    'PMC1234567.1': 'PMCID PMC1234567',
    'arXiv:2401.01234.': 'arXiv 2401.01234',
    'math.CA/0611800': 'arXiv math/0611800',
    'https://doi.org/10.48550/arxiv.math.gt/0309136': 'arXiv math/0309136',
    'DOI: https://doi.org/10.1000/182': 'DOI 10.1000/182',
    'doi:https://dx.doi.org/10.1000/182': 'DOI 10.1000/182',
    'DOI: https://doi.org/10.48550/arXiv.2401.01234': 'arXiv 2401.01234',
    'arXiv: https://arxiv.org/abs/2401.01234': 'arXiv 2401.01234',
    'PMID: https://pubmed.ncbi.nlm.nih.gov/41000001/': 'PMID 41000001',
    '41000001[pmid]': 'PMID 41000001',
    '41000001 [UID]': 'PMID 41000001',
    'PMID 0041000001': 'PMID 41000001',
    PMC001234567: 'PMCID PMC1234567',
    'doi：10.1000/182': 'DOI 10.1000/182',
    '10.1000／182': 'DOI 10.1000/182',
    '１０．１０００／１８２': 'DOI 10.1000/182',
    '10.1000/（182）': 'DOI 10.1000/（182）',
    'https://ar5iv.org/abs/2401.01234': 'arXiv 2401.01234',
    'https://ar5iv.labs.arxiv.org/html/2401.01234v2': 'arXiv 2401.01234',
    'https://www.alphaxiv.org/abs/2401.01234v1': 'arXiv 2401.01234',
    'https://alphaxiv.org/overview/2401.01234': 'arXiv 2401.01234',
    'https://huggingface.co/papers/2401.01234': 'arXiv 2401.01234'
  }
  for (const [text, identifier] of Object.entries(cases)) t.equal(formatIdentifier(pastedIdentifier(text)!), identifier, text)
  for (const text of ['https://notar5iv.org/abs/2401.01234', 'https://huggingface.co/2401.01234', 'DOI: https://example.org/', 'a[pmid]']) {
    t.equal(pastedIdentifier(text), undefined, text)
  }
  const zeros = ['PMID 000000000000', 'PMID 0', '0[pmid]', 'PMC0', '000000000000', '0041000001', 'https://pubmed.ncbi.nlm.nih.gov/0/']
  for (const text of zeros) {
    t.equal(pastedIdentifier(text, { digitsArePmid: true }), undefined, `${text}: no number of an index begins with zero`)
  }
})
