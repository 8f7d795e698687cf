import t from 'tap'
import { PaperIndex } from '../../src/papers/paper-index.js'
import { matchRecords } from '../../src/papers/match-records.js'
import { importedFiles, sources as policy } from '../../src/papers/ownership.js'
import { registerSources } from '../../src/papers/source-traits.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { pubmedXml } from '../../src/sources/formats/pubmed-xml.js'
import { sources } from '../../src/sources/index.js'

registerSources(sources)

/** Reads an item of a source's answer. */
function read (name: string, item: object): PaperRecord {
  const result = sources.find(source => source.name === name)!.itemParser!.parse(item as never)
  if (!('record' in result)) throw new Error(result.reason)
  return result.record
}

/** Reads a record of PubMed. */
async function readPubmed ({
  pmid, title = 'Vesicle fusion in neurons of the fly', types = ['Journal Article'], doi, links = [], journal = 'Cell', pii
}: {
  pmid: string
  title?: string
  types?: readonly string[]
  doi?: string
  pii?: string
  journal?: string
  links?: ReadonlyArray<{ type: string, source: string }>
}): Promise<PaperRecord> {
  const id = (type: string, value?: string) => value === undefined ? '' : `<ArticleId IdType="${type}">${value}</ArticleId>`
  const xml = `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>${pmid}</PMID><Article><Journal><JournalIssue><PubDate><Year>2021</Year>
</PubDate></JournalIssue><Title>${journal}</Title></Journal><ArticleTitle>${title}</ArticleTitle><AuthorList><Author><LastName>Keller</LastName>
<Initials>A</Initials></Author></AuthorList><PublicationTypeList>${types.map(type => `<PublicationType>${type}</PublicationType>`).join('')}
</PublicationTypeList></Article><CommentsCorrectionsList>${links.map(({ type, source }) => `<CommentsCorrections RefType="${type}"><RefSource>${source}
</RefSource></CommentsCorrections>`).join('')}</CommentsCorrectionsList></MedlineCitation><PubmedData><ArticleIdList>${id('pubmed', pmid)}
${id('doi', doi)}${id('pii', pii)}</ArticleIdList></PubmedData></PubmedArticle></PubmedArticleSet>`
  async function * text () { yield xml }
  for await (const item of pubmedXml.read(text())) if ('record' in item) return item.record
  throw new Error('PubMed XML without a record')
}

/** The papers that a feed has of some records, which arrive one by one. */
async function papersOf (records: readonly PaperRecord[], origin = policy): Promise<PaperRecord[]> {
  const known = { own: new PaperIndex(origin.isSameWork), shared: new PaperIndex(origin.isSameWork), inFeed: new Set<string>() }
  const papers = new Set<{ record: PaperRecord }>()
  for (const record of records) for (const { paper } of (await matchRecords(known, origin, [record])).found) papers.add(paper)
  return [...papers].map(({ record }) => record)
}

const crossrefWork = { type: 'journal-article', title: ['Vesicle fusion'], DOI: '10.1000/a', author: [{ given: 'Ada', family: 'Keller' }] }

t.test('PubMed states the other form of a preprint and of an article', async t => {
  const article = 'Cell. 2021;12(3):1. doi: 10.1016/j.cell.2021.02.037.'
  const preprint = 'bioRxiv. 2021 Feb 28. doi: 10.1101/2021.02.28.433258.'
  const formsOf = async (types: readonly string[], type: string, source: string) => {
    const { metadata: { published_doi, preprint_doi } } = await readPubmed({ pmid: '1', types, links: [{ type, source }] })
    return [published_doi, preprint_doi]
  }
  t.strictSame(await formsOf(['Journal Article', 'Preprint'], 'UpdateIn', article), ['10.1016/j.cell.2021.02.037', undefined])
  t.strictSame(await formsOf(['Journal Article'], 'UpdateOf', preprint), [undefined, '10.1101/2021.02.28.433258'])
  t.strictSame(await formsOf(['Journal Article', 'Review'], 'UpdateOf', article), [undefined, undefined], 'an earlier review')
  t.strictSame(await formsOf(['Preprint'], 'UpdateIn', preprint), [undefined, undefined], 'a later version')
})

