import t from 'tap'
import type { PaperRecord } from '../../schemas/paper.js'
import { contradicts, isSameUncheckedWork, isSameWork } from '../../src/papers/same-work.js'
import { titleKeyOf } from '../../src/papers/identity.js'
import { collectIdentities, PaperIndex } from '../../src/papers/paper-index.js'
import { registerSources } from '../../src/papers/source-traits.js'
import { sources } from '../../src/sources/index.js'
import { record } from '../support/service.js'

registerSources(sources)

const work = (part: Partial<PaperRecord> = {}) =>
  record({ title: 'Base editing restores vision in mice', authors: [{ name: 'Ada Lovelace' }], published_date: '2026-11-01', ...part })
const pubmed = (part: Partial<PaperRecord> = {}) => work({ source: { name: 'pubmed' }, source_paper_id: '1', ...part })
const crossref = (part: Partial<PaperRecord> = {}) => work({ source: { name: 'crossref' }, source_paper_id: 'x', ...part })

t.test('different identifiers of a kind contradict', async t => {
  const both = (one: Partial<PaperRecord>, other: Partial<PaperRecord>) => contradicts(work(one), work(other))
  for (const kind of ['arxiv', 'pmid', 'pmcid'] as const) {
    t.equal(both({ external_ids: { [kind]: '1' } }, { external_ids: { [kind]: '2' } }), true, kind)
    t.equal(both({ external_ids: { [kind]: '1' } }, { external_ids: { [kind]: '1' } }), false, kind)
    t.equal(both({ external_ids: { [kind]: '1' } }, {}), false, kind)
    t.equal(both({}, { external_ids: { [kind]: '1' } }), false, kind)
  }
  t.equal(both({ external_ids: { openalex: 'W1' } }, { external_ids: { openalex: 'W2' } }), false, 'OpenAlex lists some works twice')
  t.equal(both({ doi: '10.1000/a' }, { doi: '10.1000/b' }), true)
  t.equal(both({ doi: '10.48550/arxiv.1', external_ids: { arxiv: '1' } }, { doi: '10.1000/b' }), false, 'arXiv makes a DOI of its ids')
  t.equal(both({ doi: '10.48550/arxiv.1' }, { doi: '10.1000/b' }), true, 'but without the id it is one like others')
  t.equal(both({ doi: '10.1000/a', external_ids: { arxiv: '1' } }, { doi: '10.1000/b' }), true)
})

t.test('equal titles are one work', async t => {
  t.equal(isSameWork(pubmed(), crossref()), true)
  t.equal(isSameWork(pubmed(), pubmed({ source_paper_id: '2' })), false, 'not where one source lists both')
  t.equal(isSameWork(pubmed(), pubmed({ abstract: 'x' })), true, 'one listing twice')
  t.equal(isSameWork(pubmed(), pubmed({ source_paper_id: null })), true)
  t.equal(isSameWork(pubmed({ source_paper_id: null }), pubmed()), true)
  t.equal(isSameWork(pubmed({ doi: '10.1000/a' }), crossref({ doi: '10.1000/b' })), false)
  t.equal(isSameWork(work({ authors: [] }), work({ authors: [], abstract: 'x' })), false, 'not without an author')
  t.equal(isSameWork(work({ authors: [] }), work({ authors: [] })), true, 'but where they say the same')
  const by = (...names: string[]) => ({ authors: ['Ada Lovelace', ...names].map(name => ({ name })) })
  t.equal(isSameWork(pubmed(by('Bob Smith', 'Carl Jones')), crossref(by('Xaver Smith'))), true, 'with a later family name in common')
  t.equal(isSameWork(pubmed(by('Bob Smith', 'Carl Jones')), crossref(by('Xaver Miller'))), false, 'not without')
})

t.test('unverified records also need a specific title and equal preprint status', async t => {
  t.equal(isSameUncheckedWork(pubmed(), crossref()), true)
  t.equal(isSameUncheckedWork(pubmed({ title: 'One two three' }), crossref({ title: 'One two three' })), false)
  t.equal(isSameUncheckedWork(pubmed({ title: 'One two three four' }), crossref({ title: 'One two three four' })), true)
  t.equal(isSameUncheckedWork(pubmed({ metadata: { preprint: true } }), crossref()), false)
  t.equal(isSameUncheckedWork(pubmed({ metadata: { preprint: true } }), crossref({ metadata: { preprint: true } })), true)
  t.equal(isSameUncheckedWork(work({ source: { name: 'arxiv' } }), crossref()), false)
  t.equal(isSameUncheckedWork(work({ source: { name: 'arxiv' } }), crossref({ metadata: { preprint: true } })), true)
  t.equal(isSameUncheckedWork(work({ title: 'Reply' }), work({ title: 'Reply' })), true, 'or say the same')
})

