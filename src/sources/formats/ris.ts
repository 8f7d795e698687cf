import type { PaperRecord } from '../../../schemas/paper.js'
import { doiIn, idsIn, pmcidIn, pmidIn, webAddress } from '../../papers/identifiers.js'
import { readDate } from './dates.js'
import type { Format } from './format.js'
import { linesOf } from './lines.js'
import { stated } from './metadata.js'
import { authorsOf, readName } from './names.js'
import { plainParagraphs, plainText } from './plain-text.js'
import { Fields, readTagged } from './tagged.js'

/** A tag and its value, which may hold line separators of Unicode; where lines are indented, only the form with two spaces, since texts go on in indented lines. */
const tagForm = /^(?:([A-Z][A-Z0-9]) {1,2}- ?|[ \t]+([A-Z][A-Z0-9]) {2}-(?: |$))(.*)$/s

/**
 * RIS, as reference managers write it; read here and not by a package, because those hold the whole file and lose the order of AU and A1.
 * @see https://en.wikipedia.org/wiki/RIS_(file_format)
 */
export const ris: Format = {
  name: 'ris',
  title: 'RIS',
  matches: head => /^\s*TY {1,2}- /m.test(head),
  read: text => readTagged(linesOf(text), {
    title: 'RIS',
    tag: line => { const [, tag, indented, value] = tagForm.exec(line.replace(/^\uFEFF/, '')) ?? []; return value === undefined ? undefined : { tag: (tag ?? indented)!, value } },
    begins: ({ tag }, fields) => tag === 'TY' && !fields.isEmpty(),
    ends: line => /^\s*ER {1,2}-/.test(line),
    read: readRecord
  })
}

function readRecord (fields: Fields): PaperRecord {
  const type = fields.first('TY') ?? ''
  const links = [...fields.all('UR'), ...fields.all('L2')].flatMap(text => text.split(/[;\s]+(?=https?:)/))
  const files = fields.all('L1')
  const address = links.map(webAddress).find(each => each !== null) ?? null
  const database = `${fields.first('DB') ?? ''} ${fields.first('DP') ?? ''}`
  const doi = doiIn(fields.first('DO')) ?? [...links, ...files].filter(each => /doi/i.test(each)).map(doiIn).find(each => each !== null) ??
    doiIn(['M3', 'L3', 'N1'].map(tag => fields.first(tag)).find(text => /^(?:doi:?\s*)?10\.\d{4,9}\/\S+$/i.test(text ?? '')))
  const ids = idsIn([doi, ...links, ...files])
  const pmid = (/pubmed|medline/i.test(database) ? pmidIn(fields.first('AN')) : null) ?? ids.pmid
  const pmcid = pmcidIn(fields.first('C2')) ?? ids.pmcid
  const published = publishedOf(fields)
  return {
    title: plainText(fields.first('T1', 'TI', ...(isWhole(type) ? ['BT', 'T2', 'CT'] : ['CT', 'BT'])) ?? ''),
    abstract: plainParagraphs(fields.first('AB', 'N2') ?? ''),
    // Some programs write A1, some AU, some both; their order is the record's.
    authors: authorsOf(fields.inOrder(['A1', 'AU']).map(readName)),
    published_date: published.date,
    url: address,
    pdf_url: files.map(webAddress).find(each => each !== null && /\bpdf\b/i.test(each)) ?? null,
    doi,
    venue_name: plainText(fields.first('JF', 'JO', 'T2', 'JA', 'J2') ?? '') || null,
    external_ids: { ...(pmid === null ? {} : { pmid }), ...(pmcid === null ? {} : { pmcid }), ...(ids.arxiv === null ? {} : { arxiv: ids.arxiv }), ...(ids.openalex === null ? {} : { openalex: ids.openalex }) },
    source: { name: 'ris' },
    source_paper_id: null,
    metadata: stated({
      type,
      published: published.written,
      volume: fields.first('VL'),
      issue: fields.first('IS'),
      pages: [fields.first('SP'), fields.first('EP')].filter(page => page !== undefined).join('-'),
      issn_or_isbn: fields.first('SN'),
      publisher: fields.first('PB'),
      language: fields.first('LA'),
      keywords: fields.all('KW').flatMap(text => text.split('\n'))
    })
  }
}

/** Types whose own title may stand where others have their book's. */
const isWhole = (type: string) => ['BOOK', 'EDBOOK', 'CONF', 'SER', 'MUSIC'].includes(type)

/**
 * PY is the year of publication. DA is its date, which some programs write without the year, and others use for the day of access. Y1 is the
 * date of the older form of RIS, where programs put placeholders such as 1900. So they are trusted in this order, and one that agrees with the
 * most trusted and is more precise completes it.
 */
function publishedOf (fields: Fields): { date: string | null, written: string | undefined } {
  const [year, date, older] = [fields.first('PY'), fields.first('DA'), fields.first('Y1')]
  const known = readDate(year) ?? readDate(older)
  const wholeDate = date !== undefined && readDate(date) === null && known !== null ? `${known.slice(0, 4)} ${date}` : date
  const dates = [year, wholeDate, older].flatMap(written => {
    const date = readDate(written)
    return date === null ? [] : [{ date, written }]
  })
  if (dates.length === 0) return { date: null, written: year ?? older ?? date }
  return dates.reduce((best, other) => statedPart(best.date).length < statedPart(other.date).length && other.date.startsWith(statedPart(best.date)) ? other : best)
}

/** A date without the month and day that were not stated. */
const statedPart = (date: string) => date.endsWith('-01-01') ? date.slice(0, 4) : date.endsWith('-01') ? date.slice(0, 7) : date
