import { normalForm } from '../../../schemas/normal-form.js'
import type { Paper } from '../../../schemas/paper.js'
import { splitFormulas } from '../../latex/inline-latex.js'
import { isSafeFormula } from '../../latex/safe-formula.js'
import type { CitationKind } from '../publication-kinds.js'
import { babelLanguage } from './babel-language.js'
import type { Annotations, CitationFormat } from './format.js'
import type { SortedName } from './names.js'
import { type Reference, referenceOf } from './reference.js'

const types: Readonly<Record<CitationKind, string>> = {
  article: 'article',
  proceedings: 'inproceedings',
  chapter: 'incollection',
  book: 'book',
  thesis: 'phdthesis',
  report: 'techreport',
  preprint: 'misc',
  other: 'misc'
}
/** The field of each entry type that holds the venue. */
const venueFields: Readonly<Record<string, string>> = {
  inproceedings: 'booktitle',
  incollection: 'booktitle',
  phdthesis: 'school',
  techreport: 'institution',
  book: 'series',
  misc: 'howpublished'
}
/** Fields that BibTeX parses as lists separated by "and". */
const lists: ReadonlySet<string> = new Set(['institution', 'school', 'publisher'])
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

export const bibtex: CitationFormat = {
  name: 'bibtex',
  title: 'BibTeX',
  readBy: 'LaTeX, JabRef and Zotero',
  type: 'application/x-bibtex; charset=utf-8',
  extension: 'bib',
  write
}

/**
 * One paper as a BibTeX entry in UTF-8, with the fields of BibLaTeX where BibTeX has none.
 * @param taken keys of the preceding entries, each with the last number appended to it. The entry's own key is added, so that keys are
 * unique in a file
 */
function write (paper: Paper, taken: Map<string, number>, marks?: Annotations): string {
  const reference = referenceOf(paper, marks)
  const { kind, date, pages, keywords } = reference
  const type = types[kind]
  const venueField = venueFields[type] ?? 'journal'
  const isInstitution = (kind === 'thesis' || kind === 'report') && reference.venue === undefined
  const [venue, publisher] = isInstitution ? [reference.publisher, undefined] : [reference.venue, reference.publisher]
  const fields: Array<[name: string, value: string | undefined]> = [
    ['author', reference.authors.length === 0 ? undefined : reference.authors.map(nameOf).join(' and ')],
    ['title', withFormulas(reference.title, protectedTitle)],
    [venueField, lists.has(venueField) ? wholePart(venue) : latex(venue)],
    ['year', date?.year],
    ['month', date?.month],
    ['day', date?.day],
    ['volume', latex(reference.volume)],
    ['number', latex(reference.issue)],
    ['pages', pages?.last === undefined ? latex(pages?.first) : `${latex(pages.first)}--${latex(pages.last)}`],
    ['publisher', wholePart(publisher)],
    ['issn', latex(reference.issn)],
    ['isbn', latex(reference.isbn)],
    ['doi', verbatim(reference.doi)],
    ...(reference.arxiv === undefined
      ? []
      : ([
          ['eprint', verbatim(reference.arxiv)],
          ['archiveprefix', 'arXiv'],
          ['primaryclass', verbatim(reference.arxivClass)]
        ] satisfies Array<[string, string | undefined]>)),
    ['pmid', verbatim(reference.pmid)],
    ['pmcid', verbatim(reference.pmcid)],
    ['openalex', verbatim(reference.openalex)],
    ['url', verbatim(reference.url)],
    ['pdf', verbatim(reference.pdf)],
    // BibLaTeX prints other values.
    ['langid', babelLanguage(reference.language)],
    [
      'keywords',
      keywords.length === 0
        ? undefined
        : keywords.map(keyword => /[,;]/.test(keyword) ? `{${latex(keyword)}}` : latex(keyword)).join(', ')
    ],
    ['abstract', reference.abstract === undefined ? undefined : withFormulas(reference.abstract, latex)],
    // Styles print the field `note` in bibliographies, as readers of a bibliography should know of a retraction.
    ['note', latex(reference.notices)],
    ['annote', latex(reference.note)]
  ]
  const lines = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name} = ${name === 'month' ? months[Number(value) - 1] : `{${value}}`}`]
  )
  return `@${type}{${freshKey(reference, taken)},\n${lines.join(',\n')}\n}\n`
}

/**
 * Special characters of LaTeX. BibTeX counts escaped braces too, so braces are commands: those in a title could end the entry and begin
 * another.
 */
const signs: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '{\\textbraceleft}',
  '}': '{\\textbraceright}',
  $: '\\$',
  '&': '\\&',
  '%': '\\%',
  '#': '\\#',
  _: '\\_',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}'
}

/** Characters that LaTeX would read otherwise. Few names have any, and a paper may have thousands of names. */
const special = /[\\{}$&%#_^~<>|'`!?-]/

