import type { Entry, Options } from '@retorquere/bibtex-parser'
import type { PaperRecord } from '../../../schemas/paper.js'
import { isSafeFormula } from '../../latex/safe-formula.js'
import { arxivIn, doiIn, idsIn, idsInNote, openalexIn, pmcidIn, pmidIn, webAddress } from '../../papers/identifiers.js'
import { type RawEntry, entriesOf, keyForm } from './bibtex-entries.js'
import { crossrefForm, Parents, Strings } from './bibtex-links.js'
import { separateNames } from './bibtex-names.js'
import { monthIn, readDate } from '../../papers/stated-date.js'
import { type Format, type ParseResult, namedReason, statedIn } from './format.js'
import { expandJournalMacros } from './journal-macros.js'
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
  // Every line terminator begins a line, and comments end at the first one: otherwise, a start is searched from each to the end.
  matches: head => /^[ \t]*@\s*[A-Za-z]+\s*(?:%.*[\r\n\u2028\u2029]\s*)*[{(]/m.test(head),
  async * read (text) {
    parser ??= await import('@retorquere/bibtex-parser')
    const strings = new Strings()
    const parents = new Parents()
    let place = 0
    for await (const entry of entriesOf(text)) {
      if (entry.type === 'string') strings.add(entry.text)
      if (nonEntryTypes.has(entry.type)) continue
      for (const { entry: each, place: at, parent } of parents.add(++place, entry)) {
        yield { place: at, line: each.line, ...readOne(each, strings, parent) }
      }
    }
    for (const { entry, place } of parents.unresolved()) {
      yield { place, line: entry.line, ...readOne(entry, strings) }
    }
  }
}

function readOne ({ key, text, fault }: RawEntry, strings: Strings, parent?: string): ParseResult {
  if (fault !== undefined) return { reason: namedReason(key, fault) }
  if (isNestedDeeply(text)) return { reason: namedReason(key, `the entry has braces nested more than ${maxDepth} levels deep`) }
  const { rest, abstract } = withoutAbstract(text)
  // Some programs write keys that the grammar forbids, such as smith_2020_????, so the parser gets a valid one.
  const own = separateNames(expandJournalMacros(escapePercent(rest))).replace(keyForm, '$<begin>key,')
  const other = parent === undefined ? '' : `\n${escapePercent(parent).replace(keyForm, '$<begin>parent,')}`
  const linked = parent === undefined ? own : own.replace(crossrefForm, 'crossref = {parent},')
  const definitions = strings.usedIn(own + other)
  // Some programs treat lines that start with a percent sign as comments.
  let stated = ''
  for (const written of [linked + other, own, own.replace(/^[ \t]*\\%.*$/gm, '')]) {
    const formulas = hideFormulas(definitions + written)
    const entry = parsed(formulas.text)
    if (entry === undefined) continue
    Object.assign(entry.fields, formulas.restoreIn(entry.fields))
    const record = readEntry(entry, key, keywordsIn(own))
    if (abstract !== undefined) record.abstract = plainParagraphs(abstract)
    if (record.title !== '') return { record }
    stated = statedIn(record)
    if (!/^[ \t]*\\%/m.test(own)) return { reason: namedReason(key, 'title is missing'), stated }
  }
  return { reason: namedReason(key, parsed(definitions + own) === undefined ? 'the entry has a syntax error' : 'title is missing'), stated }
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
const [firstPrivate, maxFormulas] = [0xe000, 6398]
/** Stand for < and >, which the parser reads as ¡ and ¿, as in an old font encoding of TeX. */
const [lessThan, greaterThan] = ['\uf8fe', '\uf8ff']
const bracedFormulas = new RegExp(bracedFormula, 'g')

/**
 * Puts a character of the private use area in the place of each formula in braces, and of < and >, for the time in which the parser reads
 * an entry.
 */
function hideFormulas (text: string): { text: string, restoreIn: <Value>(value: Value) => Value } {
  const formulas: string[] = []
  const hide = (whole: string, formula: string) => {
    if (!isSafeFormula(formula) || formulas.length === maxFormulas) return whole
    return `{${String.fromCharCode(firstPrivate + formulas.push(formula) - 1)}}`
  }
  // A text with such characters of its own is read as it is.
  if (text.search(privateUse) >= 0) return { text, restoreIn: value => value }
  const hidden = text.replace(bracedFormulas, hide).replaceAll('<', lessThan).replaceAll('>', greaterThan)
  const signs = new Map([[lessThan, '<'], [greaterThan, '>']])
  const shown = (sign: string) => signs.get(sign) ?? `$${formulas[sign.charCodeAt(0) - firstPrivate]}$`
  return { text: hidden, restoreIn: value => mapTexts(value, part => part.replace(privateUse, shown)) }
}

/** A value of a parsed entry with other texts: one, or a list or an object with some. */
function mapTexts<Value> (value: Value, map: (text: string) => string): Value
function mapTexts (value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map(each => mapTexts(each, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]))
}

/** Parses the first entry of a text. Returns undefined for invalid syntax. */
function parsed (text: string): Entry | undefined {
  try {
    const written = parser.parse(text, asWritten)
    const completed = written.errors.length === 0 ? text : text.replace(missingComma, '$1,$2')
    const again = completed === text ? written : parser.parse(completed, asWritten)
    const { entries: [entry], errors } = again.errors.length === 0 ? again : written
    return errors.length > 0 && !entry?.fields.title ? undefined : entry
  } catch {
    return undefined
  }
}

/** The end of a field that has none, and the next field. */
const missingComma = /(["}\d])([ \t]*\r?\n\s*[A-Za-z][\w-]*\s*=)/g

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
    arxivIn(/\barxiv:\s*(\S+)/i.exec(field.journaltitle ?? field.journal ?? `${own('howpublished') ?? ''} ${own('note') ?? ''}`)?.[1]) ??
    arxivIn(volumeInArxiv(field))
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
    authors: authorsOf((fields.author ?? []).map(creator => ({ name: nameOf(creator), group: creator.name !== undefined }))),
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
          (isWhole(type) ? field.series : undefined) ??
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
      volume: volumeInArxiv(field) === undefined ? field.volume : undefined,
      issue: field.number ?? field.issue,
      pages: (field.pages ?? field.eid ?? field.articleno)?.replace(/(?:(?<!\s)\s+)?(?:--+|[–—])\s*/g, '-'),
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

/** DBLP and Semantic Scholar write the arXiv id as the volume "abs/1706.03762" of the journal CoRR or ArXiv. */
const volumeInArxiv = ({ journaltitle, journal, volume }: Record<string, string | undefined>): string | undefined =>
  /^(?:arxiv|corr)\b/i.test(journaltitle ?? journal ?? '') ? /^abs\/(\S+)$/.exec(volume ?? '')?.[1] : undefined

/** Reads a URL with or without LaTeX escapes; the first of several. */
const addressIn = (text: string | undefined) =>
  webAddress(text?.replace(/\{\\([%&_#~])\}|\\([%&_#~])/g, '$1$2').split(/(?<![;,\s])[;,\s]+(?=https?:)/i)[0])

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
