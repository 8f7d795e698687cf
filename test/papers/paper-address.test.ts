import t from 'tap'
import { paperAddress } from '../../src/papers/paper-address.js'

t.test('cites a paper by its DOI, then its record, then its own address', async t => {
  const paper = {
    id: '1',
    doi: '10.1000/a<b>#c?d',
    index_url: 'https://pubmed.ncbi.nlm.nih.gov/1/',
    url: 'https://www.embase.com/search/results?subaction=viewrecord&id=L1'
  }
  t.equal(paperAddress(paper, 'https://litfeed.example.org'), 'https://doi.org/10.1000/a%3Cb%3E%23c%3Fd')
  t.equal(paperAddress({ ...paper, doi: null }, ''), paper.index_url)
  t.equal(paperAddress({ ...paper, doi: '', index_url: '' }, ''), paper.url)
  t.equal(paperAddress({ ...paper, doi: null, index_url: null, url: null }, 'https://litfeed.example.org'), 'https://litfeed.example.org/papers/1')
})