function latex (text: string): string
function latex (text: string | undefined): string | undefined
function latex (text: string | undefined): string | undefined {
  if (text === undefined || !special.test(text)) return text
  return text.replace(/[\\{}$&%#_^~<>|]/g, sign => signs[sign]!).replace(/([-'`])(?=\1)/g, '$1{}').replace(/([!?])(?=`)/g, '$1{}')
}

/**
 * Writes a text with its formulas, in braces since styles lower-case them too. One that is not safe, or is between other signs than dollar
 * signs, is escaped with the whole text.
 */
function withFormulas (text: string, write: (text: string, isStart: boolean) => string): string {
  const parts = splitFormulas(text)
  const isPlain = parts.every(({ isFormula }) => !isFormula)
  const isSafe = parts.every(({ text, isFormula }) => !isFormula || isSafeFormula(text))
  if (isPlain || !isSafe || parts.map(({ text, isFormula }) => isFormula ? `$${text}$` : text).join('') !== text) return write(text, true)
  return parts.map(({ text, isFormula }, at) => isFormula ? `{$${text}$}` : write(text, at === 0)).join('')
}

/** Addresses and identifiers are not escaped; characters that would end the field are percent-encoded. */
const verbatim = (text: string | undefined) => text?.replace(/[{}\\\s]/g, sign => encodeURIComponent(sign))

/**
 * Protects words such as DNA, mRNA and pH in braces, since styles lower-case titles. Every expression reads a word once, since a hostile
 * one may be very long.
 */
const protectedTitle = (title: string, isStart = true) =>
  title
    .split(' ')
    .map((word, at) => {
      const [, before, core, after] = /^([^\p{L}\p{N}]*)(.*[\p{L}\p{N}]|)(.*)$/su.exec(word)!
      return /^\P{L}*\p{L}.*\p{Lu}/u.test(core!) || ((at > 0 || !isStart) && /^\p{Lu}\P{L}*$/u.test(core!))
        ? `${latex(before!)}{${latex(core!)}}${latex(after!)}`
        : latex(word)
    })
    .join(' ')

function nameOf ({ family, given, suffix }: SortedName): string {
  if (given === undefined) return `{${latex(family)}}`
  return `${wholePart(family)}, ${suffix === undefined ? '' : `${wholePart(suffix)}, `}${wholePart(given)}`
}

/** A part of a list, in braces if it contains "and". */
function wholePart (text: string): string
function wholePart (text: string | undefined): string | undefined
function wholePart (text: string | undefined): string | undefined {
  return text !== undefined && /\band\b/i.test(text) ? `{${latex(text)}}` : latex(text)
}

/** The record's own key, or one made from first author, year and first long word, such as "berg2021sleep". */
function freshKey ({ key, authors, date, title }: Reference, taken: Map<string, number>): string {
  const ascii = (text: string) => normalForm(text, 'NFKD').replace(/[^A-Za-z0-9]/g, '').toLowerCase()
  const word = title.split(/[\s\p{P}]+/u).map(ascii).find(each => each.length > 3) ?? ''
  const made = `${ascii(authors[0]?.family ?? '').slice(0, 40)}${date?.year ?? ''}${word.slice(0, 40)}`
  const own = key !== undefined && /^[\w:.+/-]{1,200}$/.test(key) ? key : made || 'paper'
  // Thousands may share a key, such as the year if titles have no Latin word. Continuing from the last number keeps this linear.
  let number = taken.get(own.toLowerCase()) ?? 1
  let uniqueKey = own
  while (taken.has(uniqueKey.toLowerCase())) uniqueKey = `${own}-${++number}`
  taken.set(own.toLowerCase(), number).set(uniqueKey.toLowerCase(), 1)
  return uniqueKey
}
