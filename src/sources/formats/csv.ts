import type { PaperRecord } from '../../../schemas/paper.js'
import { arxivIn, doiIn, idsIn, idsInNote, issnIn, openalexIn, pmcidIn, pmidIn, webAddress } from '../../papers/identifiers.js'
import { dateWithin, readDate } from '../../papers/stated-date.js'
import { type CsvField, fieldReader, headerOf, type TableHeader, understoodColumns } from './csv-columns.js'
import { FieldRows } from './csv-fields.js'
import { TableSplitter, type TableRow } from './csv-rows.js'
import { type Format, type ParsedRecord, type ParseResult, requireTitle } from './format.js'
import { statedIssns, toMetadata } from './metadata.js'
import { namesIn } from './name-lists.js'
import { authorsOf } from './names.js'
import { plainParagraphs, plainText } from './plain-text.js'
import { isRetractedType } from './publication-types.js'
import { readTaggedCells } from './web-of-science.js'
import { zoteroTypes } from './zotero-item.js'

/** Characters in which the header of a table is searched. */
const headLength = 64 * 1024

/** Tables of databases and reference managers, separated by commas, semicolons or tabs. */
export const csv: Format = {
  name: 'csv',
  title: 'CSV',
  extensions: ['.csv', '.tsv'],
  matches: head => (headerOf(head.slice(0, headLength))?.known ?? 0) > 1,
  async * read (text) {
    const pieces = text[Symbol.asyncIterator]()
    try {
      let head = ''
      let next = await pieces.next()
      for (; next.done !== true && head.length < headLength; next = await pieces.next()) head += next.value
      if (head.trim() === '') return
      const header = headerOf(head.slice(0, headLength))
      if (header === undefined) {
        yield { place: 1, reason: noTitles, ended: true }
        return
      }
      const { kind, separator } = header
      const splitter = new TableSplitter(separator, { hasQuotes: kind !== 'tags' || separator !== '\t', keepsEmpty: kind === 'fields' })
      const reader = kind === 'fields' ? fieldsReader() : recordReader(header)
      yield * reader.read(splitter.write(head))
      for (; next.done !== true; next = await pieces.next()) yield * reader.read(splitter.write(next.value))
      yield * reader.read(splitter.end())
      yield * reader.end()
    } finally {
      await pieces.return?.()
    }
  }
}

/** Reads the rows of a table, from its first one on, as records. */
interface TableReader { read: (rows: readonly TableRow[]) => Iterable<ParsedRecord>, end: () => Iterable<ParsedRecord> }

/** Reads a table with a field in each row. */
function fieldsReader (): TableReader {
  const fields = new FieldRows()
  let place = 0
  const recordOf = (ended: ReturnType<FieldRows['end']>): ParsedRecord[] =>
    ended === undefined ? [] : [{ place: ++place, line: ended.row.line, ...wordsReader(ended.columns)(ended.row) }]
  return {
    * read (rows) { for (const row of rows) yield * recordOf(fields.add(row)) },
    end: () => recordOf(fields.end())
  }
}

function recordReader (header: TableHeader): TableReader {
  const readRow = header.kind === 'tags' ? tagsReader(header.columns) : wordsReader(header.columns)
  let read = 0
  return {
    * read (rows) {
      for (const row of rows) {
        const place = ++read - header.rows
        if (place > 0) yield { place, line: row.line, ...readRow(row) }
      }
    },
    end: () => []
  }
}

/** Why a table is refused that names no titles. */
export const noTitles = `the table has no column of titles. Name its columns in the first row: ${understoodColumns}`

type RowReader = (row: TableRow) => ParseResult

/** Cells that belong to no column shift the others. */
function faultOf ({ cells, fault }: TableRow, columns: readonly string[]): string | undefined {
  if (fault !== undefined) return fault
  if (cells.slice(columns.length).every(cell => cell.trim() === '')) return undefined
  return `the row has ${cells.length} cells, but the table has ${columns.length} columns. Check its quotes and separators`
}

function wordsReader (columns: readonly string[]): RowReader {
  const fieldsOf = fieldReader(columns)
  const has = (...names: string[]) => names.every(name => columns.includes(name))
  const isOwn = has('published date', 'openalex', 'relevance score')
  const hasFullNames = !has('abstract note') && !has('source title')
  return row => {
    const fault = faultOf(row, columns)
    if (fault !== undefined) return { reason: fault }
    return requireTitle(readRecord(fieldsOf(row.cells.map(withoutGuard)), { isOwn, hasFullNames }))
  }
}

function tagsReader (columns: readonly string[]): RowReader {
  return row => {
    const fault = faultOf(row, columns)
    return fault === undefined ? requireTitle(readTaggedCells(columns, row.cells)) : { reason: fault }
  }
}

/** The apostrophe that exports put before what a spreadsheet would run as a formula, as OWASP recommends. */
const guard = /^'(?=\s*[=+\-@＝＋－＠])/u
const withoutGuard = (cell: string): string => cell.replace(guard, '')

/** Spreadsheets and programs write some years and numbers as decimals. */
const wholeNumber = (text: string | undefined): string | undefined => text?.replace(/^(\d{1,12})\.0$/, '$1')

/** Between two addresses of a cell. Bounded: a longer run would be tried from each of its characters. */
const nextAddress = /[\s;|]{1,10}(?=https?:)/

