import type { Paper } from '../../../schemas/paper.js'
import { tagKey } from '../../../schemas/tags.js'
import { issnIn } from '../identifiers.js'
import { describeNotices } from '../notices.js'
import { type CitationKind, citationKindOf } from '../publication-kinds.js'
import { readStatedDate } from '../stated-date.js'
import type { Annotations } from './format.js'
import { type SortedName, sortedName } from './names.js'

/** A reference in terms that all formats share; undefined fields are unknown. */
export interface Reference {
  kind: CitationKind
  title: string
  authors: SortedName[]
  /** Only what the source stated: a year alone has neither month nor day. */
  date: { year: string, month?: string, day?: string } | undefined
  /** The journal, book or series; of a book, thesis or report nothing else than its publisher. */
  venue: string | undefined
  volume: string | undefined
  issue: string | undefined
  pages: { first: string, last?: string } | undefined
  issn: string | undefined
  isbn: string | undefined
  /** The publisher; of a thesis or report the institution. */
  publisher: string | undefined
  language: string | undefined
  keywords: string[]
  doi: string | undefined
  arxiv: string | undefined
  arxivClass: string | undefined
  pmid: string | undefined
  pmcid: string | undefined
  openalex: string | undefined
  url: string | undefined
  pdf: string | undefined
  abstract: string | undefined
  /** The owner's note. */
  note: string | undefined
  /** Its notices: "Retracted on 2010-02-06 (PubMed): https://…". */
  notices: string | undefined
  /** The key that the reference came with. */
  key: string | undefined
}

/** Converts a paper to a reference. */
export function referenceOf (paper: Paper, { tags, note }: Annotations = { tags: [], note: null }): Reference {
  const {
    title,
    abstract,
    authors,
    venue_name,
    url,
    index_url,
    pdf_url,
    doi,
    external_ids: { arxiv, pmid, pmcid, openalex },
    metadata
  } = paper
  const number = textOf(metadata.issn_or_isbn)
  const isIsbn = number !== undefined && number.replace(/[^\dX]/gi, '').length >= 10
  const kind = citationKindOf(paper)
  const publisher = textOf(metadata.publisher)
  // Files and sources state the institution or publisher of these in either field.
  const isPublishedAlone = kind === 'book' || kind === 'thesis' || kind === 'report'
  const isPublisher = isPublishedAlone && (publisher === undefined || publisher === venue_name)
  return {
    kind,
    title,
    authors: authors.map(({ name, group }) => group === true ? { family: name } : sortedName(name)),
    date: paper.published_date === null ? undefined : dateParts(paper.published_date, textOf(metadata.published)),
    venue: isPublisher ? undefined : venue_name ?? undefined,
    volume: textOf(metadata.volume),
    issue: textOf(metadata.issue),
    pages: pagesOf(textOf(metadata.pages)),
    issn: issnOf(metadata.issn) ?? (isIsbn ? undefined : number),
    isbn: textOf(metadata.isbn) ?? (isIsbn ? number : undefined),
    publisher: isPublisher ? venue_name ?? undefined : publisher,
    language: textOf(metadata.language),
    keywords: distinct([...listOf(metadata.keywords), ...tags]),
    doi: doi ?? undefined,
    arxiv: arxiv ?? undefined,
    arxivClass: textOf(metadata.primary_category),
    pmid: pmid ?? undefined,
    pmcid: pmcid ?? undefined,
    openalex: openalex ?? undefined,
    url: url ?? index_url ?? undefined,
    pdf: pdf_url ?? undefined,
    abstract: abstract ?? undefined,
    note: note ?? undefined,
    notices: describeNotices(metadata),
    key: textOf(metadata.citation_key)
  }
}

/** Texts that differ in case alone are one. */
function distinct (texts: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const text of texts) if (!byKey.has(tagKey(text))) byKey.set(tagKey(text), text)
  return [...byKey.values()]
}

const textOf = (value: string | string[] | undefined): string | undefined => listOf(value)[0]

/** MEDLINE adds a kind: "1476-4687 (Electronic)". */
function issnOf (stated: string | undefined): string | undefined {
  const text = textOf(stated)
  return issnIn(text?.split(' ')[0] ?? '') ?? text
}

/** Sources state one text or several. */
const listOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value])
  .map(each => typeof each === 'string' || typeof each === 'number' ? String(each).replace(/[\s\u0085\u001c-\u001f]+/g, ' ').trim() : '')
  .filter(each => each !== '')

/** A missing month or day is stored as 01; the date as written shows whether the source stated it. @param date YYYY-MM-DD */
export function dateParts (date: string, written: string | undefined): NonNullable<Reference['date']> {
  const [year = '', month = '', day = ''] = date.split('-')
  const stated = readStatedDate(written)
  const precision = stated?.date === date ? stated.precision : 'year'
  if (day !== '01' || precision === 'day') return { year, month, day }
  return month !== '01' || precision === 'month' ? { year, month } : { year }
}

function pagesOf (text: string | undefined): Reference['pages'] {
  if (text === undefined) return undefined
  const [, first, last] = /^([^\s,;–—-]+)\s*[–—-]+\s*([^\s,;–—-]+)$/.exec(text) ?? []
  return first === undefined ? { first: text } : { first, last: wholePage(first, last!) }
}

/** MEDLINE leaves out the digits that both pages share: "132-42" ends on page 142, and "S12-9" on S19. */
function wholePage (first: string, last: string): string {
  const [, prefix, digits] = /^(\p{L}*)(\d{1,9})$/u.exec(first) ?? []
  if (digits === undefined || !/^\d+$/.test(last) || last.length >= digits.length) return last
  const whole = digits.slice(0, -last.length) + last
  return Number(whole) > Number(digits) ? prefix + whole : last
}
