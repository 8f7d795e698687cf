import { TableSplitter, type TableRow } from './csv-rows.js'

/**
 * The columns of each field by the names in headers, the most trusted first, in lower case with single spaces for punctuation: "Art. No."
 * is "art no", "Author(s)" is "author s". They are those of Scopus, Embase, PubMed, Zotero, Rayyan, Covidence, IEEE Xplore, EBSCO,
 * Dimensions, Lens, OpenAlex, Publish or Perish and this service.
 */
const columnNames = {
  title: [
    'title', 'article title', 'document title', 'primary title', 'paper title', 'display name', 'original title',
    'original non english title'
  ],
  authors: [
    'author full names', 'authors', 'author', 'author s', 'author names', 'authorships author display name', 'author list', 'first author'
  ],
  year: ['publication year', 'year', 'published year', 'pub year', 'pubyear'],
  date: ['published date', 'publication date', 'date published', 'date of publication', 'pub date', 'cover date', 'date'],
  month: ['month', 'published month'],
  day: ['day'],
  venue: [
    'source title', 'journal', 'journal title', 'journal book', 'journal name', 'publication title', 'venue', 'container title',
    'primary location source display name', 'secondary title', 'book title', 'publication', 'conference name', 'source'
  ],
  abbreviation: ['journal abbreviation', 'abbreviated source title'],
  volume: ['volume', 'vol'],
  issue: ['issue', 'issue number', 'issue no', 'number'],
  pages: ['pages', 'page s', 'page range', 'pagination'],
  firstPage: ['page start', 'start page', 'first page'],
  lastPage: ['page end', 'end page', 'last page'],
  articleNumber: ['art no', 'article number', 'article no'],
  doi: ['doi', 'doi link', 'doi url', 'digital object identifier'],
  pmid: ['pmid', 'pubmed id', 'medline pmid', 'ids pmid'],
  pmcid: ['pmcid', 'pmc id', 'pubmed central id', 'pmc', 'ids pmcid'],
  arxiv: ['arxiv', 'arxiv id'],
  openalex: ['openalex', 'openalex id', 'ids openalex'],
  abstract: ['abstract', 'abstract note', 'abstracts', 'original abstract', 'original non english abstract'],
  keywords: ['author keywords', 'keywords', 'keyword', 'manual tags'],
  url: ['url', 'link', 'article url', 'full text link', 'source linkout', 'embase link'],
  pdf: ['pdf url', 'pdf link'],
  issn: ['issn', 'issns', 'print issn'],
  eissn: ['eissn', 'e issn', 'electronic issn'],
  isbn: ['isbn', 'isbns'],
  type: ['document type', 'item type', 'publication type', 'reference type', 'doctype', 'type'],
  language: ['language', 'language of original document', 'article language'],
  publisher: ['publisher', 'book publisher'],
  citationKey: ['citation key', 'citationkey', 'bibtexkey'],
  citation: ['citation'],
  extra: ['extra']
} as const satisfies Readonly<Record<string, readonly string[]>>

export type CsvField = keyof typeof columnNames

/** The columns that people are told of. */
export const understoodColumns =
  'Title, Authors, Year, Date, Journal, Volume, Issue, Pages, DOI, PMID, PMCID, arXiv, Abstract, Keywords, URL, ISSN, Document Type'

const fieldNames = Object.keys(columnNames) as CsvField[]
const knownNames: ReadonlySet<string> = new Set(Object.values(columnNames).flat())
const titleNames: ReadonlySet<string> = new Set(columnNames.title)

/** Tags of Web of Science; two of them and the title tell its tables. */
const tagForm = /^[A-Z][A-Z0-9]$/

/** The header of a table. */
export interface TableHeader {
  separator: string
  /** Rows up to the header, and with it. */
  rows: number
  /** Names of the columns as written. */
  columns: readonly string[]
  /** How the columns are named: by words, or by tags of Web of Science. `fields`: each row is a field of a record, as in Embase. */
  kind: 'tags' | 'words' | 'fields'
  /** Columns that are known. */
  known: number
}