t.test('OpenAlex states the preprint among the locations of an article', t => {
  const location = (name: string, type: string, doi: string) =>
    ({ source: { display_name: name, type }, landing_page_url: `https://doi.org/${doi}` })
  const preprintOf = (...locations: object[]) =>
    read('openalex', { id: 'https://openalex.org/W1', display_name: 'Vesicles', doi: 'https://doi.org/10.1000/a', type: 'article', locations })
      .metadata.preprint_doi
  const journal = location('Cell', 'journal', '10.1000/a')
  const biorxiv = location('bioRxiv (Cold Spring Harbor Laboratory)', 'repository', '10.1101/2021.02.28.433258')
  t.equal(preprintOf(journal, biorxiv), '10.1101/2021.02.28.433258')
  for (const other of [
    location('Zenodo (CERN European Organization for Nuclear Research)', 'repository', '10.5281/zenodo.11'),
    location('arXiv (Cornell University)', 'repository', '10.48550/arxiv.2103.01234'),
    location('Research Square', 'repository', '10.1000/a')
  ]) t.equal(preprintOf(journal, other), undefined, JSON.stringify(other))
  t.end()
})

t.test('Crossref names a preprint before the parts of a supplement, which are data', t => {
  const relation = { 'has-preprint': ['10.1158/1078-0432.c.6526710.v1', '10.1101/2021.02.28.433258'].map(id => ({ 'id-type': 'doi', id })) }
  t.equal(read('crossref', { ...crossrefWork, relation }).metadata.preprint_doi, '10.1101/2021.02.28.433258')
  const { metadata } = read('crossref', {
    ...crossrefWork,
    type: 'posted-content',
    DOI: '10.1158/1078-0432.22467.v1',
    title: ['Supplementary Figure S1 from Vesicle fusion'],
    relation: { 'is-preprint-of': [{ 'id-type': 'doi', id: '10.1000/a' }] }
  })
  t.strictSame([metadata.preprint, metadata.published_doi, metadata.publication_types], [undefined, undefined, ['dataset']])
  t.end()
})

t.test('a work that corrects or retracts another is a notice, and is not merged with an article of the same title', async t => {
  const correction = { DOI: '10.1000/e', 'update-to': [{ DOI: '10.1000/A', type: 'correction' }] }
  const notice = read('crossref', { ...crossrefWork, ...correction })
  t.strictSame(notice.metadata.publication_types, ['journal-article', 'erratum'])
  const partial = read('crossref', { ...crossrefWork, DOI: '10.1000/e', 'update-to': [{ DOI: '10.1000/A', type: 'partial_retraction' }] })
  t.strictSame(partial.metadata.publication_types, ['journal-article', 'retraction'])
  const own = read('crossref', { ...crossrefWork, 'update-to': [{ DOI: '10.1000/a', type: 'correction' }] })
  t.strictSame(own.metadata.publication_types, ['journal-article'], 'an update in place')
  const title = 'Vesicle fusion in neurons of the fly'
  const stated = { title: [title], author: [{ given: 'A.', family: 'Keller' }], published: { 'date-parts': [[2021]] } }
  const erratum = read('crossref', { ...crossrefWork, ...stated, ...correction })
  t.equal((await papersOf([await readPubmed({ pmid: '1' }), erratum])).length, 2)
  t.equal((await papersOf([await readPubmed({ pmid: '1' }), read('crossref', { ...crossrefWork, ...stated })])).length, 1)
})

t.test('works that share a DOI and have ids and titles of their own are papers of their own', async t => {
  const doi = '10.1056/nejmc2032195'
  const title = 'Dexamethasone in hospitalized patients'
  const letters = await Promise.all([['1', title], ['2', `${title}. Reply`]]
    .map(([pmid, title]) => readPubmed({ pmid: pmid!, title: title!, doi })))
  // A fetch brings them again.
  const again = await Promise.all(['1', '2'].map(pmid => readPubmed({ pmid, doi })))
  for (const origin of [policy, importedFiles]) {
    const papers = await papersOf([...letters, ...letters], origin)
    t.strictSame(papers.map(({ doi, external_ids: { pmid } }) => [doi, pmid]), [[doi, '1'], [null, '2']])
    t.equal((await papersOf(again, origin)).length, 1, 'PubMed has some articles twice')
  }
})

