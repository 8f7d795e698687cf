import { createHash } from 'node:crypto'
import { parseFeed } from 'feedsmith'
import type { JsonObject } from '../../../schemas/json-object.js'
import { dayOf } from '../../../schemas/utc-time.js'
import { occursMoreThan } from '../../input/occurs-more-than.js'
import { doiIn, idsIn, pmidIn, webAddress } from '../../papers/identifiers.js'
import { excerpt, object, objects, parseAll, text } from '../requests/answers.js'
import { readDate } from '../../papers/stated-date.js'
import { decodeBytes } from '../formats/decode.js'
import type { ParseResult } from '../formats/format.js'
import { isFromHighwire, readHighwire } from '../formats/highwire.js'
import { toMetadata } from '../formats/metadata.js'
import { authorsOf, readName } from '../formats/names.js'
import { plainParagraphs, plainText } from '../formats/plain-text.js'
import type { XmlElement } from '../formats/xml.js'
import { entryElements, scienceDirectElements, statedElements } from './journal-feed-elements.js'

/** A document to parse: the bytes behind a journal feed's address. */
export interface FeedDocument { address: string, bytes: Uint8Array }

/**
 * Content of a document: batches of parsed records, each as JSON that takes a few milliseconds to read. `unreadable` says what it is not,
 * with an excerpt for the log; `oversized` names the limit that it exceeds.
 */
export type FeedContent = { batches: string[], shortfall?: string } | { oversized: string } | { unreadable: string, detail: string }

/** Anyone may choose a feed, and parsing takes time in proportion to its tags and attributes. */
const [maxTags, maxAttributes] = [40_000, 40_000]
/** The first entries are the newest; a feed with more is an archive. */
const maxEntries = 500
const batchSize = 25
/** Maximum length of a text, of a title, of a list of names in one element, and of a name, in characters. */
const [maxTextLength, maxTitleLength, maxListLength, maxNameLength] = [100_000, 4000, 20_000, 300]
/** Authors, and elements with their names. */
const maxAuthors = 300
/** Elements of an entry with its identifiers. */
const maxIdentifiers = 10

/** Parses a feed in any dialect. Runs in a thread: a hostile document may take seconds. */
export async function parseFeedDocument ({ address, bytes }: FeedDocument): Promise<FeedContent> {
  const document = await decodeBytes(bytes)
  const feed = parseDocument(document)
  if ('oversized' in feed || 'unreadable' in feed) return feed
  const { content } = feed
  const entries = objects(content.items ?? content.entries)
  const elements = await entryElements(document)
  // In the same order, unless feedsmith has left out an empty entry.
  const elementOf = new Map(elements.length === entries.length ? entries.map((entry, at) => [entry, elements[at]]) : [])
  const all = entries.filter(entry => !isReplacement(entry))
  const head = { address, venue: venueOf(text(content.title) || text(object(content.title).value)) }
  const parsed = await parseAll(all.slice(0, maxEntries), entry => parseEntry(entry, elementOf.get(entry), head))
  const batches: string[] = []
  for (let from = 0; from < parsed.length; from += batchSize) batches.push(JSON.stringify(parsed.slice(from, from + batchSize)))
  return all.length > maxEntries
    ? { batches, shortfall: `The journal feed has ${all.length} entries; only the first ${maxEntries} were fetched.` }
    : { batches }
}

function parseDocument (document: string): { content: JsonObject } | Exclude<FeedContent, { batches: unknown }> {
  for (const [mark, max, kind] of [
    ['<', maxTags, 'tags'],
    ['=', maxAttributes, 'attributes']
  ] as const) {
    if (occursMoreThan(document, mark, max)) {
      return { oversized: `The journal feed has more than ${max} ${kind}, which is the limit. Choose one with fewer or shorter entries.` }
    }
  }
  // A truncated feed would parse as a shorter one.
  if (/^\s*</.test(document) && !/<\/(?:\w+:)?(?:feed|rss|RDF)\s*>$/.test(withoutEndComments(document).slice(-100))) {
    return { unreadable: 'a whole RSS or Atom feed', detail: excerpt(document) }
  }
  try {
    return { content: object(parseFeed(document).feed) }
  } catch {
    return { unreadable: 'an RSS or Atom feed', detail: excerpt(document) }
  }
}

/** A document without the comments that may follow its last element. */
function withoutEndComments (document: string): string {
  let rest = document.trimEnd()
  while (rest.endsWith('-->')) {
    const begin = rest.lastIndexOf('<!--')
    if (begin === -1) break
    rest = rest.slice(0, begin).trimEnd()
  }
  return rest
}

/** Whether an entry of arXiv's daily feeds announces a new version of an old preprint, dated today. */
const isReplacement = (entry: JsonObject): boolean =>
  [entry.description, entry.summary].some(each => /^\s*arXiv:\S+ Announce Type: replace/.test(valueOf(each).slice(0, 200)))

