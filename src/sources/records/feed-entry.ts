import { createHash } from 'node:crypto'
import { type JsonObject, object, objects, text } from '../answers.js'
import type { PaperRecord } from '../../../schemas/paper.js'
import { readDate } from '../formats/dates.js'
import { stated } from '../formats/metadata.js'
import { authorsOf, readName } from '../formats/names.js'
import { plainParagraphs, plainText } from '../formats/plain-text.js'
import { doiIn, idsIn, webAddress } from '../../papers/identifiers.js'

/** Characters of one text, of one element's names, and of one name. */
const [longestText, longestList, longestName] = [100_000, 20_000, 300]
/** Authors at most, and elements with their names: a collaboration has more, of whom nobody reads a list. */
const mostAuthors = 300

/** What the feed says of all its entries. */
export interface FeedHead { address: string, venue: string | null }

/** The journal that a feed's title names. */
export const venueOf = (title: string): string | null => plainText(title.slice(0, longestName)).replace(/^(?:.*\btable of contents\b|latest .*? for|recent .*? in)[:\s-]*/i, '') || null

/** An entry of an RSS, RDF or Atom feed, as feedsmith reads them. Journals state what they know in Dublin Core and PRISM. */
export function readFeedEntry (entry: JsonObject, feed: FeedHead): { record: PaperRecord } | { reason: string } {
  const dublinCore = object(entry.dc)
  const prism = object(entry.prism)
  const title = plainText(valueOf(entry.title) || one(dublinCore, 'title'))
  if (title === '') return { reason: 'title is missing' }
  const url = webAddress(linkOf(entry))
  const guid = valueOf(entry.guid) || text(entry.id)
  const doi = doiIn(text(prism.doi)) ?? doiIn(one(dublinCore, 'identifier')) ?? doiIn(one(object(entry.dcterms), 'identifier')) ?? (/doi/i.test(guid) ? doiIn(guid) : null) ?? doiIn(url)
  const { arxiv, pmid, pmcid } = idsIn([doi, url, guid.replace(/^oai:arXiv\.org:/i, 'https://arxiv.org/abs/')])
  const published = text(prism.publicationDate) || one(dublinCore, 'date') || text(entry.pubDate) || text(entry.published) || text(entry.updated)
  const id = guid || url
  return {
    record: {
      title,
      abstract: abstractOf(entry),
      authors: authorsOf(namesOf(entry, dublinCore)),
      published_date: dayOf(published),
      url,
      pdf_url: null,
      // arXiv's own DOIs stand for its ids.
      doi: arxiv !== null && /^10\.48550\//.test(doi ?? '') ? null : doi,
      venue_name: plainText(text(prism.publicationName).slice(0, longestName)) || feed.venue,
      external_ids: { ...(arxiv === null ? {} : { arxiv }), ...(pmid === null ? {} : { pmid }), ...(pmcid === null ? {} : { pmcid }) },
      source: { name: 'feed' },
      // The address may hold a key of its reader's, and is stored nowhere with a paper.
      source_paper_id: id === null || id === '' ? null : createHash('sha256').update(`${feed.address} ${id}`).digest('hex'),
      metadata: stated({ feed: new URL(feed.address).host, volume: text(prism.volume), issue: text(prism.number), pages: [text(prism.startingPage), text(prism.endingPage)].filter(page => page !== '').join('-'), issn: text(prism.issn), categories: categoriesOf(entry) })
    }
  }
}

/** RSS has a text, Atom a text or an object with one. */
const valueOf = (value: unknown): string => (text(value) || text(object(value).value)).slice(0, longestText)

/** Dublin Core's elements come alone or as lists. */
const one = (elements: JsonObject, name: string): string => (text(elements[name]) || text(list(elements[`${name}s`])[0])).slice(0, longestText)

const list = (value: unknown): unknown[] => Array.isArray(value) ? value : []

function linkOf (entry: JsonObject): string {
  const links = objects(entry.links)
  return text(entry.link) || text((links.find(({ rel }) => rel === undefined || rel === 'alternate') ?? links[0])?.href)
}

function namesOf (entry: JsonObject, dublinCore: JsonObject): string[] {
  const creators = (Array.isArray(dublinCore.creators) ? dublinCore.creators.slice(0, mostAuthors) : [dublinCore.creator]).map(text)
  const authors = list(entry.authors).slice(0, mostAuthors).map(author => text(author) || text(object(author).name) || text(object(author).email))
  const names = creators.some(name => name !== '') ? creators : authors
  // One element may hold them all.
  return names.flatMap(namesIn).slice(0, mostAuthors).map(name => readName(name.replace(/^[^\s@]+@\S+ \((.*)\)$/, '$1')))
}

/** "Ada Example; Bob Other", "Ada Example and Bob Other", "Ada Example, Bob Other"; but "Example, Ada" is one name. */
function namesIn (written: string): string[] {
  return plainText(written.slice(0, longestList)).split(/ ?; ?| and /).flatMap(part => {
    const pieces = part.split(', ')
    return pieces.every(piece => piece.trim().includes(' ')) ? pieces : [part]
  }).map(name => name.trim().slice(0, longestName))
}

/** The longest of what stands for the entry's text; many journals give no more than where it appeared. */
function abstractOf (entry: JsonObject): string | null {
  const texts = [valueOf(object(entry.content).encoded) || valueOf(entry.content), valueOf(entry.description), valueOf(entry.summary), one(object(entry.dc), 'description')]
    .map(each => plainParagraphs(each.replace(/^arXiv:\S+ Announce Type: \S+\s+Abstract: /, '')) ?? '')
  const longest = texts.reduce((best, each) => each.length > best.length ? each : best, '')
  return longest === '' ? null : longest
}

/** "Fri, 20 Nov 2026 00:00:00 GMT" and RFC 3339. */
function dayOf (written: string): string | null {
  if (/^\d{4}-\d\d-\d\dT/.test(written)) return readDate(written.slice(0, 10))
  const time = /\d{2}:\d{2}/.test(written) ? Date.parse(written) : Number.NaN
  return Number.isNaN(time) ? readDate(written) : new Date(time).toISOString().slice(0, 10)
}

const categoriesOf = (entry: JsonObject) => list(entry.categories).slice(0, 50).map(category => text(category) || text(object(category).name) || text(object(category).term)).filter(each => each !== '')
