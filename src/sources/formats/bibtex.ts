import type { Entry, Options } from '@retorquere/bibtex-parser'
import type { PaperRecord } from '../../../schemas/paper.js'
import { isSafeFormula } from '../../latex/safe-formula.js'
import { arxivIn, doiIn, idsIn, idsInNote, openalexIn, pmcidIn, pmidIn, webAddress } from '../../papers/identifiers.js'
import { type RawEntry, entriesOf, keyForm } from './bibtex-entries.js'
import { crossrefForm, Parents, Strings } from './bibtex-links.js'
import { monthIn, readDate } from '../../papers/stated-date.js'
import { type Format, type ParseResult, namedReason } from './format.js'
import { readLatexCommand } from './latex-commands.js'
import { statedIssns, toMetadata } from './metadata.js'
import { authorsOf } from './names.js'
import { plainParagraphs, plainText } from './plain-text.js'

/** A sign that BibTeX writes as a command, and text in which nothing has to be read as LaTeX. */
const sign =
  /\{\\[%&_#$]\}|\{\\textbrace(?:left|right)\}|\\[%&_#${}]|\\text(?:backslash|asciitilde|asciicircum|less|greater|bar)\{\}|\{\}/.source
const plain = /(?!--|``|'')[^\\{}$~#^_]/.source
/** A formula in braces of its own stays one, as this service writes it; the parser converts others as far as Unicode can show them. */
const bracedFormula = /\{\$([^$]{1,2000})\$\}/.source
const abstractForm = new RegExp(String.raw`,\s*abstract\s*=\s*\{(?<abstract>(?:${sign}|${plain}|${bracedFormula})*)\}(?=\s*[,}])`, 'i')
const writtenSigns: Readonly<Record<string, string>> = {
  backslash: '\\',
  asciitilde: '~',
  asciicircum: '^',
  less: '<',
  greater: '>',
  bar: '|',
  braceleft: '{',
  braceright: '}'
}
/** Keywords with braces, which protect commas. */
const keywordsForm = /,\s*keywords\s*=\s*\{(?<keywords>(?:[^{}]|\{[^{}]*\})*)\}(?=\s*[,}])/i
const asWritten: Options = {
  english: false,
  sentenceCase: false,
  caseProtection: false,
  unsupported: (_node, tex) => readLatexCommand(tex)
}
/** Entry types that are not papers. */
const nonEntryTypes = new Set(['comment', 'preamble', 'string', 'set', 'xdata'])
/** Types that contain papers; their title may be in the field of the book title. */
const isWhole = (type: string) => /^(?:mv)?(?:book|collection|proceedings|reference)$|^periodical$/i.test(type)

/** Imported with the first file, since its tables take megabytes of memory. */
let parser: typeof import('@retorquere/bibtex-parser')

/** BibTeX and BibLaTeX. Converts LaTeX to Unicode. */
export const bibtex: Format = {
  name: 'bibtex',
  title: 'BibTeX',
  extensions: ['.bib', '.bibtex'],
  // Loading the parser takes a tenth of a second, and it needs up to 50 ms per kB.
  maxInlineBytes: 0,
  matches: head => /^[^\S\r\n]*@\s*[A-Za-z]+\s*(%[^\n]*\n\s*)*[{(]/m.test(head),
  async * read (text) {
    parser ??= await import('@retorquere/bibtex-parser')
    const strings = new Strings()
    const parents = new Parents()
    let place = 0
    for await (const entry of entriesOf(text)) {
      if (entry.type === 'string') strings.add(entry.text)
      if (nonEntryTypes.has(entry.type)) continue
      for (const { entry: each, place: at, parent } of parents.add(++place, entry)) yield { place: at, ...readOne(each, strings, parent) }
    }
    for (const { entry, place } of parents.unresolved()) yield { place, ...readOne(entry, strings) }
  }
}

function readOne ({ key, text, fault }: RawEntry, strings: Strings, parent?: string): ParseResult {
  if (fault !== undefined) return { reason: namedReason(key, fault) }
  if (isNestedDeeply(text)) return { reason: namedReason(key, `the entry has braces nested more than ${maxDepth} levels deep`) }
  const { rest, abstract } = withoutAbstract(text)
  // Some programs write keys that the grammar forbids, such as smith_2020_????, so the parser gets a valid one.
  const own = escapePercent(rest).replace(keyForm, '$<begin>key,')
  const other = parent === undefined ? '' : `\n${escapePercent(parent).replace(keyForm, '$<begin>parent,')}`
  const linked = parent === undefined ? own : own.replace(crossrefForm, 'crossref = {parent},')
  const definitions = strings.usedIn(own + other)
  // Some programs treat lines that start with a percent sign as comments.
  for (const written of [linked + other, own, own.replace(/^[ \t]*\\%.*$/gm, '')]) {
    const formulas = hideFormulas(definitions + written)
    const entry = parsed(formulas.text)
    if (entry === undefined) continue
    formulas.restoreIn(entry.fields)
    const record = readEntry(entry, key, keywordsIn(own))
    if (abstract !== undefined) record.abstract = plainParagraphs(abstract)
    if (record.title !== '') return { record }
    if (!/^[ \t]*\\%/m.test(own)) return { reason: namedReason(key, 'title is missing') }
  }
  return { reason: namedReason(key, parsed(definitions + own) === undefined ? 'the entry has a syntax error' : 'title is missing') }
}

/** Levels of braces, which cost the parser n² steps. Titles have three. */
const maxDepth = 50

function isNestedDeeply (text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 92) at++
    else if (character === 125) depth = Math.max(0, depth - 1)
    else if (character === 123 && ++depth > maxDepth) return true
  }
  return false
}

/** BibTeX has no comments inside entries, so a percent sign is text, unlike in LaTeX. */
const escapePercent = (text: string) => text.replace(/(?<!\\)%/g, '\\%')

/** The private use area, of 6,400 characters. */
const privateUse = /[\ue000-\uf8ff]/g
const [firstPrivate, maxFormulas] = [0xe000, 6400]
const bracedFormulas = new RegExp(bracedFormula, 'g')

/** Puts a character of the private use area in the place of each formula in braces, for the time in which the parser reads an entry. */
function hideFormulas (text: string): { text: string, restoreIn: (fields: Entry['fields']) => void } {
  const formulas: string[] = []
  const hide = (whole: string, formula: string) => {
    if (!isSafeFormula(formula) || formulas.length === maxFormulas) return whole
    return `{${String.fromCharCode(firstPrivate + formulas.push(formula) - 1)}}`
  }
  // A text with such characters of its own is read as it is.
  const hidden = text.search(privateUse) >= 0 ? text : text.replace(bracedFormulas, hide)
  const restore = (part: string) => part.replace(privateUse, sign => `$${formulas[sign.charCodeAt(0) - firstPrivate]}$`)
  return {
    text: hidden,
    restoreIn (fields) {
      if (formulas.length === 0) return
      for (const [name, value] of Object.entries(fields)) if (typeof value === 'string') Object.assign(fields, { [name]: restore(value) })
    }
  }
}

/** Parses the first entry of a text. Returns undefined for invalid syntax. */
function parsed (text: string): Entry | undefined {
  try {
    const { entries: [entry], errors } = parser.parse(text, asWritten)
    const separated = errors.some(({ error }) => /unexpected \d+-part name/.test(error)) ? separateNames(text) : text
    if (separated !== text) return parsed(separated)
    return errors.length > 0 && !entry?.fields.title ? undefined : entry
  } catch {
    return undefined
  }
}

const namesForm = /(\b(?:author|editor)\s*=\s*[{"])([^{}"]*)(?=[}"])/gi
const initialsForm = /^(?:\p{Lu}\.?[\s~-]?){1,4}$/u

/** Writes "and" between names that only commas separate: "Smith, J., Jones, K. L., Brown, M.". The parser would keep one of them. */
const separateNames = (text: string): string =>
  text.replace(namesForm, (_, start: string, names: string) => {
    const separated = names.split(/(?<!\s)\s+and\s+/).flatMap(name => {
      const parts = name.split(',').map(part => part.trim())
      const isList = parts.length > 3 && parts.length % 2 === 0 && parts.every((part, at) => at % 2 === 0 || initialsForm.test(part))
      return isList ? parts.flatMap((part, at) => at % 2 === 0 ? [`${part}, ${parts[at + 1]}`] : []) : [name]
    })
    return `${start}${separated.join(' and ')}`
  })

/** Reads an abstract without LaTeX commands directly, because parsing LaTeX would take most of the time. */
function withoutAbstract (text: string): { rest: string, abstract?: string } {
  const match = abstractForm.exec(text)
  if (match === null) return { rest: text }
  const abstract = match.groups!.abstract!.replace(
    /\{(\$[^$]+\$)\}|\{\\([%&_#$])\}|\{\\text(brace(?:left|right))\}|\\([%&_#${}])|\\text([a-z]+)\{\}|\{\}/g,
    (_, formula, braced, brace, bare, name) => formula ?? braced ?? bare ?? writtenSigns[brace ?? name] ?? ''
  )
  return { rest: text.slice(0, match.index) + text.slice(match.index + match[0].length), abstract }
}

/** Returns undefined if the parser must read it. */
function keywordsIn (text: string): string[] | undefined {
  const written = keywordsForm.exec(text)?.groups?.keywords
  if (written === undefined || !(written.match(/\{[^{}]*\}/g) ?? []).some(braced => /[,;]/.test(braced))) return undefined
  return (written.match(/(?:\{[^{}]*\}|[^,;{}])+/g) ?? []).map(keyword => keyword.trim().replace(/^\{(.*)\}$/s, '$1'))
}

function readEntry ({ type, fields, crossref }: Entry, key: string, keywords: string[] | undefined): PaperRecord {
  const inherited = new Set(crossref?.inherited)
  const field = fields as unknown as Record<string, string | undefined>
  /** Identifiers of the paper, not of its book. */
  const own = (name: string) => inherited.has(name) ? undefined : field[name]
  const list = (value: unknown): string[] => Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []
  /** The parser splits publishers at "and", because most files omit the protecting braces. */
  const whole = (value: unknown) => list(value).join(' and ') || undefined
  const eprintType = `${own('eprinttype') ?? ''} ${own('archiveprefix') ?? ''} ${own('primaryclass') === undefined ? '' : 'arxiv'}`
  const doi = doiIn(own('doi')) ?? (/doi/i.test(own('url') ?? '') ? doiIn(own('url')) : null)
  const ids = idsIn([doi, own('url')])
  const arxiv =
    (/arxiv/i.test(eprintType) ? arxivIn(own('eprint')) : null) ??
    ids.arxiv ??
    arxivIn(/\barxiv:\s*(\S+)/i.exec(field.journaltitle ?? field.journal ?? own('note') ?? '')?.[1])
  const noted = idsInNote(own('note') ?? '')
  const pmid =
    pmidIn(own('pmid')) ??
    noted.pmid ??
    (/pubmed/i.test(eprintType) ? pmidIn(own('eprint')) : null) ??
    ids.pmid
  const pmcid = pmcidIn(own('pmcid')) ?? pmcidIn(own('pmc')) ?? noted.pmcid ?? ids.pmcid
  const openalex = openalexIn(own('openalex')) ?? ids.openalex
  const url = addressIn(own('url'))
  const titles = [
    [field.title, field.subtitle],
    ...(isWhole(type)
      ? [
          [field.booktitle, field.booksubtitle],
          [field.maintitle, field.mainsubtitle]
        ]
      : [])
  ]
  return {
    title: titles.map(parts => plainText(parts.filter(Boolean).join(': '))).find(title => title !== '') ?? '',
    abstract: plainParagraphs(own('abstract') ?? ''),
    authors: authorsOf((fields.author ?? []).map(nameOf)),
    published_date: publishedOf(field),
    url,
    pdf_url: addressIn(own('pdf')) ?? (url !== null && /\.pdf([?#]|$)/i.test(url) ? url : null),
    doi,
    venue_name:
      plainText(
        field.journaltitle ??
          field.journal ??
          field.booktitle ??
          field.maintitle ??
          whole(fields.institution) ??
          whole(fields.school) ??
          placeIn(field.howpublished) ??
          whole(fields.publisher) ??
          ''
      ) || null,
    external_ids: {
      ...(pmid === null ? {} : { pmid }),
      ...(pmcid === null ? {} : { pmcid }),
      ...(arxiv === null ? {} : { arxiv }),
      ...(openalex === null ? {} : { openalex })
    },
    source: { name: 'bibtex' },
    source_paper_id: null,
    metadata: toMetadata({
      type,
      citation_key: key,
      published: writtenDate(field),
      volume: field.volume,
      issue: field.number ?? field.issue,
      pages: field.pages?.replace(/(?:(?<!\s)\s+)?(?:--+|[–—])\s*/g, '-'),
      ...statedIssns(field.issn),
      isbn: field.isbn,
      publisher: whole(fields.publisher),
      language: field.language ?? field.langid,
      keywords: (keywords ?? list(fields.keywords))
        .map(keyword => plainText(keyword.replace(/\\([%&_#$])/g, '$1')))
        .filter(keyword => keyword !== '')
    })
  }
}

/** Some files have only a URL in this field. */
const placeIn = (text: string | undefined) => text === undefined || /\\url|https?:/i.test(text) ? undefined : text

/** Reads a URL with or without LaTeX escapes; the first of several. */
const addressIn = (text: string | undefined) => webAddress(text?.replace(/\\([%&_#~])/g, '$1').split(/(?<![;,\s])[;,\s]+(?=https?:)/i)[0])

type Creator = NonNullable<Entry['fields']['author']>[number]

const nameOf = ({ name, firstName, prefix, lastName, suffix }: Creator) =>
  plainText(name ?? [firstName, prefix, lastName, suffix].filter(Boolean).join(' '))

/** The date as written. Some programs write the day with the month: "JAN 15". */
function writtenDate ({ date, year, month, day }: Record<string, string | undefined>): string {
  if (date !== undefined) return date
  return [year, month, day].filter(Boolean).join(monthIn(month ?? '') === undefined ? '-' : ' ')
}

function publishedOf (fields: Record<string, string | undefined>): string | null {
  const year = /\d{4}/.exec(fields.year ?? '')?.[0]
  return readDate(fields.date === undefined && year !== undefined ? writtenDate({ ...fields, year }) : fields.date)
}
