import t from 'tap'
import {
  formerTitleKeyOf, indexUrlOf, isIdentifiedByTitle, referenceLabelOf, slugOf, soughtTitleKeys, titleKeyOf
} from '../../src/papers/identity.js'
import { identityKeysOf, isSameIdentity, soughtIdentityKeys } from '../../src/papers/records-in-feed.js'
import { registerSources } from '../../src/papers/source-traits.js'
import { sources } from '../../src/sources/index.js'
import { record } from '../support/service.js'

registerSources(sources)

const work = (part: object = {}) =>
  record({ title: 'Base editing restores vision', authors: [{ name: 'Ada Lovelace' }], published_date: '2026-11-01', ...part })

t.test('a slug is the title in ASCII words', async t => {
  const slugs: Record<string, string> = {
    'Base editing restores vision!': 'base-editing-restores-vision',
    'GTPase and RhoA': 'gtpase-and-rhoa',
    'Über Ähnlichkeit': 'ueber-aehnlichkeit',
    深層学習: 'paper',
    '': 'paper'
  }
  for (const [title, slug] of Object.entries(slugs)) t.equal(slugOf(title), slug)
  t.equal(slugOf('x'.repeat(80)), 'x'.repeat(80), '80 characters fit')
  t.equal(slugOf('x'.repeat(81)), 'x'.repeat(80))
  t.equal(slugOf(`${'word '.repeat(15)}longer end`), Array(15).fill('word').join('-'), 'a longer one ends with a whole word')
  t.equal(slugOf(`${'word '.repeat(14)}123456789 end`), `${'word-'.repeat(14)}123456789`)
  t.equal(slugOf(`${' '.repeat(300)}late`), 'paper', 'what stands after 300 characters is not read')
  t.equal(slugOf(`${' '.repeat(296)}late`), 'late')
})

t.test('a label and an address name the record of the best index', async t => {
  const ids = { pmid: '31452104', arxiv: '2401.01234' }
  const cases: Array<[part: object, label: string | null, url: string | null]> = [
    [{ external_ids: ids, source: { name: 'pubmed' } }, 'PMID 31452104', 'https://pubmed.ncbi.nlm.nih.gov/31452104/'],
    [{ external_ids: ids, source: { name: 'arxiv' } }, 'arXiv 2401.01234', 'https://arxiv.org/abs/2401.01234'],
    [{ external_ids: { arxiv: '2401.01234' } }, 'arXiv 2401.01234', 'https://arxiv.org/abs/2401.01234'],
    [{ external_ids: { pmid: '1' }, source: { name: 'arxiv' }, doi: '10.1/a' }, 'PMID 1', 'https://pubmed.ncbi.nlm.nih.gov/1/'],
    [{ doi: '10.1000/a<b>' }, 'DOI 10.1000/a<b>', 'https://doi.org/10.1000/a%3Cb%3E'],
    [{ doi: '10.1000/a#b?c' }, 'DOI 10.1000/a#b?c', 'https://doi.org/10.1000/a%23b%3Fc'],
    [{}, null, null],
    [{ reference_label: 'PMID 9', index_url: 'https://example.org/9', doi: '10.1000/a' }, 'PMID 9', 'https://example.org/9'],
    [{ reference_label: 'arXiv math/0309136v2' }, 'arXiv math/0309136', null],
    [{ reference_label: 'DOI 10.1000/B' }, 'DOI 10.1000/b', null],
    [{ reference_label: 'DOI 10.1000/b. Star this paper', doi: '10.1000/a' }, 'DOI 10.1000/a', 'https://doi.org/10.1000/a'],
    [{ reference_label: 'constructor 10.1000/b' }, null, null]
  ]
  for (const [part, label, url] of cases) {
    t.equal(referenceLabelOf(work(part)), label)
    t.equal(indexUrlOf(work(part)), url)
  }
})

t.test('the title of a record is read once', async t => {
  let reads = 0
  const record = { ...work(), get title () { return `Base editing ${++reads}` } }
  t.equal(titleKeyOf(record), titleKeyOf(record))
  t.equal(reads, 1)
})

t.test('a title key ignores the notation of title, first author and year', async t => {
  const key = titleKeyOf(work())
  t.match(key, /^[\w-]{22}$/)
  for (const same of [
    { title: 'BASE editing: restores “vision”' },
    { authors: [{ name: 'A. Lovelace' }, { name: 'Charles Babbage' }] },
    { authors: [{ name: 'Lovelace' }] },
    { published_date: '2026-01-31' },
    { doi: '10.1000/a', abstract: 'More.' }
  ]) { t.equal(titleKeyOf(work(same)), key, JSON.stringify(same)) }
  for (const other of [
    { title: 'Base editing restores hearing' },
    { title: 'Base editing restores visions' },
    { authors: [{ name: 'Charles Babbage' }] },
    { authors: [] },
    { published_date: '2025-11-01' },
    { published_date: null }
  ]) { t.not(titleKeyOf(work(other)), key, JSON.stringify(other)) }
  t.not(
    titleKeyOf(work({ title: 'One two', authors: [] })),
    titleKeyOf(work({ title: 'One', authors: [{ name: 'two' }] })),
    'the parts do not run into each other'
  )
})