/** Separators of cells; of two that split a header alike, the first counts. */
const separators = [',', ';', '\t', '|'] as const
/** Rows in which a header is searched: some files begin with remarks. */
const maxHeaderRows = 5
/** Columns of a header that are looked at. */
const maxColumns = 1000

/** Finds the header of a table, the row with a column of titles and the most known columns. @param head the start of the file */
export function headerOf (head: string): TableHeader | undefined {
  const headers = separators.flatMap((separator): TableHeader[] => {
    const rows = firstRows(head, separator)
    const found = rows.flatMap(({ cells }, at) => {
      const header = columnsOf(cells.slice(0, maxColumns))
      return header === undefined ? [] : { ...header, separator, rows: at + 1 }
    })
    return [...found, ...fieldsOf(rows, separator)]
  })
  return headers.sort((one, other) => other.known - one.known)[0]
}

/** Whether the start of a file looks like a table, whatever its columns are. */
export function isTable (head: string): boolean {
  return separators.some(separator => {
    const [first, second] = firstRows(head, separator).map(({ cells }) => cells)
    return first !== undefined && second !== undefined && first.length > 1 && first.length === second.length &&
      first.every(cell => cell.length < 60 && !/[.!?:]\s*$/.test(cell)) && first.some(cell => /\p{L}/u.test(cell))
  })
}

function firstRows (head: string, separator: string): TableRow[] {
  const splitter = new TableSplitter(separator)
  const rows: TableRow[] = []
  for (let from = 0; from < head.length && rows.length < maxHeaderRows && splitter.line < maxHeadLines; from += pieceLength) {
    rows.push(...splitter.write(head.slice(from, from + pieceLength)))
  }
  return rows.length < maxHeaderRows ? [...rows, ...splitter.end()] : rows.slice(0, maxHeaderRows)
}

/** Characters that are read at once, and lines after which no header is searched: a file may begin with thousands of empty ones. */
const [pieceLength, maxHeadLines] = [2048, 1000]

/** The header of a table whose first rows begin with the name of a field, the first of them with that of the title. */
function fieldsOf (rows: readonly TableRow[], separator: string): TableHeader[] {
  const names = rows.flatMap(({ cells }) => cells.length > 1 ? columnNameOf(cells[0]!) : [])
  const known = names.filter(name => knownNames.has(name)).length
  return names[0] === 'title' && known > 1 ? [{ separator, rows: 0, columns: [], kind: 'fields', known }] : []
}

function columnsOf (cells: readonly string[]): Pick<TableHeader, 'columns' | 'kind' | 'known'> | undefined {
  const columns = cells.map(cell => cell.trim())
  if (columns.includes('TI') && columns.filter(name => tagForm.test(name)).length > 2) {
    return { columns, kind: 'tags', known: columns.filter(name => tagForm.test(name)).length }
  }
  const names = columns.map(columnNameOf)
  if (!names.some(name => titleNames.has(name))) return undefined
  return { columns: names, kind: 'words', known: names.filter(name => knownNames.has(name)).length }
}

/** The name of a column as `columnNames` has it. */
export const columnNameOf = (written: string): string =>
  written.slice(0, 100).replace(/[^\p{L}\p{N}]+/gu, ' ').trim().toLowerCase()

/** Reads the fields of a row. A column without text is passed over for the next one of the field. */
export function fieldReader (columns: readonly string[]): (cells: readonly string[]) => (field: CsvField) => string | undefined {
  const places = new Map(fieldNames.map(field => {
    const all = columnNames[field].flatMap(name => columns.flatMap((column, at) => column === name ? [at] : []))
    // Beside a column of journals, a source is a database.
    return [field, all.length > 1 ? all.filter(at => columns[at] !== 'source') : all]
  }))
  return cells => field => places.get(field)!.map(at => cells[at]?.trim() ?? '').find(text => text !== '')
}