t.test('entries of journal feeds with one address are one work where their title or all else agrees', async t => {
  const entry = (source_paper_id: string, part: Partial<PaperRecord> = {}) =>
    work({ source: { name: 'feed' }, source_paper_id, url: 'https://journal.example.org/1', metadata: { feed: 'a.example.org' }, ...part })
  t.equal(isSameUncheckedWork(entry('a'), entry('b')), true)
  t.equal(isSameUncheckedWork(entry('a'), entry('b', { authors: [], abstract: 'x', metadata: { feed: 'b.example.org' } })), true)
  t.equal(isSameUncheckedWork(entry('a'), entry('b', { url: 'https://journal.example.org/2' })), false)
  t.equal(isSameUncheckedWork(entry('a', { url: null }), entry('b', { url: null })), false)
  t.equal(isSameUncheckedWork(entry('a'), entry('b', { doi: '10.1000/b' })), true)
  t.equal(isSameUncheckedWork(entry('a', { doi: '10.1000/a' }), entry('b', { doi: '10.1000/b' })), false)
  const editorial = { title: 'Editorial', authors: [] }
  t.equal(isSameUncheckedWork(entry('a', editorial), entry('b', { ...editorial, metadata: { feed: 'b.example.org' } })), true)
  t.equal(isSameUncheckedWork(entry('a', editorial), entry('b', { ...editorial, abstract: 'x' })), false, 'a page of contents has many')
})

t.test('imported records of equal titles are two works where their kinds, forms or venues say so', async t => {
  const file = (part: Partial<PaperRecord>) => work({ source: { name: 'ris' }, ...part })
  const typed = (type: string) => file({ metadata: { type } })
  const article = typed('JOUR')
  for (const type of ['UNPB', 'THES', 'RPRT', 'DATA', 'PAT', 'phdthesis', 'techreport', 'dissertation', 'report', 'peer-review']) {
    t.notOk(isSameWork(article, typed(type)), type)
  }
  t.notOk(isSameWork(typed('BOOK'), typed('CHAP')))
  for (const type of ['CHAP', 'GEN', 'JOUR', 'journal-article']) t.ok(isSameWork(article, typed(type)), type)
  t.ok(isSameWork(typed('CPAPER'), typed('book-chapter')))
  t.notOk(isSameWork(article, typed('edbook')))
  for (const other of [article, typed('RPRT')]) {
    t.ok(isSameWork(other, file({ metadata: { type: 'RPRT', publication_types: ['Journal Article'] } })), 'one of its kinds is enough')
  }
  const listed = file({ metadata: { publication_types: ['Journal Article', 'Retraction of Publication'] } })
  t.notOk(isSameWork(article, listed))
  t.notOk(isSameWork(article, file({ venue_name: 'arXiv preprint arXiv:1901.01234' })))
  for (const venue_name of ['PsyArXiv', 'Preprints', 'OSF Preprints', 'AgriRxiv', 'CoRR']) {
    t.notOk(isSameWork(article, file({ venue_name })), venue_name)
  }
  const editorial = (venue_name: string | null) => file({ title: 'Editorial', venue_name, abstract: venue_name })
  t.notOk(isSameWork(editorial('Journal of Sleep'), editorial('Annals of Vision')))
  t.notOk(isSameWork(editorial('Journal of Sleep'), editorial(null)))
  t.ok(isSameWork(editorial('Journal of Sleep'), { ...editorial('J Sleep'), abstract: null }))
})

