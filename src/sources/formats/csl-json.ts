import { isUuid } from '../../../schemas/ids.js'
import { isObject, type JsonObject } from '../../../schemas/json-object.js'
import type { PaperRecord } from '../../../schemas/paper.js'
import { arxivIn, doiIn, idsIn, idsInNote, pmcidIn, pmidIn, webAddress } from '../../papers/identifiers.js'
import { readDate } from '../../papers/stated-date.js'
import { dateOfParts, datePartsIn } from './date-parts.js'
import { type Format, type ParseResult, requireTitle } from './format.js'
import { isPaper, readPaper } from './json-lines.js'
import { jsonValuesOf } from './json-values.js'
import { statedIssns, toMetadata } from './metadata.js'
import { authorsOf, type StatedAuthor } from './names.js'
import { plainParagraphs, plainText } from './plain-text.js'

/** Fields that distinguish CSL items from JSON Lines records. */
const itemForm = /"(?:issued|container-title)"\s*:|"author"\s*:\s*\[\s*\{\s*"(?:family|given|literal)"|"items"\s*:\s*\[\s*\{/

/**
 * CSL items: an array, a single item, or an object with an array "items". An array may also hold records of the API, as tools make it of
 * JSON lines. @see https://citeproc-js.readthedocs.io/en/latest/csl-json/markup.html
 */
export const cslJson: Format = {
  name: 'csl-json',
  title: 'CSL-JSON',
  extensions: ['.json'],
  matches: head => /^\s*\[\s*[{\]]/.test(head) || (/^\s*\{/.test(head) && itemForm.test(firstOf(head))),
  async * read (text) {
    let place = 0
    for await (const piece of jsonValuesOf(text)) {
      yield { place: ++place, line: piece.line, ...('fault' in piece ? { reason: piece.fault } : readPiece(piece.json)) }
    }
  }
}

/** The first line if it is an object, otherwise all of the head. */
function firstOf (head: string): string {
  const line = head.trimStart().split('\n', 1)[0]!
  return line.trimEnd().endsWith('}') ? line : head
}

function readPiece (json: string): ParseResult {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return { reason: 'the record is not valid JSON' }
  }
  return isPaper(value) ? readPaper(value) : readItem(value)
}

/** Crossref writes a list of ISSNs, and others write several as one text. */
const issnText = (stated: unknown): string => [stated].flat().filter(each => typeof each === 'string').join(' ')

function readItem (item: unknown): ParseResult {
  return isObject(item) ? requireTitle(recordOf(item)) : { reason: 'a record must be an object' }
}

function recordOf (item: JsonObject): PaperRecord {
  // Crossref writes some texts as arrays.
  const text = (name: string) => {
    const value: unknown = Array.isArray(item[name]) ? item[name][0] : item[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const url = webAddress(text('URL'))
  const note = text('note') ?? ''
  const doi = doiIn(text('DOI')) ?? (/doi/i.test(url ?? '') ? doiIn(url) : null)
  const ids = idsIn([doi, url])
  const noted = idsInNote(note)
  const pmid = pmidIn(text('PMID')) ?? noted.pmid ?? ids.pmid
  const pmcid = pmcidIn(text('PMCID')) ?? noted.pmcid ?? ids.pmcid
  const arxiv =
    ids.arxiv ?? arxivIn(/arxiv/i.test(`${text('archive')} ${text('publisher')} ${text('number')}`) ? text('number') : undefined)
  return {
    title: plainText(text('title') ?? ''),
    abstract: plainParagraphs(text('abstract') ?? ''),
    authors: authorsOf((Array.isArray(item.author) ? item.author : []).map(authorOf)),
    published_date: publishedOf(item.issued),
    url,
    pdf_url: url !== null && /\.pdf([?#]|$)/i.test(url) ? url : null,
    doi,
    venue_name: plainText(text('container-title') ?? text('publisher') ?? '') || null,
    external_ids: { ...(pmid === null ? {} : { pmid }), ...(pmcid === null ? {} : { pmcid }), ...(arxiv === null ? {} : { arxiv }) },
    source: { name: 'csl-json' },
    source_paper_id: null,
    metadata: toMetadata({
      type: text('type'),
      citation_key: text('citation-key') ?? keyIn(text('id')),
      published: statedDate(item.issued),
      volume: text('volume'),
      issue: text('issue'),
      pages: text('page'),
      ...statedIssns(issnText(item.ISSN)),
      isbn: text('ISBN'),
      publisher: text('publisher'),
      language: text('language'),
      keywords: keywordsIn(text('keyword') ?? '')
    })
  }
}

/** Semicolons separate keywords, otherwise commas. */
const keywordsIn = (text: string): string[] =>
  text.split(text.includes(';') ? ';' : ',').map(keyword => keyword.trim()).filter(keyword => keyword !== '')

/** The id of an item, if it can be a key that a person cites it by: not a UUID, as this service writes, or an address, as Zotero does. */
const keyIn = (id: string | undefined): string | undefined =>
  id === undefined || isUuid(id.toLowerCase()) || /^[a-z][a-z\d+.-]*:\/\//i.test(id) ? undefined : id

function authorOf (value: unknown): StatedAuthor {
  const author = isObject(value) ? value : {}
  const part = (name: string) => typeof author[name] === 'string' ? author[name] : ''
  // Crossref writes groups as a name.
  const group = part('literal') || part('name')
  const whole = group ||
    [part('given'), part('dropping-particle'), part('non-dropping-particle'), part('family'), part('suffix')]
      .filter(each => each !== '')
      .join(' ')
  return { name: plainText(whole), group: group !== '', orcid: part('ORCID') }
}

function publishedOf (issued: unknown): string | null {
  const parts = datePartsIn(issued)
  return parts === undefined ? readDate(statedDate(issued)) : dateOfParts(parts)
}

/** The date as text, or its numbers joined by hyphens. */
function statedDate (issued: unknown): string | undefined {
  if (!isObject(issued)) return typeof issued === 'string' ? issued : undefined
  const words = [issued.raw, issued.literal].find(each => typeof each === 'string')
  return words ?? datePartsIn(issued)?.filter(part => part !== null && part !== '').join('-')
}