/** Statements of a feed about all its entries. */
interface FeedHead { address: string, venue: string | null }

/** The journal that a feed's title names: "Publisher: Journal: Table of Contents", "Latest articles for Journal". */
function venueOf (title: string): string | null {
  const written = plainText(title.slice(0, maxNameLength))
  const [, journal] = /^(?:[^:]+: )?(.+?): table of contents$/i.exec(written) ?? []
  const prefix = /^(?:.*\btable of contents\b|latest .*? for|recent .*? in|ScienceDirect Publication:)[:\s-]*/i
  return (journal ?? written.replace(prefix, '')) || null
}

/**
 * Parses an entry of an RSS, RDF or Atom feed in feedsmith's form. Journals describe entries in Dublin Core and PRISM.
 * @param element the entry's element, for what feedsmith leaves out
 */
function parseEntry (entry: JsonObject, element: XmlElement | undefined, feed: FeedHead): ParseResult {
  const dublinCore = object(entry.dc)
  const stated = statedElements(element)
  const described = scienceDirectElements(plainText(valueOf(entry.description).slice(0, maxListLength)))
  const url = webAddress(linkOf(entry))
  const guid = valueOf(entry.guid) || text(entry.id)
  const identifiers = [...all(dublinCore, 'identifier'), ...all(object(entry.dcterms), 'identifier')].slice(0, maxIdentifiers)
  const doi = [stated.doi, ...identifiers, /doi/i.test(guid) ? guid : null, url].map(doiIn).find(each => each !== null) ?? null
  const ids = idsIn([doi, url, guid.replace(/^oai:arXiv\.org:/i, 'https://arxiv.org/abs/')])
  const { arxiv, pmcid } = ids
  // Feeds of searches in PubMed have the name of the search.
  const ofPubmed = pmidIn([...identifiers, guid].map(each => /^\s*(?:pmid|pubmed):\s*(\d+)\s*$/i.exec(each)?.[1]).find(Boolean))
  const pmid = ofPubmed ?? ids.pmid
  const read = (written: string) => isFromHighwire(doi) ? readHighwire(written) : written
  const title = titleOf(read(valueOf(entry.title)), read(one(dublinCore, 'title')))
  if (title === '') return { reason: 'title is missing' }
  const published =
    stated.date || one(dublinCore, 'date') || text(entry.pubDate) || text(entry.published) || text(entry.updated) || described?.date || ''
  const id = guid || url
  return {
    record: {
      title,
      abstract: described === undefined ? abstractOf(entry, ofPubmed === null ? read : withoutCitation) : null,
      authors: authorsOf(namesOf(entry, dublinCore, stated.authors || described?.authors || '')),
      published_date: writtenDay(published),
      url,
      pdf_url: null,
      // A DOI of arXiv contains the arXiv id.
      doi: arxiv !== null && /^10\.48550\//.test(doi ?? '') ? null : doi,
      venue_name: (stated.journal || (ofPubmed === null ? '' : one(dublinCore, 'source'))).slice(0, maxNameLength) ||
        described?.journal || (arxiv !== null ? 'arXiv' : ofPubmed !== null ? null : feed.venue),
      external_ids: { ...(arxiv === null ? {} : { arxiv }), ...(pmid === null ? {} : { pmid }), ...(pmcid === null ? {} : { pmcid }) },
      source: { name: 'feed' },
      // The address may contain its reader's key, and is never stored with a paper.
      source_paper_id: id === null || id === '' ? null : createHash('sha256').update(`${feed.address} ${id}`).digest('hex'),
      metadata: toMetadata({
        feed: new URL(feed.address).host,
        published: published.slice(0, maxNameLength),
        volume: stated.volume,
        issue: stated.issue,
        pages: [stated.firstPage, stated.lastPage].filter(page => page !== '').join('-'),
        issn: stated.issn,
        categories: categoriesOf(entry),
        ...(arxiv === null ? {} : { preprint: true })
      })
    }
  }
}

/** The title; one that begins with its citation, as MDPI writes it, or with its section ("[Articles]"), gives way to Dublin Core's. */
function titleOf (written: string, dublinCore: string): string {
  const read = (text: string) => plainText(text.slice(0, maxTitleLength))
  const [title, short] = [read(written), read(dublinCore)]
  return title === '' || (short !== '' && [': ', '] '].some(before => title.endsWith(`${before}${short}`))) ? short : title
}

/** RSS has a text, Atom a text or an object with one. */
const valueOf = (value: unknown): string => (text(value) || text(object(value).value)).slice(0, maxTextLength)