t.test('a book in a series is the one that a file states with its publisher alone', async t => {
  const book = (venue_name: string, metadata: object) =>
    work({ source: { name: 'bibtex' }, title: 'Deep Learning', venue_name, metadata: { type: 'book', ...metadata } })
  const inSeries = book('Adaptive Computation', { publisher: 'MIT Press' })
  const withPublisher = { ...book('MIT Press', {}), abstract: 'As stored.' }
  t.ok(isSameWork(inSeries, withPublisher))
  t.ok(isSameWork(withPublisher, inSeries))
  t.notOk(isSameWork(inSeries, book('Another Press', {})))
  t.notOk(isSameWork({ ...inSeries, metadata: { type: 'article', publisher: 'MIT Press' } }, { ...withPublisher, metadata: {} }))
})

t.test('a DOI of two plainly different works names the first', async t => {
  const abstract = (title: string, author: string, part: Partial<PaperRecord> = {}) =>
    work({ source: { name: 'ris' }, title, authors: [{ name: author }], doi: '10.1000/supplement', ...part })
  const first = abstract('Base editing of rods in mice', 'Ada Lovelace')
  const index = new PaperIndex(() => false)
  index.add(first, { shared: false })
  const second = index.withoutOthersDoi(abstract('Spindles after motor learning', 'Jane Roe'))
  t.match(second, { doi: null, url: 'https://doi.org/10.1000/supplement' })
  for (const [why, same] of Object.entries({
    'the same author': abstract('Spindles after motor learning', 'Lovelace A'),
    'the same words': abstract('Base editing of the rods in mice', 'The Editing Group'),
    'no author': abstract('Spindles after motor learning', 'x', { authors: [] }),
    'another script': abstract('Редактирование оснований', 'А. Лавлейс')
  })) t.equal(index.withoutOthersDoi(same), same, why)
})

t.test('spellings of one title and one name are found', async t => {
  const by = (title: string, name: string) =>
    crossref({ title, authors: [{ name }], source_paper_id: null, source: { name: title + name } })
  for (const [one, other] of [
    [by('Food & mood in older adults', 'Ada Lovelace'), by('Food and mood in older adults', 'A. Lovelace')],
    [by('Tumour fibre and the colour of cells', 'Ada Lovelace'), by('Tumor fiber and the color of cells', 'Ada Lovelace')],
    [by('First-line vs second-line therapy', 'Ada Lovelace'), by('First-line versus second-line therapy', 'Ada Lovelace')],
    [by('Über die Wärmeleitung in dünnen Schichten', 'Ada Lovelace'), by('Ueber die Waermeleitung in duennen Schichten', 'Ada Lovelace')],
    [by('Vision of the aging eye', 'Jörg Müller'), by('Vision of the aging eye', 'Joerg Mueller')],
    [by('Vision of the aging eye', 'Søren Sørensen'), by('Vision of the aging eye', 'Soeren Soerensen')]
  ] as const) {
    for (const [first, second] of [[one, other], [other, one]] as const) {
      const index = new PaperIndex(({ record }, other) => isSameUncheckedWork(record, other))
      const paper = index.add(first, { shared: true })
      t.strictSame(index.findAll(second), [paper], second.title + second.authors[0]!.name)
      t.ok((await collectIdentities([second])).titleKeys.includes(titleKeyOf(first)), 'also among stored papers')
    }
  }
  t.strictSame(new PaperIndex(() => true).findAll(by('Sand mood', 'Ada Lovelace')), [])
})

