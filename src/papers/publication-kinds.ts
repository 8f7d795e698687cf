import type { Paper, PaperRecord } from '../../schemas/paper.js'
import { hasOnlyPreprints, isPreprintServer } from './source-traits.js'

/** The kinds of works that merging tells apart. A `paper` is an article, a talk, a chapter or a notice. */
type WorkKind =
  'notice' | 'talk' | 'article' | 'paper' | 'chapter' | 'book' | 'thesis' | 'report' | 'data' | 'patent' | 'review' | 'standard' | 'grant'

/** The kinds that citation formats tell apart. */
export type CitationKind = 'article' | 'proceedings' | 'chapter' | 'book' | 'thesis' | 'report' | 'preprint' | 'other'

interface PublicationKind {
  /** Names in sources and file formats, in lower case. */
  readonly names: readonly string[]
  /** Undefined if works of several kinds have these names. */
  readonly work?: WorkKind
  /** Undefined if the venue decides. */
  readonly citation?: CitationKind
}

const preprint: PublicationKind = { citation: 'preprint', names: ['preprint', 'posted-content', 'unpublished', 'unpb', 'eprint'] }

/** A paper that states several kinds is cited as the first: PubMed calls preprints journal articles, too. */
const publicationKinds: readonly PublicationKind[] = [
  {
    work: 'notice',
    names: ['erratum', 'corrigendum', 'retraction', 'published erratum', 'retraction of publication', 'expression of concern']
  },
  {
    work: 'chapter',
    citation: 'chapter',
    names: ['inbook', 'incollection', 'chap', 'echap', 'chapter', 'book-chapter', 'book chapter', 'book-section', 'book section']
  },
  {
    work: 'talk',
    citation: 'proceedings',
    names: [
      'inproceedings', 'proceedings-article', 'proceedings paper', 'conference paper', 'conference', 'conf', 'cpaper', 'paper-conference'
    ]
  },
  // Most of these are in journals.
  { work: 'talk', names: ['congress', 'congresses', 'conference abstract', 'meeting abstract', 'abstract'] },
  {
    work: 'book',
    citation: 'book',
    names: ['book', 'ebook', 'mvbook', 'edbook', 'edited-book', 'reference-book', 'monograph', 'collection', 'proceedings']
  },
  { work: 'thesis', citation: 'thesis', names: ['thesis', 'thes', 'dissertation', 'phdthesis', 'mastersthesis', 'masterthesis'] },
  { work: 'report', citation: 'report', names: ['report', 'rprt', 'techreport', 'tech_report', 'report-component'] },
  preprint,
  { work: 'article', citation: 'article', names: ['journal-article', 'journal article', 'article-journal', 'jour', 'ejour'] },
  // OpenAlex calls talks and preprints articles, too.
  { work: 'paper', citation: 'article', names: ['article', 'review'] },
  { work: 'paper', names: ['letter', 'editorial'] },
  { citation: 'article', names: ['article-magazine', 'mgzn', 'news'] },
  // The venue of an entry is its encyclopedia.
  { work: 'chapter', names: ['reference-entry', 'book-part', 'book-track'] },
  {
    work: 'data',
    citation: 'other',
    names: ['data', 'dataset', 'software', 'comp', 'computer program', 'supplementary-materials', 'paratext']
  },
  { work: 'data', names: ['component', 'database', 'journal', 'journal-volume', 'journal-issue'] },
  { work: 'patent', citation: 'other', names: ['patent', 'pat'] },
  { work: 'standard', names: ['standard'] },
  { work: 'grant', names: ['grant'] },
  { work: 'review', citation: 'other', names: ['peer-review'] }
]

const kindByName: ReadonlyMap<string, PublicationKind> =
  new Map(publicationKinds.flatMap(kind => kind.names.map(name => [name, kind] as const)))

/** Pairs of kinds that may be one work: some series of books are journals to PubMed, and some proceedings are books to their publishers. */
const mixedKinds: ReadonlyArray<readonly WorkKind[]> = [
  ['article', 'chapter'], ['talk', 'chapter'], ['paper', 'article'], ['paper', 'talk'], ['paper', 'chapter'], ['paper', 'notice']
]

/** The kinds that PubMed calls journal articles, too. */
const tellingKinds: readonly WorkKind[] = ['notice', 'talk']

type Stating = Pick<PaperRecord, 'source' | 'metadata'>

/** Whether the records are of different kinds of works, such as a talk and an article, or a thesis and a book. */
export function differsInKind (one: Stating, other: Stating): boolean {
  const [kinds, otherKinds] = [comparedKindsOf(one), comparedKindsOf(other)]
  return kinds.length > 0 && otherKinds.length > 0 && !kinds.some(kind => otherKinds.some(otherKind => canBeOneKind(kind, otherKind)))
}

/** Whether one is a talk and the other an article. */
export function isTalkAndArticle (one: Stating, other: Stating): boolean {
  const [kinds, otherKinds] = [workKindsOf(one), workKindsOf(other)]
  return (kinds.includes('talk') && otherKinds.includes('article')) || (kinds.includes('article') && otherKinds.includes('talk'))
}

const canBeOneKind = (kind: WorkKind, other: WorkKind): boolean =>
  kind === other || mixedKinds.some(kinds => kinds.includes(kind) && kinds.includes(other))

/** The kinds of a record's work; a paper only where it says nothing more exact. */
function comparedKindsOf (record: Stating): readonly WorkKind[] {
  const kinds = workKindsOf(record)
  return kinds.length === 0 && statedKinds(record).some(({ work }) => work === 'paper') && !isCalledPreprint(record) ? ['paper'] : kinds
}

const isCalledPreprint = (record: Stating): boolean => statedKinds(record).includes(preprint)

/** The kinds of a record's work; none if it does not say so, or says that it is a preprint, of whatever kind of work. */
export function workKindsOf (record: Stating): readonly WorkKind[] {
  if (isCalledPreprint(record)) return []
  const kinds = statedKinds(record).flatMap(({ work }) => work === undefined || work === 'paper' ? [] : work)
  return kinds.some(kind => tellingKinds.includes(kind)) ? kinds.filter(kind => kind !== 'article') : kinds
}

/** Whether the file that a record is from calls it a preprint. */
export const hasPreprintType = (record: Stating): boolean => kindNamed(statedType(record)) === preprint

/** The kind that a paper is cited as: what it states, or what its source or its venue suggest. */
export function citationKindOf (paper: Pick<Paper, 'venue_name' | 'source' | 'metadata'>): CitationKind {
  const stated = statedKinds(paper)
  const kind = publicationKinds.find(kind => kind.citation !== undefined && stated.includes(kind))?.citation
  if (kind !== undefined) return kind
  if (paper.metadata.preprint === true || hasOnlyPreprints(paper.source.name)) return 'preprint'
  if (stated.length === 0 && isPreprintServer(paper.venue_name ?? '')) return 'preprint'
  return paper.venue_name === null ? 'other' : 'article'
}

function statedKinds (record: Stating): PublicationKind[] {
  const { publication_types } = record.metadata
  return [statedType(record), publication_types].flat().flatMap(name => kindNamed(name) ?? [])
}

/** The kind in the words of a file. In CSL, an article without a journal is a preprint. */
const statedType = ({ source, metadata: { type } }: Stating): unknown =>
  source.name === 'csl-json' && type === 'article' ? 'preprint' : type

/** @param name any value, since files may state what they like in these fields */
const kindNamed = (name: unknown): PublicationKind | undefined =>
  typeof name === 'string' ? kindByName.get(name.trim().toLowerCase()) : undefined
