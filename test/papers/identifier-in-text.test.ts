import t from 'tap'
import { identifierInTexts, typedIdentifier } from '../../src/papers/identifier-in-text.js'
import { formatIdentifier } from '../../src/papers/pasted-identifier.js'

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
    ['Array programming with NumPy https://www.nature.com/articles/s41586-020-2649-2.', 'DOI 10.1038/s41586-020-2649-2'],
    ['Look at this:\n“Sleep spindles” (https://arxiv.org/abs/2401.01234)!', 'arXiv 2401.01234'],
    ['Müller et al., doi: 10.1000/abc.(2), 2024', 'DOI 10.1000/abc.(2)'],
    ['A preprint, arXiv:2401.01234v1 [cs.CL]', 'arXiv 2401.01234'],
    ['See PMID 41000001 for details', 'PMID 41000001'],
    ['Sleep in 2024', undefined],
    ['https://example.org/a/page', undefined],
    ['javascript:alert(1)', undefined],
    ['', undefined]
  ]
  for (const [text, identifier] of cases) t.equal(found(text), identifier, text)
  t.equal(found(undefined, 'https://example.org/', 'Title 10.1000/in.title'), 'DOI 10.1000/in.title', 'the first text with one')
  const start = performance.now()
  found('https://'.repeat(100_000), '10.1000/'.repeat(100_000), 'arxiv: '.repeat(100_000), '('.repeat(500_000))
  t.ok(performance.now() - start < 500, 'hostile texts take no time')
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
