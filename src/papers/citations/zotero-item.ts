import type { Paper } from '../../../schemas/paper.js'
import type { CitationKind } from '../publication-kinds.js'
import type { SortedName } from './names.js'
import { type Reference, referenceOf } from './reference.js'

/** Zotero refuses items whose fields are longer than it stores; most papers are far below. */
const [maxAbstractLength, maxCreators] = [30_000, 1000]

/** Fields of an item as Zotero's Web API accepts them. */
export type ZoteroItem = Readonly<Record<string, unknown>>

/** Names of the fields of an item type that differ from those of other types. */
interface Form {
  itemType: string
  venue?: string
  institution?: string
  publisher?: string
  hasDoi?: true
  hasIssue?: true
  hasIssn?: true
  hasIsbn?: true
}

const forms: Readonly<Record<CitationKind, Form>> = {
  article: { itemType: 'journalArticle', venue: 'publicationTitle', hasDoi: true, hasIssue: true, hasIssn: true },
  proceedings: { itemType: 'conferencePaper', venue: 'proceedingsTitle', publisher: 'publisher', hasDoi: true, hasIsbn: true },
  chapter: { itemType: 'bookSection', venue: 'bookTitle', publisher: 'publisher', hasIsbn: true },
  book: { itemType: 'book', publisher: 'publisher', hasIsbn: true },
  thesis: { itemType: 'thesis', institution: 'university' },
  report: { itemType: 'report', institution: 'institution' },
  preprint: { itemType: 'preprint', venue: 'repository', hasDoi: true },
  other: { itemType: 'document', publisher: 'publisher' }
}
const withVolume: ReadonlySet<CitationKind> = new Set(['article', 'proceedings', 'chapter', 'book'])
const withPages: ReadonlySet<CitationKind> = new Set(['article', 'proceedings', 'chapter', 'report'])

/**
 * A paper as a new item of Zotero. Identifiers without a field of the type are lines of "extra", where Zotero looks for them. So are
 * retractions and other notices, for readers.
 * @see https://api.zotero.org/schema
 */
export function zoteroItemOf (paper: Paper): ZoteroItem {
  const reference = referenceOf(paper)
  const { kind, date, pages, doi, pmid, pmcid, arxiv } = reference
  const form = forms[kind]
  const isArchived = kind === 'preprint' && arxiv !== undefined
  const extra = [
    form.hasDoi === true ? undefined : line('DOI', doi),
    line('PMID', pmid),
    line('PMCID', pmcid),
    isArchived ? undefined : line('arXiv', arxiv),
    line('Notices', reference.notices)
  ].filter(each => each !== undefined)
  return withoutEmpty({
    itemType: form.itemType,
    title: reference.title,
    creators: reference.authors.slice(0, maxCreators).map(creatorOf),
    abstractNote: reference.abstract?.slice(0, maxAbstractLength).toWellFormed(),
    date: date === undefined ? undefined : [date.year, date.month, date.day].filter(part => part !== undefined).join('-'),
    ...(form.venue === undefined ? {} : { [form.venue]: reference.venue }),
    ...(form.institution === undefined ? {} : { [form.institution]: reference.venue ?? reference.publisher }),
    ...(form.publisher === undefined ? {} : { [form.publisher]: reference.publisher ?? (kind === 'other' ? reference.venue : undefined) }),
    ...(withVolume.has(kind) ? { volume: reference.volume } : {}),
    ...(form.hasIssue === true ? { issue: reference.issue } : {}),
    ...(withPages.has(kind) ? { pages: pagesOf(pages) } : {}),
    ...(form.hasDoi === true ? { DOI: doi } : {}),
    ...(form.hasIssn === true ? { ISSN: reference.issn } : {}),
    ...(form.hasIsbn === true ? { ISBN: reference.isbn } : {}),
    ...(isArchived ? { archiveID: `arXiv:${arxiv}` } : {}),
    language: reference.language,
    url: reference.url,
    extra: extra.join('\n')
  })
}

const line = (name: string, value: string | undefined) => value === undefined ? undefined : `${name}: ${value}`

const creatorOf = ({ family, given, suffix }: SortedName) => given === undefined
  ? { creatorType: 'author', name: family }
  : { creatorType: 'author', firstName: given, lastName: suffix === undefined ? family : `${family} ${suffix}` }

const pagesOf = (pages: Reference['pages']) =>
  pages === undefined ? undefined : pages.last === undefined ? pages.first : `${pages.first}-${pages.last}`

const withoutEmpty = (fields: Record<string, unknown>): ZoteroItem =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''))