/** Dublin Core's elements come alone or as lists. */
const all = (elements: JsonObject, name: string): string[] =>
  [elements[name], ...list(elements[`${name}s`])].map(each => text(each).slice(0, maxTextLength)).filter(each => each !== '')

const one = (elements: JsonObject, name: string): string => all(elements, name)[0] ?? ''

const list = (value: unknown): unknown[] => Array.isArray(value) ? value : []

function linkOf (entry: JsonObject): string {
  const links = objects(entry.links)
  return text(entry.link) || text((links.find(({ rel }) => rel === undefined || rel === 'alternate') ?? links[0])?.href)
}

/** @param others names that neither Dublin Core nor the feed's own elements state */
function namesOf (entry: JsonObject, dublinCore: JsonObject, others: string): string[] {
  const creators = (Array.isArray(dublinCore.creators) ? dublinCore.creators.slice(0, maxAuthors) : [dublinCore.creator]).map(text)
  const authors = list(entry.authors)
    .slice(0, maxAuthors)
    .map(author => text(author) || text(object(author).name) || text(object(author).email))
  const names = [creators, authors, [others]].find(each => each.some(name => name !== '')) ?? []
  // One element may hold them all. Of several, one with a comma has a name.
  const isList = names.filter(name => name !== '').length === 1
  return names.flatMap(name => namesIn(name, isList)).slice(0, maxAuthors)
    .map(name => readName(name.replace(/^[^\s@]+@\S+ \((.*)\)$/, '$1')))
}

const initialsForm = /^(?:\p{Lu}\.?[\s-]?){1,4}$/u

/**
 * "Ada Example; Bob Other", "… and Bob Other", "Ada Example, Bob Other", "Example, A., Other, B.". But "Example, Ada" is one name.
 * @param isList whether a single comma may separate full names, or "García Márquez, Gabriel José" is one
 */
function namesIn (written: string, isList: boolean): string[] {
  return plainText(written.slice(0, maxListLength)).split(/ ?; ?| and /).flatMap(part => {
    const pieces = part.split(',').map(piece => piece.trim()).filter(piece => piece !== '')
    if (pieces.length % 2 === 0 && pieces.every((piece, at) => initialsForm.test(piece) === (at % 2 === 1))) {
      return pieces.flatMap((piece, at) => at % 2 === 0 ? [`${piece}, ${pieces[at + 1]}`] : [])
    }
    if (!isList && pieces.length === 2) return [part]
    const single = pieces.filter(piece => !piece.includes(' ')).length
    // In a longer list, one may be a group with a single word.
    return single === 0 || (single === 1 && pieces.length > 2) ? pieces : [part]
  }).map(name => name.trim().slice(0, maxNameLength))
}

/** Text of PubMed's feeds without the citation before the heading of the abstract and the identifiers after it. */
function withoutCitation (html: string): string {
  const [, abstract = ''] = html.split(/<b>ABSTRACT<\/b>/, 2)
  const end = abstract.lastIndexOf('PMID:')
  return end === -1 ? abstract : abstract.slice(0, end)
}

/**
 * The longest text of the entry; in many feeds it only says where the paper appeared.
 * @param read removes boilerplate from a text in HTML
 */
function abstractOf (entry: JsonObject, read: (written: string) => string): string | null {
  const texts = [
    valueOf(object(entry.content).encoded) || valueOf(entry.content),
    valueOf(entry.description),
    valueOf(entry.summary),
    one(object(entry.dc), 'description')
  ].map(each => plainParagraphs(read(each).replace(/^arXiv:\S+ Announce Type: \S+\s+Abstract: /, '')) ?? '')
  const longestText = texts.reduce((best, each) => each.length > best.length ? each : best, '')
  return longestText === '' ? null : longestText
}

/** "GMT", "+0200", "EST" or "+02:00 (CEST)" at the end of a time. */
const timeZone = /\s*(?:(?<![A-Za-z])(?!AM|PM)[A-Z]{1,5}|(?:GMT|UTC)?[+-]\d\d:?\d\d)(?:\s*\([^)]*\))?$/
const maxDateLength = 100

/** The day as it is written, in any time zone: "Fri, 20 Nov 2026 00:00:00 +0200" and RFC 3339. */
function writtenDay (date: string): string | null {
  const written = date.trim().slice(0, maxDateLength)
  if (/^\d{4}-\d\d-\d\d[T\s]/.test(written)) return readDate(written.slice(0, 10))
  const time = /\d{2}:\d{2}/.test(written) ? Date.parse(`${written.replace(timeZone, '')} UTC`) : Number.NaN
  return Number.isNaN(time) ? readDate(written) : dayOf(new Date(time))
}

const categoriesOf = (entry: JsonObject) =>
  list(entry.categories)
    .slice(0, 50)
    .map(category => text(category) || text(object(category).name) || text(object(category).term))
    .filter(each => each !== '')
