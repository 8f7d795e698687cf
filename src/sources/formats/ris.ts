import type { PaperRecord } from '../../../schemas/paper.js'
import { doiIn, idsIn, issnIn, pmcidIn, pmidIn, webAddress } from '../../papers/identifiers.js'
import { readDate } from '../../papers/stated-date.js'
import type { Format } from './format.js'
import { linesOf, type Tagged } from './lines.js'
import { statedIssns, toMetadata } from './metadata.js'
import { authorsOf, readName } from './names.js'
import { plainParagraphs, plainText } from './plain-text.js'
import { beginsRefer, referField } from './refer.js'
import { Fields, readTagged } from './tagged.js'

/**
 * A tag and its value, which may contain Unicode line separators. An indented line is a tag only with two spaces before the hyphen, because
 * indented lines also continue texts.
 */
const tagForm = /^(?:([A-Z][A-Z0-9]) {1,2}- ?|[ \t]+([A-Z][A-Z0-9]) {2}-(?: |$))(.*)$/s

/**
 * RIS files of reference managers, and those of EndNote with the tags of Refer. Packages for RIS hold the whole file in memory and lose
 * the order of AU and A1.
 * @see https://en.wikipedia.org/wiki/RIS_(file_format)
 */
export const ris: Format = {
  name: 'ris',
  title: 'RIS',
  otherTitles: ['EndNote .enw'],
  extensions: ['.ris', '.enw'],
  matches: head => /^[ \t]*TY {1,2}- /m.test(head) || beginsRefer(head.trimStart()),
  read: text => {
    let isRefer: boolean | undefined
    return readTagged(linesOf(text), {
      title: 'RIS',
      tag: line => {
        if (line.trim() !== '') isRefer ??= beginsRefer(line)
        return isRefer === true ? referField(line) : risField(line)
      },
      begins: ({ tag }, fields) => tag === 'TY' && !fields.isEmpty(),
      ends: line => /^\s*ER {1,2}-/.test(line),
      read: readRisRecord
    })
  }
}

function risField (line: string): Tagged | undefined {
  const [, tag, indented, value] = tagForm.exec(line.replace(/^\uFEFF/, '')) ?? []
  return value === undefined ? undefined : { tag: (tag ?? indented)!, value }
}

/** Reads the fields of a record by the tags of RIS. */
export function readRisRecord (fields: Fields): PaperRecord {
  const type = fields.first('TY') ?? ''
  const links = [...fields.all('UR'), ...fields.all('L2')].flatMap(text => text.split(/(?<![;\s])[;\s]+(?=https?:)/))
  const files = fields.all('L1')
  const address = links.map(webAddress).find(each => each !== null) ?? null
  const database = `${fields.first('DB') ?? ''} ${fields.first('DP') ?? ''}`
  const doi = doiIn(fields.first('DO')) ?? [...links, ...files].filter(each => /doi/i.test(each)).map(doiIn).find(each => each !== null) ??
    doiIn(fields.tagged(['M3', 'L3', 'N1']).find(({ value }) => doiForm.test(value))?.value)
  const ids = idsIn([doi, ...links, ...files])
  const pmid = (/pubmed|medline|\bNLM\b/i.test(database) ? pmidIn(fields.first('AN')) : null) ??
    // Embase: its own number, and that of MEDLINE.
    (/^L\d+$/.test(fields.first('U2')?.trim() ?? '') ? pmidIn(fields.first('C5')) : null) ?? ids.pmid
  const pmcid = pmcidIn(fields.first('C2')) ?? ids.pmcid
  const published = publishedOf(fields)
  const issns = statedIssns(fields.all('SN').join(' '))
  // A chapter with a title of its own.
  const isPart = !isWhole(type) && fields.first('T1', 'TI', 'CT') !== undefined
  return {
    title: plainText(fields.first('T1', 'TI', ...(isWhole(type) ? ['BT', 'T2', 'CT'] : ['CT', 'BT'])) ?? ''),
    // Some programs write a field for each paragraph.
    abstract: plainParagraphs([...new Set(fields.all('AB'))].join('\n\n') || (fields.first('N2') ?? '')),
    authors: authorsOf(authorFields(fields).map(name => ({ name: readName(name), group: groupForm.test(name) }))),
    published_date: published.date,
    url: address,
    pdf_url: files.map(webAddress).find(each => each !== null && /\bpdf\b/i.test(each)) ?? null,
    doi,
    venue_name: plainText(
      fields.first('JF', 'JO', 'T2', 'JA', 'J2', ...(isPart ? ['BT'] : []), ...(isPublishedAlone(type) ? ['PB'] : [])) ?? ''
    ) || null,
    external_ids: {
      ...(pmid === null ? {} : { pmid }),
      ...(pmcid === null ? {} : { pmcid }),
      ...(ids.arxiv === null ? {} : { arxiv: ids.arxiv }),
      ...(ids.openalex === null ? {} : { openalex: ids.openalex })
    },
    source: { name: 'ris' },
    source_paper_id: null,
    metadata: toMetadata({
      type,
      published: published.written,
      volume: fields.first('VL'),
      issue: fields.first('IS'),
      pages: [fields.first('SP') ?? articleNumberOf(type, fields), fields.first('EP')].filter(page => page !== undefined).join('-'),
      issn_or_isbn: fields.first('SN'),
      ...(issnIn(issns.issn) === null ? {} : issns),
      publisher: fields.first('PB'),
      language: fields.first('LA'),
      keywords: fields.all('KW').flatMap(text => text.split('\n'))
    })
  }
}

