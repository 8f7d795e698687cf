import t from 'tap'
import type { PaperRecord } from '../../schemas/paper.js'
import { merge } from '../../src/papers/merge.js'
import { isEqualRecord } from '../../src/papers/same-work.js'
import { matchRecords } from '../../src/papers/match-records.js'
import { publicMetadata } from '../../src/papers/notices.js'
import { importedFiles, journalFeeds, sources } from '../../src/papers/ownership.js'
import { PaperIndex } from '../../src/papers/paper-index.js'
import { registerSources } from '../../src/papers/source-traits.js'
import { sources as allSources } from '../../src/sources/index.js'
import { record } from '../support/service.js'

registerSources(allSources)

/** A record of a source that states a retraction, or none. */
const from = (name: string, retracted?: true, metadata: object = {}): PaperRecord => record({
  title: 'Base editing restores vision in mice',
  doi: '10.1000/1',
  source: { name },
  metadata: { ...(retracted === undefined ? {} : { retracted }), ...metadata }
})
const isRetracted = ({ metadata }: PaperRecord) => metadata.retracted === true
/** What becomes of a paper as further records arrive. */
const after = (first: PaperRecord, ...later: PaperRecord[]) => later.reduce(merge, first)

t.test('a retraction stands until the source that stated it takes it back', async t => {
  for (const source of ['openalex', 'crossref', 'europepmc']) {
    const paper = after(from('pubmed'), from(source, true))
    t.equal(paper.source.name, 'pubmed')
    t.ok(isRetracted(after(paper, from('pubmed'))), `PubMed lags behind ${source}`)
    t.notOk(isRetracted(after(paper, from('pubmed'), from(source))), source)
    t.ok(isRetracted(after(paper, from(source), from('pubmed'), from(source, true))), 'stated again')
  }
  const both = after(from('pubmed', true), from('crossref', true))
  t.ok(isRetracted(after(both, from('pubmed'))))
  t.ok(isRetracted(after(both, from('crossref'))))
  t.notOk(isRetracted(after(both, from('crossref'), from('pubmed'))))
})

t.test('the same holds for papers of an account', async t => {
  const complete = (own: PaperRecord, ...later: PaperRecord[]) =>
    later.reduce((completed, each) => sources.complete(completed, each, []), own)
  const completed = complete(from('ris'), from('openalex', true))
  t.match(completed, { source: { name: 'ris' }, metadata: { retracted: true } })
  t.ok(isRetracted(complete(completed, from('pubmed'))))
  t.ok(isRetracted(importedFiles.complete(completed, from('ris'), [])), 'a file that is imported again')
  t.notOk(isRetracted(complete(completed, from('pubmed'), from('openalex'))))
  t.ok(isRetracted(complete(from('json-lines', true), from('openalex'))), 'what its owner states')
})

t.test('a file that says nothing of a retraction does not take it back', async t => {
  const retracted = from('pubmed', true)
  const imported = (record: PaperRecord) => importedFiles.complete(retracted, record, [])
  t.ok(isRetracted(imported(from('pubmed'))), 'it may be older')
  t.notOk(isRetracted(imported(from('pubmed', undefined, { retracted: false }))), 'one that denies it does')
  t.ok(isEqualRecord(imported(retracted), retracted))
})

t.test('and for papers of a journal feed, which sources that share a paper complete', async t => {
  const shared = after(from('pubmed'), from('openalex', true))
  const completed = sources.complete(from('feed'), from('openalex', true), [shared])
  t.match(completed, { source: { name: 'feed' }, metadata: { retracted: true } })
  t.ok(isRetracted(journalFeeds.complete(completed, from('feed'), [shared])))
  t.notOk(isRetracted(sources.complete(completed, from('openalex'), [after(shared, from('openalex'))])))
})

t.test('stored papers that turn out to be one work keep a retraction that either states', async t => {
  const retracted = { ...from('openalex', true), source_paper_id: 'W1' }
  const again = { ...from('openalex'), doi: null, source_paper_id: 'W2', external_ids: { pmid: '123' } }
  const both = { ...from('europepmc'), external_ids: { pmid: '123' } }
  for (const stored of [[retracted, again], [again, retracted]]) {
    const [shared, own] = [new PaperIndex(sources.isSameWork), new PaperIndex(sources.isSameWork)]
    for (const each of stored) shared.add(each, { shared: true })
    const arrive = async (arriving: PaperRecord) => await matchRecords({ own, shared, inFeed: new Set() }, sources, [arriving])
    const { duplicates } = await arrive(both)
    t.equal(duplicates.length, 1)
    t.ok(isRetracted(duplicates[0]!.kept.record), 'nothing that arrived takes it back')
    await arrive({ ...from('openalex'), source_paper_id: 'W1' })
    t.notOk(isRetracted(duplicates[0]!.kept.record), 'its source did')
  }
})

t.test('a record that says nothing new changes nothing', async t => {
  const paper = after(from('pubmed'), from('openalex', true), from('crossref', true))
  for (const again of [from('pubmed'), from('crossref', true), from('openalex', true)]) t.ok(isEqualRecord(merge(paper, again), paper))
  const denied = from('json-lines', undefined, { retracted: false })
  for (const each of [paper, from('pubmed', true), denied]) t.ok(isEqualRecord(merge(each, each), each))
})

t.test('the names of the sources are not published, and a file cannot state them in another form', async t => {
  const paper = after(from('pubmed'), from('openalex', true))
  t.strictSame(publicMetadata(paper.metadata, []), { retracted: true })
  t.notOk(isRetracted(after(from('openalex', true, { retracted_by: 'anyone' }), from('openalex'))))
  t.notOk(isRetracted(after(from('openalex', true, { retracted_by: [{}] }), from('openalex'))))
})
