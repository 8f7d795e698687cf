import t from 'tap'
import type { FollowTarget } from '../../schemas/follow.js'
import type { Author } from '../../schemas/paper.js'
import { followIds, followMatcher, sameFollowFinder } from '../../src/papers/follows.js'
import { takesLess } from '../support/event-loop.js'

const person = (name: string, ...ids: string[]): FollowTarget => ({ kind: 'author', name, ids })
const by = (follow: FollowTarget, ...authors: Author[]) =>
  followMatcher([follow])({ authors, venue_name: null, metadata: {} })[0]?.by ?? null
const orcid = '0000-0002-1825-0097'

t.test('an id decides, whatever the spelling', async t => {
  t.equal(by(person('Ada Lovelace', orcid), { name: 'A. King-Noel', orcid }), 'id')
  t.equal(by(person('Ada Lovelace', 'A1'), { name: 'Lovelace', openalex: 'A1' }), 'id')
  t.equal(by(person('Ada Lovelace', orcid), { name: 'Émile Borel' }, { name: 'X', orcid }), 'id')
})

t.test('a namesake with another id of the same kind does not match', async t => {
  t.equal(by(person('Ada Lovelace', orcid), { name: 'Ada Lovelace', orcid: '0000-0002-1825-010X' }), null)
  t.equal(by(person('Ada Lovelace', orcid), { name: 'Ada Lovelace', openalex: 'A2' }), 'name', 'ids of different kinds tell nothing')
  t.equal(by(person('Ada Lovelace', 'A1'), { name: 'Ada Lovelace', orcid, openalex: 'A2' }), null)
  const other = '0000-0002-1825-010X'
  t.equal(by(person('Ada Lovelace', other, 'A1'), { name: 'Ada Lovelace', orcid, openalex: 'A1' }), null, 'OpenAlex merged two people')
  t.equal(by(person('Ada Lovelace', other, orcid, 'A1'), { name: 'Ada Lovelace', orcid, openalex: 'A1' }), 'id', 'a person with two iDs')
  t.equal(by(person('Ada Lovelace', orcid, 'A1'), { name: 'Ada Lovelace', openalex: 'A1' }), 'id')
  t.equal(by(person('Ada Lovelace', orcid, 'A1'), { name: 'Ada Lovelace', orcid, openalex: 'A2' }), 'id')
})

