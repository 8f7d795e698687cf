import type { PaperRecord } from '../../schemas/paper.js'
import { record } from '../support/service.js'

/*
 * Labeled pairs of records, as sources state them. All works, people and identifiers are invented. Variants of works are made by rules
 * with a seed; pairs that look alike and are not one paper are written by hand and by rules.
 */

/** Two records, and whether they are of one paper. */
export interface LabeledPair { kind: string, same: boolean, one: PaperRecord, other: PaperRecord }

interface Work {
  title: string
  authors: Array<[given: string, family: string]>
  year: number
  venue: string
  volume: string
  issue: string
  pages: string
}

const work = (
  title: string, authors: Work['authors'], year: number, venue: string, volume: string, issue: string, pages: string
): Work => ({ title, authors, year, venue, volume, issue, pages })

const works: readonly Work[] = [
  work(
    'Sleep spindles and the consolidation of motor memory in older adults',
    [['Ana María', 'Núñez de Balboa'], ['Wei', 'Zhang'], ['Émile', 'Borel']],
    2021, 'Journal of Sleep Studies', '30', '2', '101-112'
  ),
  work(
    'TGF-β signalling in fibroblasts of the aging heart',
    [['Jörg', 'Schröder'], ['Lena', 'Ångström']],
    2019, 'Cardiac Biology', '12', '4', '331-340'
  ),
  work(
    'Photocatalytic splitting of H₂O on TiO₂ nanowires',
    [['Li', 'Xu'], ['Min-jung', 'Kim'], ['Carlos', 'Ortega']],
    2020, 'Catalysis Notes', '8', '1', '15-29'
  ),
  work(
    'A randomized trial of e-mail reminders for influenza vaccination',
    [['John Q.', 'Smith'], ['Ada', 'Lovelace']],
    2022, 'Annals of Prevention', '176', '3', '55-63'
  ),
  work(
    'On the spectrum of Schrödinger operators with random potentials',
    [['Łukasz', 'Nowak'], ['Søren', 'Kjær']],
    2018, 'Mathematical Spectra', '55', '6', '901-930'
  ),
  work(
    '深層学習による衛星画像からの土地被覆分類手法の提案',
    [['太郎', '山田'], ['花子', '鈴木']],
    2021, '情報処理学会論文誌', '62', '9', '1501-1512'
  ),
  work(
    'COVID-19 and mental health of nurses: a longitudinal study',
    [['Giulia', 'D\'Amico'], ['Paolo', 'Rossi'], ['Chiara', 'Conti']],
    2021, 'Nursing Inquiry and Practice', '44', '5', '210-222'
  ),
  work(
    'Graph neural networks for the prediction of protein-protein interactions',
    [['Priya', 'Raman'], ['Tomás', 'O\'Brien']],
    2023, 'Bioinformatics Letters', '39', '7', '77-86'
  ),
  work(
    'Effects of prescribed burning on ground-nesting birds in boreal forests',
    [['Ilse', 'van der Meer'], ['Pekka', 'Mäkinen']],
    2017, 'Forest Ecology Reports', '21', '2', '140-152'
  ),
  work(
    'Low-dose aspirin and the risk of preeclampsia: systematic review and meta-analysis',
    [['Fatima', 'Al-Sayed'], ['George', 'Papadopoulos']],
    2020, 'Obstetric Evidence', '9', '8', '400-415'
  ),
  work(
    'Measurement of the W boson mass in leptonic decays',
    [['Hiroshi', 'Tanaka'], ['Ewa', 'Wiśniewska'], ['Juan', 'Pérez']],
    2022, 'Particle Physics Journal', '128', '11', '1-20'
  ),
  work(
    'Microplastics in agricultural soils of the Rhine valley',
    [['Anke', 'Müller-Lüdenscheidt'], ['René', 'Dupont']],
    2020, 'Soil and Water', '17', '3', '66-79'
  ),
  work(
    'Reinforcement learning for the control of fusion plasmas',
    [['Dmitri', 'Sokolov'], ['Amara', 'Okafor']],
    2023, 'Plasma Control', '5', '1', '11-25'
  ),
  work(
    'The role of ATP-sensitive K+ channels in ischemic preconditioning',
    [['Robert', 'King'], ['Susan', 'Hall']],
    2016, 'Circulation Physiology', '102', '10', '1180-1189'
  ),
  work(
    'Öffentliche Gesundheit und Klimawandel in deutschen Städten',
    [['Jürgen', 'Groß'], ['Katrin', 'Weiß']],
    2022, 'Gesundheit und Gesellschaft', '14', '2', '33-47'
  ),
  work(
    'Community ecology of deep-sea hydrothermal vents after eruptions',
    [['Marie-Claire', 'Lefèvre'], ['Sven', 'Olsen']],
    2015, 'Ocean Ecology', '33', '12', '2001-2017'
  ),
  work(
    'Bayesian inference of phylogenies from incomplete genomes',
    [['Nina', 'Petrova'], ['David', 'Cohen']],
    2019, 'Phylogenetic Methods', '68', '4', '512-527'
  ),
  work(
    'Social media use and sleep quality among adolescents in rural schools',
    [['Kwame', 'Mensah'], ['Yaa', 'Asante']],
    2021, 'Adolescent Health Review', '11', '6', '300-311'
  ),
  work(
    'Perovskite solar cells with carbon electrodes exceed twenty percent efficiency',
    [['Junjie', 'Chen'], ['Rui', 'Costa']],
    2022, 'Energy Devices', '7', '9', '888-897'
  ),
  work(
    'A survey of differential privacy for federated learning systems',
    [['Omar', 'Haddad'], ['Ingrid', 'Lund']],
    2023, 'Privacy Engineering', '3', '2', '45-80'
  )
]

