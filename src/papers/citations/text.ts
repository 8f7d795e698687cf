import type { Paper } from '../../../schemas/paper.js'
import type { CitationFormat } from './format.js'
import type { SortedName } from './names.js'
import { type Reference, referenceOf } from './reference.js'

/** Authors that are named before "et al.". */
const maxAuthors = 6

export const text: CitationFormat = {
  name: 'text',
  title: 'plain text',
  readBy: 'people',
  type: 'text/plain; charset=utf-8',
  extension: 'txt',
  write: paper => `${citationOf(paper)}\n`
}

/** One paper as a line in the style of the US National Library of Medicine: authors, title, venue, date, volume, pages, identifiers. */
function citationOf (paper: Paper): string {
  const reference = referenceOf(paper)
  const { title, authors, venue = reference.publisher } = reference
  return [
    authors.length === 0 ? undefined : sentence(authorsOf(authors)),
    sentence(title),
    venue === undefined ? undefined : sentence(venue),
    publicationOf(reference),
    ...identifiersOf(reference),
    reference.notices
  ].filter(part => part !== undefined).join(' ')
}

const authorsOf = (authors: readonly SortedName[]) =>
  [...authors.slice(0, maxAuthors).map(nameOf), ...(authors.length > maxAuthors ? ['et al'] : [])].join(', ')

/** "Núñez de Balboa AM" */
function nameOf ({ family, given, suffix }: SortedName): string {
  const initials = given?.split(/[\s.-]+/).map(name => [...name][0] ?? '').join('').toUpperCase()
  return [family, initials, suffix].filter(part => part !== undefined && part !== '').join(' ')
}

/** "2021-03-04;7(2):1-9." */
function publicationOf ({ date, volume, issue, pages }: Reference): string | undefined {
  const day = date === undefined ? '' : [date.year, date.month, date.day].filter(part => part !== undefined).join('-')
  const number = `${volume ?? ''}${issue === undefined ? '' : `(${issue})`}`
  const page = pages === undefined ? '' : `:${[pages.first, pages.last].filter(part => part !== undefined).join('-')}`
  const all = `${day}${day !== '' && number + page !== '' ? ';' : ''}${number}${page}`
  return all === '' ? undefined : `${all}.`
}

function identifiersOf ({ doi, pmid, arxiv, url }: Reference): string[] {
  const identifiers = [
    ...(doi === undefined ? [] : [`https://doi.org/${doi}`]),
    ...(pmid === undefined ? [] : [`PMID ${pmid}.`]),
    ...(arxiv === undefined ? [] : [`arXiv:${arxiv}.`])
  ]
  return identifiers.length === 0 && url !== undefined ? [url] : identifiers
}

/** One line that ends in a full stop, unless it ends in another mark. */
function sentence (words: string): string {
  const line = words.replace(/\s+/g, ' ').trim()
  return /[.!?]$/.test(line) ? line : `${line}.`
}