t.test('the name decides where a side has no id', async t => {
  t.equal(by(person('Ada Lovelace', orcid), { name: 'A. Lovelace' }), 'name')
  t.equal(by(person('Ada Lovelace'), { name: 'Ada Lovelace', orcid }), 'name')
  for (const [followed, stated, expected] of [
    ['Ana María Núñez', 'A. M. Nunez', 'name'],
    ['Ana María Núñez', 'Núñez, Ana', 'name'],
    ['Ana María Núñez', 'Núñez AM', 'name'],
    ['Wei Zhang', 'Wen Zhang', null],
    ['Wei Zhang', 'W. Zhang', 'name'],
    ['Wei Zhang', 'Wei Zhao', null],
    ['A. B. Smith', 'A. C. Smith', null],
    ['Plato', 'plato', 'name'],
    ['The XYZ Consortium', 'XYZ', null],
    ['Jean-Luc', 'Jean Luc', 'name'],
    ['Jean Luc', 'jean-luc', 'name'],
    ['van der Berg, Ada', 'A. van der Berg', 'name'],
    ['van der Berg, Ada', 'A. van Berg', null],
    ['Ludwig van Beethoven', 'van Beethoven, Ludwig', 'name'],
    ['Ludwig van Beethoven', 'van Beethoven L', 'name'],
    ['Ludwig van Beethoven', 'Beethoven, Ludwig van', 'name'],
    ['Ludwig van Beethoven', 'Ludwig Beethoven', 'name'],
    ['Ludwig van Beethoven', 'L. V. Beethoven', null],
    ['Ana de la Cruz', 'de la Cruz A', 'name'],
    ['María del Carmen Pérez', 'Pérez, María del Carmen', 'name'],
    ['María del Carmen Pérez', 'M. Pérez', 'name'],
    ['van Beethoven', 'van Beethoven', 'name'],
    ['van Beethoven', 'V. Beethoven', null],
    ['John Smith Jr.', 'John Stone Jr.', null],
    ['John Smith Jr.', 'John Smith', 'name'],
    ['John Smith, Jr.', 'Smith J Jr', 'name'],
    ['Smith, Jr., John', 'Smith, John, Jr.', 'name'],
    ['Smith Jr., John', 'John Smith III', 'name'],
    ['John Smith 3rd', 'John Stone 3rd', null],
    ['John Smith II', 'John Stone II', null],
    ['Ivanov II', 'Igor I. Ivanov', 'name'],
    ['Ivanov II', 'Anna Ivanov', null],
    ['Smith Jr.', 'Stone Jr.', null],
    ['Smith JR', 'John R. Smith', 'name'],
    ['van der Berg, Ada', 'van der Berg AB', 'name'],
    ['Xiaoming Li', 'Xiaoming LI', 'name'],
    ['Xiaoming LI', 'Li, Xiaoming', 'name'],
    ['Xiaoming LI', 'X. Li', 'name'],
    ['Xiaoming Li', 'XIAOMING LI', 'name'],
    ['Xiaoming Li', 'Xiaohua LI', null],
    ['Lilian LI', 'Lilian Li', 'name'],
    ['Ada Lovelace', 'Lovelace AB', 'name'],
    ['Müller AB', 'M. Ab', null],
    ['Müller AB', 'Max AB', null],
    ['Müller AB', 'A. Müller', 'name'],
    ['Smith MA', 'S. Ma', null],
    ['Smith MA', 'Shan MA', null],
    ['S. Ma', 'Smith MA', null],
    ['Smith MA', 'Smith Ma', 'name'],
    ['John LEE', 'John Lee', 'name'],
    ['John LEE', 'J. Lee', null],
    ['Min-jung LEE', 'M. J. Lee', 'name']
  ] as const) t.equal(by(person(followed), { name: stated }), expected, `${followed} and ${stated}`)
})

t.test('names match in their spellings, and no wider', async t => {
  for (const [one, other, expected] of [
    ['Søren Kierkegaard', 'Soren Kierkegaard', 'name'],
    ['Søren Kierkegaard', 'Soeren Kierkegaard', 'name'],
    ['Łukasz Nowak', 'Lukasz Nowak', 'name'],
    ['Ngô Đức Thịnh', 'Ngo Duc Thinh', 'name'],
    ['Anna Weiß', 'Weiss A', 'name'],
    ['Jürgen Müller', 'Juergen Mueller', 'name'],
    ['Jürgen Müller', 'Mueller, J.', 'name'],
    ['JÜRGEN MÜLLER', 'Mueller J', 'name'],
    ['Özlem Öz', 'Oezlem Oez', 'name'],
    ['Müller ÖB', 'Mueller OB', 'name'],
    ['Jürgen Müller', 'Jurgen Muller', 'name'],
    ['Juergen Mueller', 'Jurgen Muller', null],
    ['Anna Bauer', 'Anna Baur', null],
    ['山田太郎', '山田 太郎', 'name'],
    ['山田太郎', '山田, 太郎', 'name'],
    ['김철수', '김 철수', 'name'],
    ['山田太郎', '山田花子', null],
    ['山田 太郎', '田中 太郎', null],
    ["Sinéad O'Connor", 'Sinead OConnor', 'name'],
    ["Sinéad O'Connor", 'O’Connor S', 'name'],
    ["Sinéad O'Connor", 'Sinéad Connor', null],
    ['ATLAS Collaboration', 'The ATLAS Collaboration', 'name'],
    ['ATLAS Collaboration', 'The ALICE Collaboration', null],
    ['The Anh Nguyen', 'Anh Nguyen', null],
    ['Wei Zhang', 'Zhang Wei', null],
    ['Wei Zhang', 'Zhang, Wei', 'name']
  ] as const) {
    t.equal(by(person(one), { name: other }), expected, `${one} and ${other}`)
    t.equal(by(person(other), { name: one }), expected, `${other} and ${one}`)
  }
  t.ok(sameFollowFinder([person('Søren Kierkegaard')])(person('soren kierkegaard')))
})