t.test('signs tell works of equal letters apart where both titles have them', async t => {
  for (const [one, other, same] of [
    ['Outcomes of patients with BMI < 30 after surgery', 'Outcomes of patients with BMI > 30 after surgery', false],
    ['Outcomes of patients with BMI &lt; 30 after surgery', 'Outcomes of patients with BMI ≥ 30 after surgery', false],
    ['Outcomes of patients with BMI < 30 after surgery', 'Outcomes of patients with BMI &lt; 30 after surgery', true],
    ['Outcomes of patients with BMI < 30 after surgery', 'Outcomes of patients with BMI 30 after surgery', true],
    ['Memory safety of programs in C', 'Memory safety of programs in C++', false],
    ['Memory safety of programs in C++', 'Memory safety of programs in C#', false],
    ['Transport of Fe3+ in soil bacteria', 'Transport of Fe3- in soil bacteria', false],
    ['Transport of Fe<sup>3+</sup> in soil bacteria', 'Transport of Fe(3+) in soil bacteria', true],
    ['Transport of Fe3+ in soil bacteria', 'Transport of Fe3 in soil bacteria', true],
    ['Pre- and post-operative care of patients', 'Pre and post-operative care of patients', true],
    ['Ca<sup>2+</sup> and <i>K</i><sup>+</sup> in nerve cells', 'Ca2+ and K+ in nerve cells', true],
    ['Outcomes of patients with BMI $\\leq 30$ after surgery', 'Outcomes of patients with BMI $\\geq 30$ after surgery', false],
    ['Outcomes of patients with BMI $\\leq$ 30 after surgery', 'Outcomes of patients with BMI ≤ 30 after surgery', true],
    ['Decays of $\\bar{B}^0$ mesons to muons', 'Decays of $B^0$ mesons to muons', false],
    ['Decays of $\\bar{B}^0$ mesons to muons', 'Decays of $\\overline B^0$ mesons to muons', true],
    ['Anesthesia of cats with 1.5 mg/kg of ketamine', 'Anesthesia of cats with 15 mg/kg of ketamine', false],
    ['Anesthesia of cats with 1.5 mg vs 15 mg of ketamine', 'Anesthesia of cats with 1.5 mg versus 15 mg of ketamine', true],
    ['Anesthesia of cats with 1.5 mg/kg of ketamine', 'Anesthesia of cats with 1·5 mg/kg of ketamine', true],
    ['Translocation of chromosomes 1 and 2 in leukemia', 'Translocation of chromosomes 12 in leukemia', false],
    ['Translocation of chromosomes 1 and 2 in leukemia', 'Translocation of chromosomes 1 & 2 in leukemia', true],
    ['Translocation of chromosomes 1 and 2 in leukemia', 'Translocation of chromosomes 1, 2 in leukemia', true],
    ['Storage of plasma at −20 °C for a year', 'Storage of plasma at 20 °C for a year', false],
    ['Storage of plasma at −20 °C for a year', 'Storage of plasma at -20°C for a year', true],
    ['Storage of plasma at 4–20 °C for a year', 'Storage of plasma at 4-20 °C for a year', true]
  ] as const) {
    const [first, second] = [pubmed({ title: one }), crossref({ title: other })]
    for (const isSame of [isSameWork, isSameUncheckedWork]) {
      t.equal(isSame(first, second), same, `${one} and ${other}`)
      t.equal(isSame(second, first), same, `${other} and ${one}`)
    }
  }
})

t.test('a paper that appears online in one year and in print in the next is one work', async t => {
  const authors = [{ name: 'Ada Lovelace' }, { name: 'Charles Babbage' }]
  const online = pubmed({ authors, published_date: '2023-12-20', venue_name: 'Journal of Vision' })
  const print = crossref({ authors, published_date: '2024-01-05', venue_name: 'Journal of Vision', metadata: { volume: '12' } })
  const find = (known: PaperRecord, other: PaperRecord) => {
    const index = new PaperIndex(({ record }, other) => isSameUncheckedWork(record, other))
    index.add(known, { shared: true })
    return index.findAll(other).length === 1
  }
  const change = (part: Partial<PaperRecord>) => ({ ...print, ...part })
  for (const [why, same, other] of [
    ['volume of the printed one', true, print],
    ['no volume', false, change({ metadata: {} })],
    ['preprints', false, change({ venue_name: 'arXiv', metadata: { preprint: true } })],
    ['a month', true, change({ published_date: '2024-01' })],
    ['a year alone', false, change({ published_date: '2024' })],
    ['an abbreviated journal', true, change({ venue_name: 'J Vision', authors: [{ name: 'Lovelace A' }, { name: 'Babbage C' }] })],
    ['half a year later', false, change({ published_date: '2024-07-05' })],
    ['two years later', false, change({ published_date: '2025-01-05' })],
    ['another journal', false, change({ venue_name: 'Journal of Sleep' })],
    ['no journal', false, change({ venue_name: null })],
    ['other further authors', false, change({ authors: [authors[0]!, { name: 'Émile Borel' }] })],
    ['one further author more', true, change({ authors: [...authors, { name: 'Émile Borel' }] })],
    ['no further author', false, change({ authors: [authors[0]!] })],
    ['another kind', false, change({ metadata: { volume: '12', publication_types: ['Editorial', 'Meeting Abstract'] } })],
    ['another DOI', false, change({ doi: '10.1000/b' })]
  ] as const) {
    const known = why === 'another DOI'
      ? { ...online, doi: '10.1000/a' }
      : why === 'another kind' ? { ...online, metadata: { publication_types: ['Journal Article'] } } : online
    t.equal(find(known, other), same, why)
    t.equal(find(other, known), same, `${why}, in the other order`)
    if (same) t.ok((await collectIdentities([known])).titleKeys.includes(titleKeyOf(other)), 'also among stored papers')
  }
  const talk = { ...online, metadata: { volume: '11' } }
  t.notOk(find(talk, print), 'an earlier volume')
  t.notOk(find(talk, change({ metadata: {} })), 'an abstract in a volume, and an article')
  const short = (record: PaperRecord) => ({ ...record, title: 'Base editing' })
  t.notOk(find(short(online), short(print)), 'a short title')
  const alone = (record: PaperRecord) => ({ ...record, authors: [authors[0]!] })
  t.ok(find(alone(online), alone(print)), 'the only author')
})

