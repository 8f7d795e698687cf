import t from 'tap'
import { zoteroItemOf } from '../../../src/papers/citations/zotero-item.js'
import { paperOf } from '../../support/service.js'

const paper = { title: 'On spindles', authors: [{ name: 'Ana Núñez' }], published_date: '2021-04-05', external_ids: { pmid: '123' } }
const retraction = {
  kind: 'retraction',
  label: 'Retracted',
  date: '2024-05-01',
  doi: '10.5555/retraction',
  url: 'https://doi.org/10.5555/retraction',
  sources: ['Crossref'],
  withdrawn: null
}

t.test('an item for Zotero states what became of the paper', async t => {
  t.equal(zoteroItemOf(paperOf({ ...paper, metadata: {} })).extra, 'PMID: 123')
  const { extra } = zoteroItemOf(paperOf({ ...paper, metadata: { notices: [retraction] } as object }))
  t.equal(extra, 'PMID: 123\nNotices: Retracted on 2024-05-01: https://doi.org/10.5555/retraction.')
})
