import type { Paper } from '../../../schemas/paper.js'
import { arxivAddress } from '../paper-address.js'
import type { CitationKind } from '../publication-kinds.js'
import type { Annotations, CitationFormat } from './format.js'
import type { SortedName } from './names.js'
import { type Reference, referenceOf } from './reference.js'

const types: Readonly<Record<CitationKind, string>> = {
  article: 'JOUR', proceedings: 'CPAPER', chapter: 'CHAP', book: 'BOOK', thesis: 'THES', report: 'RPRT', preprint: 'UNPB', other: 'GEN'
}

export const ris: CitationFormat = {
  name: 'ris',
  title: 'RIS',
  readBy: 'EndNote, Mendeley, Zotero and others',
  type: 'application/x-research-info-systems; charset=utf-8',
  extension: 'ris',
  write
}

/** One paper as a RIS record. @see https://en.wikipedia.org/wiki/RIS_(file_format) */
function write (paper: Paper, _taken?: Map<string, number>, marks?: Annotations): string {
  const reference = referenceOf(paper, marks)
  const { kind, date, pages, pmid, arxiv, openalex, url } = reference
  const fields: Array<[tag: string, value: string | undefined]> = [
    ['TY', types[kind]],
    ...reference.authors.map(author => ['AU', nameOf(author)] satisfies [string, string]),
    ['TI', reference.title],
    ['T2', reference.venue],
    ['PY', date?.year],
    ['DA', date?.month === undefined ? undefined : `${date.year}/${date.month}/${date.day ?? ''}/`],
    ['VL', reference.volume],
    ['IS', reference.issue],
    ['SP', pages?.first],
    ['EP', pages?.last],
    ['SN', reference.issn ?? reference.isbn],
    ['PB', reference.publisher],
    ['LA', reference.language],
    ['DO', reference.doi],
    ...(pmid === undefined ? [] : [['DB', 'PubMed'], ['AN', pmid]] satisfies Array<[string, string]>),
    ['C2', reference.pmcid],
    ...addressesOf({ url, arxiv, openalex }).map(address => ['UR', address] satisfies [string, string]),
    ['L1', reference.pdf],
    ...reference.keywords.map(keyword => ['KW', keyword] satisfies [string, string]),
    ['AB', reference.abstract],
    ['N1', reference.notices],
    ['N1', reference.note]
  ]
  return [...fields.flatMap(([tag, value]) => value === undefined ? [] : [`${tag}  - ${valueOf(value)}`]), 'ER  - ', ''].join('\n')
}

/** RIS has no field for these identifiers; the addresses of their pages contain them. */
const addressesOf = ({ url, arxiv, openalex }: Pick<Reference, 'url' | 'arxiv' | 'openalex'>) => [...new Set([
  url,
  arxiv === undefined ? undefined : arxivAddress(arxiv),
  openalex === undefined ? undefined : `https://openalex.org/${openalex}`
].filter(address => address !== undefined))]

/** Commas separate the parts of a person's name, so a group's name may contain none but one at its end, by which EndNote knows it. */
function nameOf ({ family, given, suffix }: SortedName): string {
  if (given !== undefined) return [family, given, suffix].filter(part => part !== undefined).join(', ')
  const name = family.replace(/\s*,\s*/g, ' ')
  return name.includes(' ') ? `${name},` : name
}

/** Words with single spaces between them: most values, above all names, of which a paper may have thousands. */
const plain = /^[^\s\u0085\u001c-\u001f]+(?: [^\s\u0085\u001c-\u001f]+)*$/

/** Keeps paragraphs. A paragraph that looks like a field joins the line before it, since it would be read as one. */
const valueOf = (text: string) => plain.test(text) ? text : paragraphsOf(text)

const paragraphsOf = (text: string) => text.split(/\n\s*\n/).map(paragraph => paragraph.replace(/[\s\u0085\u001c-\u001f]+/g, ' ').trim())
  .reduce((lines, paragraph) => `${lines}${/^[A-Z][A-Z0-9]\s*-/.test(paragraph) ? ' ' : '\n\n'}${paragraph}`)