t.test('an article has its DOI, which its notices repeat, in whatever order they come', async t => {
  const doi = '10.1000/a'
  const title = 'Vesicle fusion in neurons of the fly'
  const article = await readPubmed({ pmid: '1', title, doi })
  const types = ['Published Erratum']
  const erratum = await readPubmed({ pmid: '2', title: `Erratum: ${title}`, doi, types })
  for (const origin of [policy, importedFiles]) {
    for (const records of [[article, erratum], [erratum, article]]) {
      const papers = await papersOf([...records, ...records], origin)
      t.strictSame(
        papers.map(({ title, doi, external_ids: { pmid } }) => [title, doi, pmid]),
        records.map(record => [record.title, record === article ? doi : null, record.external_ids.pmid])
      )
    }
  }
  for (const type of ['ErratumFor', 'RetractionOf', 'ExpressionOfConcernFor']) {
    const linked = async (cited: string) =>
      (await readPubmed({ pmid: '2', doi, types, links: [{ type, source: `Cell. 2021;12(3):1. doi: ${cited}.` }] })).doi
    t.strictSame([await linked(doi), await linked('10.1000/b')], [null, doi], type)
  }
  const corrected = await readPubmed({ pmid: '1', doi, links: [{ type: 'ErratumIn', source: `Cell. 2021;12(4):1. doi: ${doi}.` }] })
  t.equal(corrected.doi, doi)
})

t.test('a source that corrects the DOI of its record is followed', async t => {
  const before = await readPubmed({ pmid: '1', doi: '10.1000/wrong' })
  const corrected = await readPubmed({ pmid: '1', doi: '10.1000/right', title: 'Vesicle fusion in neurons of the mouse' })
  t.strictSame(
    (await papersOf([before, corrected])).map(({ title, doi }) => [title, doi]),
    [['Vesicle fusion in neurons of the mouse', '10.1000/right']]
  )
  const other = { ...corrected, external_ids: { pmid: '2' }, source_paper_id: '2' }
  const doisOf = async (...records: PaperRecord[]) => (await papersOf(records)).map(({ doi }) => doi)
  t.strictSame(await doisOf(before, other, corrected), ['10.1000/wrong', '10.1000/right'], 'not to the DOI of another')
  const europepmc = read('europepmc', { title: 'Vesicles', source: 'MED', id: '1', pmid: '1', doi: '10.1000/other' })
  t.strictSame(await doisOf(before, europepmc), ['10.1000/wrong'], 'nor by another source')
})

t.test('PubMed states ids of arXiv, and Europe PMC retractions, in other fields', async t => {
  const preprint = await readPubmed({ pmid: '1', journal: 'ArXiv', pii: 'arXiv:2103.01234v2' })
  t.strictSame(preprint.external_ids, { pmid: '1', arxiv: '2103.01234' })
  t.strictSame((await readPubmed({ pmid: '1', pii: 'S0092-8674(21)01234-5' })).external_ids, { pmid: '1' })
  for (const commentCorrection of [[{ type: 'Retraction in', id: '2', source: 'MED' }], { type: 'Retraction in' }]) {
    t.equal(read('europepmc', { title: 'Vesicles', commentCorrectionList: { commentCorrection } }).metadata.retracted, true)
  }
  const comment = { commentCorrection: [{ type: 'Retraction of' }, { type: 'Comment in' }] }
  t.equal(read('europepmc', { title: 'Vesicles', commentCorrectionList: comment }).metadata.retracted, undefined)
})

t.test('a talk of a conference is no article of a journal', t => {
  const work = { id: 'https://openalex.org/W1', display_name: 'Vesicles', type: 'article' }
  const typesOf = (type: string) => read('openalex', { ...work, primary_location: { source: { type } } }).metadata.publication_types
  t.strictSame(typesOf('conference'), ['article', 'conference'])
  t.strictSame(typesOf('journal'), ['article'])
  t.end()
})