type FieldOf = (field: CsvField) => string | undefined

function readRecord (field: FieldOf, { isOwn, hasFullNames }: { isOwn: boolean, hasFullNames: boolean }): PaperRecord {
  const extra = (field('extra') ?? '').slice(0, 5000)
  const noted = idsInNote(extra)
  const url = field('url')?.split(nextAddress)[0]
  const doi = doiIn(field('doi')) ?? doiIn(/^DOI:\s*(\S+)/im.exec(extra)?.[1]) ?? (/doi/i.test(url ?? '') ? doiIn(url) : null)
  const ids = idsIn([doi, url, field('pmid'), field('pmcid'), field('openalex')])
  const pmid = pmidIn(wholeNumber(field('pmid'))) ?? noted.pmid ?? ids.pmid
  const pmcid = pmcidIn(field('pmcid')) ?? noted.pmcid ?? ids.pmcid
  const arxiv = arxivIn(field('arxiv')) ?? ids.arxiv
  const openalex = openalexIn(field('openalex')) ?? ids.openalex
  const cited = citationParts(field('citation'))
  const published = publishedOf(field, cited.date)
  const types = (field('type') ?? '').split(/[;|]/).map(type => plainText(type)).filter(type => type !== '')
  const names = field('authors') ?? ''
  const issns = statedIssns([field('issn'), field('eissn')].filter(issn => issn !== undefined).join(' '))
  const pages = field('pages') ?? ([field('firstPage'), field('lastPage')].filter(page => page !== undefined).join('-') ||
    field('articleNumber') || cited.pages)
  return {
    title: plainText(field('title') ?? ''),
    abstract: plainParagraphs(withoutPlaceholder(field('abstract'))),
    authors: authorsOf(isOwn ? ownNames(names) : namesIn(names, { hasFullNames })),
    published_date: published.date,
    url: webAddress(url),
    pdf_url: webAddress(field('pdf')),
    doi,
    venue_name: plainText(field('venue') ?? '') || null,
    external_ids: {
      ...(pmid === null ? {} : { pmid }),
      ...(pmcid === null ? {} : { pmcid }),
      ...(arxiv === null ? {} : { arxiv }),
      ...(openalex === null ? {} : { openalex })
    },
    source: { name: 'csv' },
    source_paper_id: null,
    metadata: toMetadata({
      type: types.length === 1 ? zoteroTypes[types[0]!] ?? types[0] : undefined,
      publication_types: types.length > 1 ? types : [],
      citation_key: field('citationKey'),
      // This service writes a whole date even if a source states the year alone.
      published: isOwn ? undefined : published.written,
      journal_abbreviation: field('abbreviation'),
      volume: wholeNumber(field('volume')) ?? cited.volume,
      issue: wholeNumber(field('issue')) ?? cited.issue,
      pages,
      ...(issnIn(issns.issn) === null ? {} : issns),
      isbn: field('isbn'),
      publisher: field('publisher'),
      language: field('language'),
      keywords: keywordsIn(field('keywords') ?? ''),
      retracted: isRetractedType(types) || types.some(type => /^retracted$/i.test(type)) ? true : undefined
    })
  }
}

/** Authors as this service writes them. */
const ownNames = (written: string): string[] => plainText(written).split(';').map(name => name.trim())

/** Scopus writes this for a missing abstract. */
const withoutPlaceholder = (abstract = ''): string => /^\[?no abstract available\]?\.?$/i.test(abstract) ? '' : abstract

/** Semicolons or vertical lines separate keywords, otherwise commas. */
const keywordsIn = (text: string): string[] =>
  text.split(text.includes(';') ? ';' : /[|\n]/.test(text) ? /[|\n]/ : ',').map(plainText).filter(keyword => keyword !== '')

/** The year, or an exact date that agrees with it. */
function publishedOf (field: FieldOf, cited: string | undefined): { date: string | null, written: string | undefined } {
  const year = wholeNumber(field('year'))
  const month = wholeNumber(field('month'))
  const day = wholeNumber(field('day'))
  const parts = year === undefined || month === undefined ? undefined : [year, month, day].filter(part => part !== undefined).join('-')
  const yearDate = readDate(year)
  for (const written of [field('date'), parts, cited]) {
    const date = readDate(written)
    if (date !== null && (yearDate === null || dateWithin(yearDate, 'year', date) === date)) return { date, written }
  }
  return { date: yearDate, written: year ?? field('date') }
}

/** Reads the citation of a table of PubMed: "J Test. 2026 Mar 5;12(3):34-56. doi: 10.5555/x." */
function citationParts (citation = ''): { date?: string, volume?: string, issue?: string, pages?: string } {
  const [, date, rest] = /\. (\d{4}[^;:.]{0,20})(?:;([^\s:]{0,40}:[^.\s]{1,40}|[^\s:.]{1,40}))?/.exec(citation.slice(0, 1000)) ?? []
  const [, volume, issue, pages] = /^([^(:]*)(?:\(([^)]*)\))?(?::(.*))?$/.exec(rest ?? '') ?? []
  return {
    ...(date === undefined ? {} : { date }),
    ...(volume ? { volume } : {}),
    ...(issue ? { issue } : {}),
    ...(pages ? { pages } : {})
  }
}
