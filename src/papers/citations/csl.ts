import type { Paper } from '../../../schemas/paper.js'
import type { CitationKind } from '../publication-kinds.js'
import type { Annotations, CitationFormat } from './format.js'
import type { SortedName } from './names.js'
import { type Reference, referenceOf } from './reference.js'

const types: Readonly<Record<CitationKind, string>> = {
  article: 'article-journal',
  proceedings: 'paper-conference',
  chapter: 'chapter',
  book: 'book',
  thesis: 'thesis',
  report: 'report',
  preprint: 'article',
  other: 'document'
}

export const csl: CitationFormat = {
  name: 'csl',
  title: 'CSL-JSON',
  readBy: 'Zotero, Pandoc and citation processors',
  type: 'application/vnd.citationstyles.csl+json; charset=utf-8',
  extension: 'json',
  list: { begin: '[\n', separator: ',\n', end: '\n]\n' },
  write
}

/** One paper as a CSL-JSON item. @see https://citeproc-js.readthedocs.io/en/latest/csl-json/markup.html */
function write (paper: Paper, _taken?: Map<string, number>, marks?: Annotations): string {
  const reference = referenceOf(paper, marks)
  const { kind, date, pages } = reference
  // JSON.stringify leaves unknown fields out.
  return JSON.stringify({
    id: paper.id,
    type: types[kind],
    genre: kind === 'preprint' ? 'preprint' : undefined,
    title: reference.title,
    author: reference.authors.length === 0 ? undefined : reference.authors.map(nameOf),
    issued: date === undefined ? undefined : { 'date-parts': [datePartsOf(date)] },
    'container-title': kind === 'preprint' ? undefined : reference.venue,
    volume: reference.volume,
    issue: reference.issue,
    page: pages === undefined ? undefined : pages.last === undefined ? pages.first : `${pages.first}-${pages.last}`,
    // The server of a preprint.
    publisher: kind === 'preprint' ? reference.venue ?? reference.publisher : reference.publisher,
    language: reference.language,
    ISSN: reference.issn,
    ISBN: reference.isbn,
    DOI: reference.doi,
    PMID: reference.pmid,
    PMCID: reference.pmcid,
    number: reference.arxiv === undefined ? undefined : `arXiv:${reference.arxiv}`,
    URL: reference.url,
    keyword: reference.keywords.length === 0 ? undefined : joinKeywords(reference.keywords),
    'citation-key': reference.key,
    abstract: reference.abstract,
    note: [reference.notices, reference.note].filter(text => text !== undefined).join('\n') || undefined
  })
}

const nameOf = ({ family, given, suffix }: SortedName) => given === undefined ? { literal: family } : { family, given, suffix }

/** Joins keywords by commas, which CSL expects, or by semicolons where a keyword has a comma; one ends with it if there is no other. */
function joinKeywords (keywords: readonly string[]): string {
  if (!keywords.some(keyword => keyword.includes(','))) return keywords.join(', ')
  return keywords.length === 1 ? `${keywords[0]};` : keywords.join('; ')
}

const datePartsOf = ({ year, month, day }: NonNullable<Reference['date']>) =>
  [year, month, day].filter(part => part !== undefined).map(Number)
