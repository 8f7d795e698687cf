import { type Entry, type Options, parse } from '@retorquere/bibtex-parser'
import type { PaperRecord } from '../../../schemas/paper.js'
import { arxivIn, doiIn, pmcidIn, pmidIn, webAddress } from '../identifiers.js'
import { type RawEntry, entriesOf } from './bibtex-entries.js'
import { dateOf, monthIn, readDate } from './dates.js'
import type { Format, Reading } from './format.js'
import { stated } from './metadata.js'
import { authorsOf } from './names.js'
import { plainParagraphs, plainText } from './plain-text.js'

/** Definitions of abbreviations that are kept for the entries after them. */
const mostStrings = 256 * 1024
const keyForm = /^(?<begin>@\s*[A-Za-z]+\s*[{(]\s*)(?<key>[^\s,={}"]+)\s*,/
const asWritten: Options = {
  english: false,
  sentenceCase: false,
  caseProtection: false,
  // A macro without a character of its own, such as \ln, is read by its name.
  unsupported: (_node, tex) => `${tex.replace(/^\\/, '')} `
}

/** BibTeX and BibLaTeX. Texts are turned from LaTeX into Unicode. */
export const bibtex: Format = {
  name: 'bibtex',
  title: 'BibTeX',
  matches: head => /^\s*@\s*[A-Za-z]+\s*(%[^\n]*\n\s*)*[{(]/m.test(head),
  async * read (text) {
    let strings = ''
    let place = 0
    for await (const entry of entriesOf(text)) {
      if (entry.type === 'string' && strings.length + entry.text.length < mostStrings) strings += `${entry.text}\n`
      else if (!['string', 'comment', 'preamble'].includes(entry.type)) yield { place: ++place, ...readOne(entry, strings) }
    }
  }
}

type Outcome = Reading extends infer R ? R extends { place: number } ? Omit<R, 'place'> : never : never

function readOne ({ text, fault }: RawEntry, strings: string): Outcome {
  if (fault !== undefined) return { reason: fault }
  // Programs write keys that the grammar does not allow, such as smith_2020_????; the parser gets one that it does.
  const { key = '' } = keyForm.exec(text)?.groups ?? {}
  try {
    const { entries: [entry], errors } = parse(strings + text.replace(keyForm, '$<begin>key,'), asWritten)
    const record = entry === undefined ? undefined : readEntry(entry, key)
    if (record === undefined || (record.title === '' && errors.length > 0)) return { reason: `the entry cannot be read: ${errors[0]?.error ?? 'its syntax is wrong'}` }
    return record.title === '' ? { reason: 'title is missing' } : { record }
  } catch {
    return { reason: 'the entry cannot be read: its syntax is wrong' }
  }
}

function readEntry ({ type, fields }: Entry, key: string): PaperRecord {
  const field = fields as unknown as Record<string, string | undefined>
  const list = (value: unknown): string[] => Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []
  const eprintType = `${field.eprinttype ?? ''} ${field.archiveprefix ?? ''}`
  const arxiv = /arxiv/i.test(eprintType) ? arxivIn(field.eprint) : arxivIn(/arxiv\.org/i.test(field.url ?? '') ? field.url : undefined)
  const pmid = pmidIn(field.pmid) ?? pmidIn(/PMID:?\s*(\d+)/i.exec(field.note ?? '')?.[1]) ?? (/pubmed/i.test(eprintType) ? pmidIn(field.eprint) : null)
  const pmcid = pmcidIn(field.pmcid) ?? pmcidIn(field.pmc)
  const url = webAddress(field.url)
  return {
    title: plainText([field.title, field.subtitle].filter(Boolean).join(': ')),
    abstract: plainParagraphs(field.abstract ?? ''),
    authors: authorsOf((fields.author ?? []).map(nameOf)),
    published_date: publishedOf(field),
    url,
    pdf_url: [webAddress(field.pdf), url].find(address => address != null && /\.pdf([?#]|$)/i.test(address)) ?? null,
    doi: doiIn(field.doi) ?? (/doi/i.test(field.url ?? '') ? doiIn(field.url) : null),
    venue_name: plainText(field.journaltitle ?? field.journal ?? field.booktitle ?? field.maintitle ?? list(fields.publisher)[0] ?? list(fields.institution)[0] ?? '') || null,
    external_ids: { ...(pmid === null ? {} : { pmid }), ...(pmcid === null ? {} : { pmcid }), ...(arxiv === null ? {} : { arxiv }) },
    source: { name: 'bibtex' },
    source_paper_id: null,
    metadata: stated({
      type,
      citation_key: key,
      published: field.date ?? [field.year, field.month, field.day].filter(Boolean).join('-'),
      volume: field.volume,
      issue: field.number ?? field.issue,
      pages: field.pages,
      issn: field.issn,
      isbn: field.isbn,
      publisher: list(fields.publisher).join('; '),
      language: field.language ?? field.langid,
      keywords: list(fields.keywords)
    })
  }
}

type Creator = NonNullable<Entry['fields']['author']>[number]

const nameOf = ({ name, firstName, prefix, lastName, suffix }: Creator) =>
  plainText(name ?? [firstName, prefix, lastName, suffix].filter(Boolean).join(' '))

function publishedOf ({ date, year, month, day }: Record<string, string | undefined>): string | null {
  if (date !== undefined) return readDate(date)
  return dateOf(Number(/\d{4}/.exec(year ?? '')?.[0] ?? Number.NaN), monthIn(month ?? '') ?? Number(month ?? 1), Number(day ?? 1))
}