/** A DOI alone, as Ovid and others write it into fields of other meaning: as an address, too. */
const doiForm = /^(?:doi:?\s*|https?:\/\/(?:dx\.)?doi\.org\/)?10\.\d{4,9}\/\S+$/i

/** Some files have other words in this field, such as its name. */
const articleNumberOf = (type: string, fields: Fields): string | undefined =>
  type === 'JOUR' || type === 'EJOUR' ? fields.all('C7').find(text => /^e?\d/i.test(text)) : undefined

/** Types whose title may be in the field of the book title. */
const isWhole = (type: string) => ['BOOK', 'EDBOOK', 'CONF', 'SER', 'MUSIC'].includes(type)

const isPublishedAlone = (type: string) => ['BOOK', 'EDBOOK', 'THES', 'RPRT'].includes(type)

/**
 * Selects the publication date. PY is the year. DA is the date, which some programs write without a year or use for the access date. Y1 is
 * the date of older RIS files, sometimes a placeholder such as 1900. They are trusted in this order; a more precise date that agrees with
 * the most trusted one replaces it.
 */
function publishedOf (fields: Fields): { date: string | null, written: string | undefined } {
  const [year, date, older] = [fields.first('PY'), fields.first('DA'), fields.first('Y1')]
  const yearDate = readDate(year) ?? readDate(older)
  const wholeDate = date !== undefined && readDate(date) === null && yearDate !== null ? `${yearDate.slice(0, 4)} ${date}` : date
  const dates = [year, wholeDate, older].flatMap(written => {
    const date = readDate(written)
    return date === null ? [] : [{ date, written }]
  })
  if (dates.length === 0) return { date: null, written: year ?? older ?? date }
  return dates.reduce((best, other) =>
    statedPart(best.date).length < statedPart(other.date).length && other.date.startsWith(statedPart(best.date)) ? other : best
  )
}

/** Removes a month and day that were not stated. */
const statedPart = (date: string) => date.endsWith('-01-01') ? date.slice(0, 4) : date.endsWith('-01') ? date.slice(0, 7) : date

/** EndNote ends the names of groups with a comma. */
const groupForm = /^[^,\s]+\s[^,]*,\s*$/

/** Programs write A1, AU or both, some of them the same people twice; the record's order is kept. */
function authorFields (fields: Fields): string[] {
  const named = new Set(fields.all('A1'))
  return fields.tagged(['A1', 'AU']).filter(({ tag, value }) => tag === 'A1' || !named.has(value)).map(({ value }) => value)
}