t.test('many follows of a paper by thousands are found without comparing each pair', async t => {
  const follows = Array.from({ length: 200 }, (_, at) => person(`Ada B. Famous${at}`, ...(at % 2 === 0 ? [`A${at}`] : [])))
  const authors = Array.from({ length: 3000 }, (_, at) => ({ name: `Émile C. Unknown${at}` }))
  const namesake = { name: 'Famous4 AB', openalex: 'A9' }
  const stated = [...authors, { name: 'A Famous1' }, { name: 'X', openalex: 'A2' }, { name: 'Ada Famous2' }, namesake]
  const find = followMatcher(follows)
  await takesLess(t, 200, () => t.same(find({ authors: stated, venue_name: null, metadata: {} }), [
    { kind: 'author', name: 'Ada B. Famous1', by: 'name' },
    { kind: 'author', name: 'Ada B. Famous2', by: 'id' }
  ]))
})

t.test('journals match by any of their ISSNs or the OpenAlex id, else by title', async t => {
  const nature: FollowTarget = { kind: 'journal', name: 'The Lancet', ids: ['0140-6736', 'S49861241'] }
  const find = (venue_name: string, metadata: object) => followMatcher([nature])({ authors: [], venue_name, metadata })[0]?.by ?? null
  t.equal(find('Lancet (London)', { issn: '1474-547X', issn_l: '0140-6736' }), 'id')
  t.equal(find('x', { openalex_source: 'S49861241' }), 'id')
  t.equal(find('The Lancet', { issns: ['1474-547X'] }), 'name', 'a record may state the ISSN of another medium alone')
  t.equal(find('The Lancet', { issns: ['1474-547X'], openalex_source: 'S2' }), null, 'OpenAlex has one id for each journal')
  t.equal(find('Lancet Neurology', { issn: '1474-4422' }), null)
  const unnamed = followMatcher([{ kind: 'journal', name: '–', ids: ['1476-4687'] }])
  t.same(unnamed({ authors: [], venue_name: '—', metadata: { issn: '0028-0836' } }), [], 'nor does a missing title')
  t.equal(find('Lancet', {}), 'name')
  const byIssn = followMatcher([{ ...nature, ids: ['0140-6736'] }])
  t.equal(byIssn({ authors: [], venue_name: 'Lancet', metadata: { openalex_source: 'S1' } })[0]?.by, 'name')
  t.equal(find('Lancet Neurology', { issn: 'not one' }), null)
})