/** Mulberry32. */
function random (seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6D2B79F5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

type Ids = Partial<Record<'doi' | 'pmid' | 'pmcid' | 'arxiv' | 'openalex', string>>

const idsOf = (at: number): Required<Ids> => ({
  doi: `10.5555/work.${at}`,
  pmid: String(38_000_000 + at),
  pmcid: `PMC${9_000_000 + at}`,
  arxiv: `2101.${String(10_000 + at)}`,
  openalex: `W30${at}`
})

/** A work as a source states it. */
function stated (
  source: string,
  { title, authors, year, venue, volume, issue, pages }: Work,
  ids: Ids,
  more: Partial<PaperRecord> = {}
): PaperRecord {
  const { doi = null, ...external_ids } = ids
  return record({
    title,
    authors: authors.map(([given, family]) => ({ name: `${given} ${family}` })),
    published_date: `${year}-03-01`,
    venue_name: venue,
    doi,
    external_ids,
    source: { name: source },
    source_paper_id: ids[({ pubmed: 'pmid', arxiv: 'arxiv', openalex: 'openalex' } as const)[source as 'pubmed'] ?? 'doi'] ?? null,
    metadata: { volume, issue, pages },
    ...more
  })
}

/** Notations of a title in which sources differ. */
const titleNotations: ReadonlyArray<(title: string) => string> = [
  title => title,
  title => title.toUpperCase(),
  title => `${title}.`,
  title => title.normalize('NFD'),
  title => title.normalize('NFD').replace(/[\u0300-\u036f]/g, '').replace(/ß/g, 'ss').replace(/ø/g, 'o').replace(/ł/gi, 'l'),
  title => title.replaceAll('-', '‐').replaceAll(': ', ' — '),
  title => title.replaceAll('-', ' '),
  title => title.replaceAll('β', 'beta').replaceAll('₂', '2'),
  title => title.replaceAll('β', '$\\beta$').replaceAll('₂', '$_2$').replaceAll('ö', '{\\"o}').replaceAll('ü', '\\"{u}'),
  title => title.replaceAll('₂', '<sub>2</sub>').replace(/\b(\w{7,})\b/, '<i>$1</i>'),
  title => title.replace(/\b([a-z]{7,})\b/, '\\textit{$1}'),
  title => title.replace(/\s/g, '\u00A0'),
  title => `Retracted: ${title}`
]

type Names = (authors: Work['authors']) => Array<{ name: string }>
const firstLetters = (given: string) => given.split(/[\s-]+/).map(word => word[0]!.toUpperCase())

/** Notations of names in which sources differ. */
const nameNotations: readonly Names[] = [
  authors => authors.map(([given, family]) => ({ name: `${given} ${family}` })),
  authors => authors.map(([given, family]) => ({ name: `${firstLetters(given).join('. ')}. ${family}` })),
  authors => authors.map(([given, family]) => ({ name: `${firstLetters(given).join('')} ${family}` })),
  authors => authors.map(([given, family]) => ({ name: `${family} ${firstLetters(given).join('')}` })),
  authors => authors.map(([given, family]) => ({ name: `${family}, ${given}` })),
  authors => authors.map(([given, family]) => ({ name: `${given} ${family}`.normalize('NFD').replace(/[\u0300-\u036f]/g, '') })),
  authors => authors.slice(0, 1).map(([given, family]) => ({ name: `${given} ${family}` })),
  authors => authors.map(([given, family]) => ({ name: `${given} ${family} Jr.` }))
]

const isCjk = ({ title }: Work) => /\p{Script=Han}/u.test(title)

/** Pairs of one paper. */
function * samePairs (): Iterable<LabeledPair> {
  const next = random(20_261_123)
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  const pair = (kind: string, one: PaperRecord, other: PaperRecord): LabeledPair => ({ kind, same: true, one, other })
  for (const [at, each] of works.entries()) {
    const ids = idsOf(at)
    const crossref = stated('crossref', each, { doi: ids.doi })
    yield pair('one DOI', crossref, stated('pubmed', each, { doi: ids.doi, pmid: ids.pmid }))
    yield pair('one DOI, other years',
      crossref,
      stated('openalex', { ...each, year: each.year + 1 }, { doi: ids.doi, openalex: ids.openalex }))
    yield pair('one DOI, subtitle left out',
      crossref,
      stated('openalex', { ...each, title: each.title.split(':')[0]! }, { doi: ids.doi, openalex: ids.openalex }))
    yield pair('one DOI, translated title',
      crossref,
      stated('pubmed', { ...each, title: `A translation of work ${at}` }, { doi: ids.doi, pmid: ids.pmid }))
    yield pair('one DOI, no authors', crossref, stated('pubmed', { ...each, authors: [] }, { doi: ids.doi, pmid: ids.pmid }))
    yield pair('one PMID',
      stated('pubmed', each, { pmid: ids.pmid }),
      stated('europepmc', each, { pmid: ids.pmid, pmcid: ids.pmcid, doi: ids.doi }))
    yield pair('one PMCID', stated('pubmed', each, { pmid: ids.pmid, pmcid: ids.pmcid }), stated('europepmc', each, { pmcid: ids.pmcid }))
    yield pair('one arXiv id',
      stated('arxiv', each, { arxiv: ids.arxiv }, { metadata: { version: 1 } }),
      stated('openalex', each, { arxiv: ids.arxiv, openalex: ids.openalex, doi: ids.doi }))
    yield pair('arXiv with the DOI of the journal', stated('arxiv', each, { arxiv: ids.arxiv, doi: ids.doi }), crossref)
    for (const [base, one, other] of [
      [`10.6084/m9.figshare.${1_000_000 + at}`, '.v1', '.v2'], [`10.6084/m9.figshare.${2_000_000 + at}`, '', '.v3'],
      [`10.21203/rs.3.rs-${300_000 + at}`, '/v1', '/v2'],
      [`10.12688/f1000research.${20_000 + at}`, '.1', '.2'], [`10.26434/chemrxiv-2021-ab${at}`, '', '-v2']
    ] as const) {
      yield pair('versions with DOIs of their own', stated('crossref', each, { doi: base + one }, { metadata: { preprint: true } }),
        stated('openalex', each, { doi: base + other, openalex: `W77${at}` }, { metadata: { preprint: true } }))
    }
    // Without an identifier in common: title, first author and year tell.
    for (let variant = 0; variant < 16; variant++) {
      const names = isCjk(each) ? nameNotations[0]! : oneOf(nameNotations)
      const title = oneOf(titleNotations)(each.title)
      const { volume, pages } = each
      const place = oneOf([{ metadata: {} }, {}, { metadata: { volume } }, { metadata: { volume, pages } }])
      yield pair('no identifier in common',
        stated('crossref', each, { doi: ids.doi }),
        stated('pubmed', { ...each, title }, { pmid: ids.pmid }, { authors: names(each.authors), ...place }))
    }
  }
}

/** A first author with a short family name as sources write it, with the others of its list. */
const shortNames: ReadonlyArray<[capitals: string[], others: string[][]]> = [
  [['Xiaoming LI'], [['Xiaoming Li'], ['Li, Xiaoming'], ['LI, Xiaoming'], ['XIAOMING LI']]],
  [['Wei WU', 'Lena ANDERS'], [['Wei Wu', 'Lena Anders'], ['Wu W', 'Anders L'], ['W. Wu', 'L. Anders'], ['Wei WU', 'Lena ANDERS']]],
  [['Jean ROY', 'Anne DIOP'], [['Jean Roy', 'Anne Diop'], ['Roy J', 'Diop A'], ['Roy, J.', 'Diop, A.']]],
  [['Lovelace AB', 'Babbage C'], [['Ada B. Lovelace', 'Charles Babbage'], ['A. Lovelace'], ['Lovelace, Ada']]]
]

/** People whose short family names tell them apart. */
const otherShortNames: ReadonlyArray<[one: string[], other: string[]]> = [
  [['Wei LI'], ['Wei Lu']], [['Wei LI'], ['Wei LU']], [['Xiaoming LI'], ['Jun Li']], [['Lovelace AB'], ['Lovelace CD']],
  [['Lovelace AB'], ['Ab Fischer']]
]

/** Pairs of two papers that look alike. */
function * differentPairs (): Iterable<LabeledPair> {
  const pair = (kind: string, one: PaperRecord, other: PaperRecord): LabeledPair => ({ kind, same: false, one, other })
  for (const [at, each] of works.entries()) {
    const ids = idsOf(at)
    const { title, authors, year } = each
    const crossref = stated('crossref', each, { doi: ids.doi })
    const other = (kind: string, changed: Partial<Work>, more: Partial<PaperRecord> = {}) =>
      pair(kind, crossref, stated('pubmed', { ...each, ...changed }, { pmid: String(39_000_000 + at) }, more))
    for (const prefix of [
      'Erratum to: ', 'Corrigendum: ', 'Correction to: ', 'Comment on: ', 'Reply to comments on: ', 'Retraction notice: ', 'Protocol for: '
    ]) {
      yield other('notices and comments', { title: `${prefix}${title}` }, { metadata: {} })
    }
    yield pair('parts',
      stated('crossref', { ...each, title: `${title}. Part I` }, { doi: `${ids.doi}.i` }),
      stated('pubmed', { ...each, title: `${title}. Part II` }, { pmid: ids.pmid }))
    yield pair('parts',
      stated('crossref', { ...each, title: `${title} 1` }, { doi: `${ids.doi}.i` }),
      stated('pubmed', { ...each, title: `${title} 2` }, { pmid: ids.pmid }))
    yield other('another year', { year: year + 1 }, { metadata: {} })
    yield other('another first author', { authors: [['Xenia', 'Quist'], ...authors] }, { metadata: {} })
    yield other('another person of the same name', { authors: [['Ulrich', authors[0]![1]]] }, { metadata: {} })
    yield other('other authors after the first', { authors: [authors[0]!, ['Zoë', 'Quist'], ['Yun', 'Park']] }, { metadata: {} })
    yield other('another volume', { volume: String(Number(each.volume) + 1) })
    yield other('another issue', { issue: String(Number(each.issue) + 1) })
    yield other('another page', { pages: '7001-7002' })
    yield pair('talk and article',
      stated('crossref', each, { doi: ids.doi }, { metadata: { publication_types: ['proceedings-article'] } }),
      stated('pubmed', each, { pmid: ids.pmid }, { metadata: { publication_types: ['Journal Article'] } }))
    yield pair('preprint and published form', stated('arxiv', each, { arxiv: ids.arxiv }, { metadata: {} }), crossref)
    yield pair('reviewed preprint and article',
      stated('crossref', each, { doi: `10.7554/elife.${80_000 + at}.1` }, { metadata: { preprint: true } }),
      stated('crossref', each, { doi: `10.7554/elife.${80_000 + at}` }))
    yield pair('versions with other PMIDs',
      stated('europepmc', each, { doi: `10.21203/rs.3.rs-${400_000 + at}/v1`, pmid: ids.pmid }),
      stated('europepmc', each, { doi: `10.21203/rs.3.rs-${400_000 + at}/v2`, pmid: String(39_500_000 + at) }))
    yield pair('other DOIs', crossref, stated('openalex', each, { doi: `${ids.doi}.other`, openalex: ids.openalex }))
    yield pair('versions of a dataset without a common part',
      stated('crossref', each, { doi: `10.5281/zenodo.${5_000_000 + at}` }),
      stated('openalex', each, { doi: `10.5281/zenodo.${5_000_001 + at}`, openalex: ids.openalex }))
    yield pair('figures of an article', crossref, stated('crossref', each, { doi: `${ids.doi}.g001` }))
    yield pair('missing author',
      stated('crossref', { ...each, authors: [] }, { doi: ids.doi }),
      stated('pubmed', { ...each, authors: [] }, { pmid: ids.pmid }, { metadata: {} }))
    yield pair('missing year',
      stated('crossref', each, { doi: ids.doi }, { published_date: null }),
      stated('pubmed', each, { pmid: ids.pmid }, { published_date: null, metadata: {} }))
    for (const twin of [
      'Editorial', 'Introduction', 'Preface', 'Reply', 'Letter to the Editor', 'In this issue', 'Editorial: the year in review',
      'Introduction to the special issue', 'Book review', '巻頭言', 'Message from the editor'
    ]) {
      yield pair('twins',
        stated('crossref', { ...each, title: twin }, { doi: ids.doi }, { metadata: {} }),
        stated('pubmed', { ...each, title: twin }, { pmid: ids.pmid }, { metadata: {} }))
    }
    const neighbor = works[(at + 1) % works.length]!
    yield pair('other works', crossref, stated('pubmed', neighbor, { pmid: ids.pmid }))
    yield pair('other titles of one author', crossref, stated('pubmed', { ...each, title: neighbor.title }, { pmid: ids.pmid }))
  }
}

/** Pairs whose first authors have short family names or initials at the end. */
function * shortNamePairs (): Iterable<LabeledPair> {
  const [each] = works as [Work]
  const { doi, pmid } = idsOf(0)
  const by = (source: string, names: string[], ids: Ids) =>
    stated(source, each, ids, { authors: names.map(name => ({ name })), metadata: {} })
  const pair = (same: boolean, one: string[], other: string[]): LabeledPair =>
    ({ kind: 'short family names', same, one: by('crossref', one, { doi }), other: by('pubmed', other, { pmid }) })
  for (const [one, others] of shortNames) for (const other of others) yield pair(true, one, other)
  for (const [one, other] of otherShortNames) yield pair(false, one, other)
}

/** Every pair, one paper or two. */
export const labeledPairs = (): LabeledPair[] => [...samePairs(), ...differentPairs(), ...shortNamePairs()]
