import { isTable } from '../sources/formats/csv-columns.js'
import { noTitles } from '../sources/formats/csv.js'

/** The start of a file of unknown format. */
export interface UnknownFile {
  bytes: Uint8Array
  /** The bytes decoded. */
  text: string
  /** The name of the file. */
  name: string
}

const exportInstead = 'Export the references from your reference manager as RIS, or save a list of DOIs as a text file.'
const asCsv = 'Save it as CSV (in Excel, File > Save As, CSV UTF-8).'
const endnote = 'It is an EndNote library. In EndNote, choose File > Export, and the style RefMan (RIS) Export.'

const accountExport = 'It is the export of an account, with all of its data. Import the export of a feed instead. To move a whole ' +
  'installation, use litfeed backup and litfeed restore.'

/** Whether a text is the start of an account's export, which begins like JSON lines. */
export const isAccountExport = (text: string): boolean => /^\s*\{\s*"litfeed_account"\s*:/.test(text)

/** Says what a file is that no format reads, and what to do instead. @returns '' if it is not known */
export function explainUnreadable ({ bytes, text, name }: UnknownFile): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const extension = /\.([a-z]{2,6})$/i.exec(name.trim())?.[1]?.toLowerCase() ?? ''
  if (extension === 'enl' || extension === 'enlx') return endnote
  if (isAccountExport(text)) return accountExport
  if (raw.startsWith('PK\u0003\u0004')) return explainZip(raw, extension)
  if (raw.startsWith('\u00d0\u00cf\u0011\u00e0')) {
    const isWorkbook = raw.includes([...'Workbook'].join('\0')) || extension === 'xls'
    return isWorkbook ? `It is an Excel workbook. ${asCsv}` : `It is a Word document. ${exportInstead}`
  }
  if (raw.startsWith('SQLite format 3')) {
    return /zotero/i.test(name)
      ? 'It is the database of Zotero. In Zotero, choose File > Export Library, and the format RIS or BibTeX.'
      : 'It is a database. In the program that it belongs to, export the references as RIS.'
  }
  if (raw.startsWith('\u001f\u008b')) return 'It is compressed. Unpack it, and import the file in it.'
  if (raw.slice(0, 1024).includes('%PDF-')) {
    return 'It is a PDF. Import a text file with the DOI of the paper, or export its reference from your reference manager as RIS.'
  }
  if (/^\s*\{\\rtf/.test(text)) return `It is a Word document (RTF). ${exportInstead}`
  if (/^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,200}>\s*)?<(?:!doctype\s+html|html)[\s>]/i.test(text)) {
    return 'It is a web page. At the database, export the references as RIS or CSV.'
  }
  return isTable(text) ? `It looks like a table, but ${noTitles}.` : ''
}

/** Office files are ZIP archives with these names. */
function explainZip (raw: string, extension: string): string {
  if (raw.includes('xl/') || extension === 'xlsx') return `It is an Excel workbook. ${asCsv}`
  if (raw.includes('word/') || extension === 'docx') return `It is a Word document. ${exportInstead}`
  if (raw.includes('opendocument.spreadsheet')) return `It is a spreadsheet. ${asCsv}`
  if (raw.includes('opendocument.text')) return `It is a text document. ${exportInstead}`
  return 'It is a ZIP archive. Unpack it, and import the files in it.'
}