t.test('a paper on one page of a journal is one work, however far apart its dates in two years are', async t => {
  const at = (volume: string, issue: string, pages: string) => ({ metadata: { volume, issue, pages } })
  const [journal, place] = [{ venue_name: 'Journal of Vision' }, at('40', '7', '123-130')]
  const otherPeople = [{ name: 'Charles Lovelace' }]
  const find = (known: PaperRecord, other: PaperRecord) => {
    const index = new PaperIndex(({ record }, other) => isSameUncheckedWork(record, other))
    index.add(known, { shared: true })
    return index.findAll(other).length === 1
  }
  for (const [online, printed] of [
    ['2021-11-20', '2022'], ['2021-07-20', '2022-03-01'], ['2021-01-20', '2022-03'], ['2021', '2022-10-30']
  ] as const) {
    const [one, other] = [
      crossref({ ...journal, ...place, published_date: online }),
      pubmed({ venue_name: 'J Vision', ...at('40', '7', '123-30'), published_date: printed })
    ]
    t.ok(find(one, other), `${online} and ${printed}`)
    t.ok(find(other, one), `${printed} and ${online}`)
    t.ok((await collectIdentities([one])).titleKeys.includes(titleKeyOf(other)), 'among stored papers')
    t.ok((await collectIdentities([other])).titleKeys.includes(titleKeyOf(one)), 'among stored papers, the other way')
    t.ok(find(one, { ...other, metadata: { volume: '40', pages: '123-30' } }), 'without an issue')
    for (const [what, part] of [
      ['page', at('40', '7', '131-140')], ['issue', at('40', '8', '123-130')], ['volume', at('41', '7', '123-130')],
      ['issue in words', at('40', 'Suppl 1', '123-130')], ['journal', { ...place, venue_name: 'Journal of Sleep' }],
      ['page that is not stated', { metadata: { volume: '40', issue: '7' } }],
      ['person', { authors: otherPeople }]
    ] as const) t.notOk(find(one, { ...other, ...part }), `another ${what}`)
  }
  const later = { ...journal, ...place, published_date: '2023-01-10' }
  t.notOk(find(crossref({ ...journal, ...place, published_date: '2021-11-20' }), pubmed(later)), 'two years later')
})

t.test('pages of an article that begin at 1 are no other place than its number', async t => {
  const one = (pages: string, volume = '12') => crossref({ metadata: { volume, pages } })
  const other = (pages: string, volume = '12') => pubmed({ metadata: { volume, pages } })
  for (const [range, number] of [['1-14', '104512'], ['1-38', '1081'], ['1–14', '104512-104512'], ['01-14', '001500']] as const) {
    t.ok(isSameWork(one(range), other(number)), `${range} and ${number}`)
    t.ok(isSameWork(one(number), other(range)), `${number} and ${range}`)
    t.notOk(isSameWork(one(range), other(number, '13')), 'but another volume is')
  }
  for (const [range, number] of [
    ['1-14', '15-20'], ['1-14', '7'], ['1-38', '81'], ['1', '104512'], ['2-14', '104512'], ['11-14', '104512']
  ] as const) {
    t.notOk(isSameWork(one(range), other(number)), `${range} and ${number}`)
    t.notOk(isSameWork(one(number), other(range)), `${number} and ${range}`)
  }
})

