import type { FeedItem } from '../../../schemas/feed.js'
import { describeNotices } from '../notices.js'
import type { ExportFormat } from './format.js'

/** Columns of a row, in order. */
const columns: ReadonlyArray<[name: string, value: (item: FeedItem, projectName: string) => string | number | boolean | null]> = [
  ['title', ({ paper }) => paper.title],
  ['authors', ({ paper }) => paper.authors.map(({ name }) => name).join('; ')],
  ['published_date', ({ paper }) => paper.published_date],
  ['venue', ({ paper }) => paper.venue_name],
  ['doi', ({ paper }) => paper.doi],
  ['pmid', ({ paper }) => paper.external_ids.pmid],
  ['pmcid', ({ paper }) => paper.external_ids.pmcid],
  ['arxiv', ({ paper }) => paper.external_ids.arxiv],
  ['openalex', ({ paper }) => paper.external_ids.openalex],
  ['url', ({ paper }) => paper.url ?? paper.index_url],
  ['pdf_url', ({ paper }) => paper.pdf_url],
  ['relevance_score', ({ relevance_score }) => Math.round(relevance_score * 100) / 100],
  ['must_read', ({ must_read }) => must_read],
  ['ready_at', ({ ready_at }) => ready_at],
  ['vote', ({ feedback }) => feedback?.vote ?? null],
  ['downvote_reason', ({ feedback }) => feedback?.downvote_reason ?? null],
  ['voted_at', ({ feedback }) => feedback?.updated_at ?? null],
  ['seen_at', ({ seen_at }) => seen_at],
  ['saved', ({ saved }) => saved],
  ['tags', ({ tags }) => tags.join('; ')],
  ['note', ({ note }) => note],
  ['notices', ({ paper }) => describeNotices(paper.metadata) ?? null],
  ['abstract', ({ paper }) => paper.abstract],
  ['project', (_item, projectName) => projectName],
  ['id', ({ id }) => id]
]

/** First characters by which a spreadsheet takes a cell for a formula; in Chinese and Japanese it takes the wide forms too. */
const formula = /^\s*[=+\-@＝＋－＠]/u
/** The same after a character at which other settings of a spreadsheet would begin a cell. */
const inner = /([;\n\r\t])(?=[=+\-@＝＋－＠])/gu

/** A line of a table. */
export const csvRow = (cells: ReadonlyArray<string | number | boolean | null>): string => `${cells.map(cellOf).join(',')}\r\n`
/** With a byte order mark, spreadsheets read UTF-8. */
export const byteOrderMark = '\uFEFF'

export const csv: ExportFormat = {
  name: 'csv',
  title: 'CSV',
  readBy: 'spreadsheets, with votes, tags and notes',
  type: 'text/csv; charset=utf-8',
  extension: 'csv',
  list: { begin: `${byteOrderMark}${csvRow(columns.map(([name]) => name))}`, separator: '', end: '' },
  hasEachItem: true,
  write: (item, _taken, projectName) => csvRow(columns.map(([, value]) => value(item, projectName)))
}

/** A cell of RFC 4180. A text that a spreadsheet would run as a formula begins with an apostrophe, as OWASP recommends. */
function cellOf (value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = (formula.test(value) ? `'${value}` : value).replace(inner, '$1 ')
  return /[",;\r\n\t']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