t.test('a mark of a retraction is no part of a title key, and a word that begins like one is', async t => {
  const of = (title: string) => work({ title })
  const key = titleKeyOf(of('Sleep and memory in adults'))
  for (const title of [
    'RETRACTED: Sleep and memory in adults', 'Retracted - Sleep and memory in adults', 'Withdrawn- Sleep and memory in adults',
    'RETRACTED ARTICLE—Sleep and memory in adults', '[Retracted]-Sleep and memory in adults', 'Sleep and memory in adults (Retracted)',
    '(Retracted) Sleep and memory in adults', '<RETRACTED> Sleep and memory in adults', 'REMOVED: Sleep and memory in adults',
    'TEMPORARY REMOVAL: Sleep and memory in adults', 'RETRACTED CHAPTER: Sleep and memory in adults',
    'Sleep and memory in adults (Retracted article. See vol. 12, pg. 345, 2014)'
  ]) t.equal(titleKeyOf(of(title)), key, title)
  const compound = of('Withdrawn-depressed behavior in children')
  const misread = titleKeyOf(of('Depressed behavior in children'))
  t.not(titleKeyOf(compound), misread)
  t.ok(soughtTitleKeys(compound).includes(misread), 'papers that earlier versions stored are found')
  const marked = titleKeyOf(of('Removed: sleep and memory in adults'))
  t.not(marked, key)
  t.ok(soughtTitleKeys(of('REMOVED: Sleep and memory in adults')).includes(marked), 'papers of versions that knew fewer marks are found')
  t.notOk(soughtTitleKeys(of('Retracted: depressed behavior in children')).includes(titleKeyOf(compound)))
})

t.test('stored keys are found in whichever way the first author was written', async t => {
  const by = (...names: string[]) => work({ authors: names.map(name => ({ name })) })
  for (const [stored, sought] of [
    ['Xiaoming LI', 'Xiaoming Li'], ['Xiaoming Li', 'Xiaoming LI'], ['Xiaoming LI', 'Li, Xiaoming'], ['Lovelace AB', 'Ada Lovelace']
  ] as const) t.ok(soughtTitleKeys(by(sought)).includes(titleKeyOf(by(stored))), `${stored}, ${sought}`)
  t.equal(titleKeyOf(by('Wei WU', 'Lena ANDERS')), titleKeyOf(by('Wu W')), 'the list shows that capitals are family names')
})

t.test('keys of the spelling of titles that earlier versions stored are found', async t => {
  const stored = 'ChrOncRFxsscSfvGn76O24'
  for (const title of ['Tumour fibre vs colour of cells', 'Tumor fiber versus color of cells']) {
    t.ok(soughtTitleKeys(work({ title })).includes(stored), title)
    t.not(titleKeyOf(work({ title })), stored)
  }
})

t.test('items that were noted by earlier keys and by DOIs of other versions are found', async t => {
  const known = work({ doi: '10.21203/rs.3.rs-1/v1' })
  for (const stored of [
    identityKeysOf(known), ['doi 10.21203/rs.3.rs-1'], [`title ${formerTitleKeyOf(known)}`], ['doi 10.21203/rs.3.rs-1/v1', 'pmid 1']
  ]) {
    const sought = soughtIdentityKeys({ ...known, doi: '10.21203/rs.3.rs-1/v2' })
    t.ok(stored.some(key => sought.includes(key)), 'the query finds it')
    t.ok(isSameIdentity(stored, sought), stored.join())
  }
  t.notOk(isSameIdentity(['doi 10.21203/rs.3.rs-2/v1', `title ${formerTitleKeyOf(known)}`], soughtIdentityKeys(known)))
})

t.test('the DOI that arXiv derives from an id does not tell an item from a paper with the DOI of a journal', async t => {
  const preprint = work({ doi: '10.48550/arxiv.2401.01234', external_ids: { arxiv: '2401.01234' } })
  const article = work({ doi: '10.1000/a', external_ids: { arxiv: '2401.01234' } })
  t.ok(isSameIdentity(identityKeysOf(preprint), soughtIdentityKeys(article)))
  t.ok(isSameIdentity(identityKeysOf(article), soughtIdentityKeys(preprint)))
  t.ok(isSameIdentity(['doi 10.48550/arxiv.2401.01234', 'arxiv 2401.01234'], soughtIdentityKeys(article)), 'as earlier versions noted it')
  t.notOk(isSameIdentity(identityKeysOf(preprint), soughtIdentityKeys(work({ external_ids: { arxiv: '2401.99999' } }))))
  t.notOk(isSameIdentity(identityKeysOf(article), soughtIdentityKeys({ ...article, doi: '10.1000/b' })))
})

t.test('a title identifies a record only with first author and year', async t => {
  t.equal(isIdentifiedByTitle(work()), true)
  for (const part of [{ title: '—' }, { authors: [] }, { authors: [{ name: '—' }] }, { published_date: null }]) {
    t.equal(isIdentifiedByTitle(work(part)), false, JSON.stringify(part))
  }
})