t.test('an article of OpenAlex is no thesis, book or report of its title', async t => {
  const openalex = (...publication_types: string[]) => work({ source: { name: 'openalex' }, metadata: { publication_types } })
  const other = (type: string) => crossref({ metadata: { publication_types: [type] } })
  const apart = [
    'dissertation', 'dataset', 'report', 'peer-review', 'book', 'monograph', 'component', 'standard', 'journal-issue', 'grant', 'database'
  ]
  for (const stated of ['article', 'review', 'letter', 'editorial']) {
    for (const type of apart) {
      t.notOk(isSameUncheckedWork(openalex(stated), other(type)), `${stated} and ${type}`)
      t.notOk(isSameUncheckedWork(other(type), openalex(stated)), `${type} and ${stated}`)
    }
    for (const type of ['journal-article', 'proceedings-article', 'book-chapter', 'reference-entry', 'erratum', 'other']) {
      t.ok(isSameUncheckedWork(openalex(stated), other(type)), `${stated} and ${type}`)
    }
  }
  t.notOk(isSameUncheckedWork(openalex('reference-entry'), other('journal-issue')))
  const preprint = { preprint: true, publication_types: ['article'] }
  const posted = { preprint: true, publication_types: ['posted-content'] }
  t.ok(isSameUncheckedWork(work({ metadata: preprint }), crossref({ metadata: posted })), 'and may be a preprint')
  const abstract = pubmed({ metadata: { publication_types: ['Congress', 'Review'] } })
  t.notOk(isSameUncheckedWork(abstract, other('journal-article')), 'a more exact kind counts')
})

t.test('works in journals of different names and ISSNs are two', async t => {
  const lancet = crossref({ venue_name: 'The Lancet', metadata: { issn: '0140-6736', issns: ['0140-6736', '1474-547X'], volume: '399' } })
  const other = (venue_name: string | null, metadata: PaperRecord['metadata']) => pubmed({ venue_name, metadata })
  t.notOk(isSameUncheckedWork(lancet, other('JAMA', { issn: '0098-7484' })))
  t.notOk(isSameUncheckedWork(other('JAMA', { issn_l: '0098-7484' }), lancet))
  for (const [why, record] of [
    ['a name and another form of the journal', other('Lancet (London, England)', { issn: '0099-5355' })],
    ['the ISSN of another form', other('The British medical weekly', { issn: '1474-547X' })],
    ['a linking ISSN', other('The British medical weekly', { issn: '9999-9999', issn_l: '0140-6736' })],
    ['no ISSN', other('JAMA', {})], ['no journal', other(null, { issn: '0098-7484' })], ['no usable ISSN', other('JAMA', { issn: 'none' })]
  ] as const) t.ok(isSameUncheckedWork(lancet, record), why)
  const placed = (record: PaperRecord) => ({ ...record, metadata: { ...record.metadata, volume: '399', pages: '45-50' } })
  t.ok(isSameUncheckedWork(placed(lancet), placed(other('Weekly of London', { issn: '0099-5355' }))), 'one volume and page')
})

t.test('a formula in TeX is one with its text', async t => {
  for (const [tex, text] of [
    ['Measurement of the $t\\bar{t}$ cross section at $\\sqrt{s}=13$ TeV', 'Measurement of the tt̄ cross section at √s=13 TeV'],
    ['Observation of the decay $B_s^0 \\to \\mu^+\\mu^-$ at LHCb', 'Observation of the decay Bs0→μ+μ− at LHCb'],
    ['Estimates for $\\hat{\\theta} \\geq 0$ and $n \\to \\infty$ in trials', 'Estimates for θ̂ ≥ 0 and n → ∞ in trials'],
    ['A half-life of $12 \\pm 3$ hours in plasma', 'A half-life of 12 ± 3 hours in plasma']
  ] as const) {
    for (const [one, other] of [[tex, text], [text, tex]] as const) {
      const [known, found] = [pubmed({ title: one }), crossref({ title: other })]
      const index = new PaperIndex(({ record }, other) => isSameUncheckedWork(record, other))
      index.add(known, { shared: true })
      t.equal(index.findAll(found).length, 1, `${one} and ${other}`)
      t.ok((await collectIdentities([found])).titleKeys.includes(titleKeyOf(known)), 'also among stored papers')
    }
  }
})