t.test('journals match by their names in PubMed, which adds places, editions and subtitles', async t => {
  const find = (name: string, venue_name: string) =>
    followMatcher([{ kind: 'journal', name, ids: [] }])({ authors: [], venue_name, metadata: {} })[0]?.by ?? null
  for (const [name, venue] of [
    ['The Lancet', 'Lancet (London, England)'],
    ['Science', 'Science (New York, N.Y.)'],
    ['BMJ', 'BMJ (Clinical research ed.)'],
    ['Angewandte Chemie', 'Angewandte Chemie (International ed. in English)'],
    ['Journal of Applied Physiology', 'Journal of applied physiology (Bethesda, Md. : 1985)'],
    ['International Journal of Obesity', 'International journal of obesity (2005)'],
    ['Nutrition', 'Nutrition (Burbank, Los Angeles County, Calif.)'],
    ['Brain', 'Brain : a journal of neurology'],
    ['Journal of Neuroscience', 'The Journal of neuroscience : the official journal of the Society for Neuroscience'],
    ['Rapid Communications in Mass Spectrometry', 'Rapid communications in mass spectrometry : RCM'],
    ['Europace', 'Europace : European pacing, arrhythmias, and cardiac electrophysiology : journal of the working groups'],
    ['Journal of Physics: Condensed Matter', 'Journal of physics. Condensed matter : an Institute of Physics journal']
  ] as const) {
    t.equal(find(name, venue), 'name', venue)
    t.equal(find(venue, name), 'name', `${venue}, followed`)
    t.equal(find(venue, venue), 'name', `${venue}, both`)
  }
  for (const [name, venue] of [
    ['Journal of Physics', 'Journal of Physics: Condensed Matter'],
    ['Journal of Physics', 'Journal of Physics : Conference Series'],
    ['Journal of Physics: Energy', 'Journal of Physics: Condensed Matter'],
    ['Microbiology (Reading, England)', 'Microbiology (Moscow, Russia)'],
    ['Acta Crystallographica', 'Acta Crystallographica (Section A)'],
    ['Acta Crystallographica', 'Acta Crystallographica (Section A, Foundations)'],
    ['Lancet', 'Lancet Neurology (London, England)'],
    ['–', ' : a journal']
  ] as const) {
    t.equal(find(name, venue), null, `${name} and ${venue}`)
    t.equal(find(venue, name), null, `${venue} and ${name}`)
  }
  const microbiology = followMatcher([{ kind: 'journal', name: 'Microbiology', ids: ['1350-0872'] }])
  t.same(microbiology({ authors: [], venue_name: 'Microbiology (Moscow, Russia)', metadata: { issn: '0026-2617' } }), [], 'ids decide')
  await takesLess(t, 200, () => {
    for (const hostile of [' (', ' : ', ' (A,', ' ed. ', ': a', '(A, a) ']) find('Brain', hostile.repeat(100_000 / hostile.length))
  })
})

t.test('institutions match by id alone', async t => {
  const lab: FollowTarget = { kind: 'institution', name: 'A lab', ids: ['03vek6s52'] }
  t.equal(by(lab, { name: 'X' }, { name: 'Y', affiliations: ['03vek6s52'] }), 'id')
  t.equal(by(lab, { name: 'A lab' }), null)
  const unregistered: FollowTarget = { ...lab, ids: ['I42'] }
  t.equal(by(unregistered, { name: 'X', affiliations: ['03vek6s52', 'I42'] }), 'id')
  t.equal(by(unregistered, { name: 'A lab', affiliations: ['I421'] }), null)
  const both: FollowTarget = { ...lab, ids: ['03vek6s52', 'I42'] }
  t.equal(by(both, { name: 'X', affiliations: ['03vek6s52'] }), 'id')
  t.equal(by(both, { name: 'X', affiliations: ['I42'] }), 'id')
})

t.test('ids are checked, and one follow is recognized as another', async t => {
  t.same(followIds('author', ['https://orcid.org/0000-0002-1825-0097', 'a1', 'A1']), [orcid, 'A1'])
  t.equal(followIds('author', ['0028-0836']), null)
  t.same(followIds('journal', ['00280836', 'https://openalex.org/S1']), ['0028-0836', 'S1'])
  t.equal(followIds('institution', ['A1']), null)
  t.same(followIds('institution', ['https://ror.org/03vek6s52', 'https://openalex.org/I42']), ['03vek6s52', 'I42'])
  t.ok(sameFollowFinder([person('Ada', orcid, 'A1')])(person('A. L.', 'A1')))
  const otherOrcid = '0000-0001-5109-3700'
  t.ok(sameFollowFinder([person('Ada', orcid)])(person('Ada', otherOrcid, orcid)), 'one person with two ORCID iDs')
  t.notOk(sameFollowFinder([person('Ada', orcid, 'A1')])(person('Ada', otherOrcid, 'A1')), 'namesakes whom OpenAlex takes for one person')
  const journal = (...ids: string[]): FollowTarget => ({ kind: 'journal', name: 'Nature', ids })
  t.ok(sameFollowFinder([journal('0028-0836', 'S1')])(journal('1476-4687', 'S1')), 'the two media of a journal')
  t.ok(sameFollowFinder([person('Ada')])(person('ada')))
  t.notOk(sameFollowFinder([person('Ada', orcid)])(person('Ada')))
  t.notOk(sameFollowFinder([person('Ada')])({ kind: 'journal', name: 'Ada', ids: [] }))
})