t.test('a talk in proceedings that are a journal is one with its article on the same page', async t => {
  const at = (venue_name: string, type: string, place: PaperRecord['metadata']) => ({
    venue_name, metadata: { publication_types: [type], ...place }
  })
  const aaai = 'Proceedings of the AAAI Conference on Artificial Intelligence'
  const engineering = 'International Conference of the IEEE Engineering in Medicine'
  const [article, talk] = ['journal-article', 'inproceedings']
  for (const [one, other, same] of [
    [at(aaai, article, { volume: '36', issue: '2', pages: '1234-1242' }), at(aaai, talk, { volume: '36', pages: '1234-42' }), true],
    [at('Journal of Physics: Conference Series', article, { volume: '2251', pages: '012034' }),
      at('J. Phys.: Conf. Ser.', talk, { volume: '2251', pages: '12034' }), true],
    [at('Procedia Computer Science', article, { volume: '199', pages: '1-8' }),
      at('Procedia Comput Sci', 'cpaper', { volume: '199', pages: '1' }), true],
    [at(`2022 44th Annual ${engineering} & Biology (EMBC)`, 'proceedings-article', { pages: '123-126' }),
      at(`Annual ${engineering} and Biology. IEEE Annual Conference`, 'Journal Article', { volume: '2022', pages: '123-6' }), true],
    [at(aaai, article, { volume: '36', pages: '1234' }), at(aaai, talk, { volume: '37', pages: '1234' }), false],
    [at(aaai, article, { volume: '36', pages: '1234' }), at(aaai, talk, { volume: '36' }), false],
    [at(aaai, article, { volume: '36', pages: '1234' }), at('Proceedings of ICML', talk, { volume: '36', pages: '1234' }), false],
    [at('Blood', article, { volume: '36', pages: '1234' }), at('Blood', 'Meeting Abstract', { volume: '36', pages: '1234' }), false],
    [at(aaai, article, { volume: '36', pages: '1234' }), at(aaai, 'dissertation', { volume: '36', pages: '1234' }), false]
  ] as const) {
    const where = `${one.venue_name} and ${other.venue_name}, ${other.metadata.pages}`
    t.equal(isSameWork(crossref(one), pubmed(other)), same, where)
    t.equal(isSameWork(pubmed(other), crossref(one)), same, `${where}, in the other order`)
  }
})

t.test('a short title is one work on one page, whichever source leaves out the issue or names the journal otherwise', async t => {
  const at = (metadata: PaperRecord['metadata'], venue_name: string | null = 'BMJ Open') =>
    ({ title: 'Sepsis in children', venue_name, metadata: { volume: '12', ...metadata } })
  for (const [one, other, same] of [
    [at({ issue: '3', pages: '655-660' }), at({ pages: '655-60' }), true],
    [at({ issue: '3', pages: 'e055123' }), at({ issue: '3', pages: 'E055123' }), true],
    [at({ pages: 'e055123' }), at({ issue: '3', pages: 'e55123' }), true],
    [at({ issue: '3', pages: 'S139-S145' }), at({ issue: '3', pages: 'S139-45' }), true],
    [at({ issue: '3', pages: '5', issn: '2044-6055' }), at({ issue: '3', pages: '5', issns: ['1234-5679', '2044-6055'] }, 'Open'), true],
    [at({ issue: '3', pages: '5' }), at({ issue: '3', pages: '5' }, 'Open'), false],
    [at({ issue: '3', pages: '15' }), at({ pages: '15' }), false],
    [at({ issue: '3', pages: '655' }), at({ issue: '4', pages: '655' }), false],
    [at({ issue: 'Suppl 1', pages: 'S139' }), at({ issue: 'Suppl 2', pages: 'S139' }), false],
    [at({ issue: 'Suppl 1', pages: 'S139' }), at({ issue: '3', pages: 'S139' }), false],
    [at({ issue: '3', pages: 'e655' }), at({ issue: '3', pages: '655' }), false],
    [at({ issue: '3', pages: 'e655' }), at({ issue: '3', pages: 'e656' }), false]
  ] as const) {
    const where = `${JSON.stringify(one.metadata)} and ${JSON.stringify(other.metadata)}`
    t.equal(isSameUncheckedWork(crossref(one), pubmed(other)), same, where)
    t.equal(isSameUncheckedWork(pubmed(other), crossref(one)), same, `${where}, in the other order`)
  }
})
