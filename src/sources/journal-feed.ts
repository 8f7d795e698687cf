import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { parseFeed } from 'feedsmith'
import { doiIn, idsIn, webAddress } from '../papers/identifiers.js'
import { type JsonObject, object, objects, parseAll, text, textOf, unexpectedAnswer } from './answers.js'
import { readDate } from './formats/dates.js'
import { decodeFile } from './formats/decode.js'
import type { ParsedRecord, ParseResult } from './formats/format.js'
import { stated } from './formats/metadata.js'
import { authorsOf, readName } from './formats/names.js'
import { plainParagraphs, plainText } from './formats/plain-text.js'
import { type Source, SourceError } from './source.js'

const title = 'The journal feed'
/** Anyone may choose a feed, and parsing blocks the event loop in proportion to its tags and attributes. */
const [maxMegabytes, maxTags, maxAttributes] = [2, 40_000, 40_000]
/** The first entries are the newest; a feed with more is an archive. */
const maxEntries = 500
/** Entries parsed between two yields to the event loop. */
const entriesPerYield = 10
/** Maximum length of a text, of a list of names in one element, and of a name, in characters. */
const [maxTextLength, maxListLength, maxNameLength] = [100_000, 20_000, 300]
/** Authors, and elements with their names. */
const maxAuthors = 300

/** RSS and Atom feeds of journals, in any dialect. A feed has no window: each of its entries is new, or known already. */
export const journalFeed: Source = {
  name: 'feed',
  title: 'Journal feed',
  covers: 'One journal or group of your choice, by the address of its RSS or Atom feed.',
  queryHelp: 'The address of a journal\'s RSS or Atom feed. Example: https://journal.example.org/rss/latest.xml.',
  standing: 0,
  settings: null,
  group: 'feed',
  intervalMs: 500,
  buildQuery: () => '',
  checkQuery: query => /^https?:\/\/[^\s/]+/i.test(query.trim()) && URL.canParse(query.trim()) ? null : 'a journal feed is given by its address, which begins with http:// or https://.',
  async * search ({ fetch }, { query }) {
    const address = query.trim()
    const answer = await fetch(new URL(address), { headers: { accept: 'application/atom+xml, application/rss+xml, application/rdf+xml, application/xml;q=0.9, */*;q=0.5' }, maxBytes: maxMegabytes * 1024 * 1024 })
    if (answer.status >= 400) textOf(answer, title)
    const pieces: string[] = []
    for await (const piece of decodeFile(once(answer.bytes))) pieces.push(piece)
    const feed = parseDocument(pieces.join(''))
    const all = objects(feed.items ?? feed.entries)
    const entries = all.slice(0, maxEntries)
    const shortfall = all.length > maxEntries ? `The journal feed has ${all.length} entries; only the first ${maxEntries} were fetched.` : undefined
    const head = { address, venue: venueOf(text(feed.title) || text(object(feed.title).value)) }
    if (entries.length > 0) yield { parsed: await parseEntries(entries, head), cursor: null, shortfall }
  }
}

async function parseEntries (entries: JsonObject[], head: FeedHead): Promise<ParsedRecord[]> {
  const parsed: ParsedRecord[] = []
  for (let at = 0; at < entries.length; at += entriesPerYield) {
    parsed.push(...parseAll(entries.slice(at, at + entriesPerYield), entry => parseEntry(entry, head)).map((each, place) => ({ ...each, place: at + place + 1 })))
    await yieldToEventLoop()
  }
  return parsed
}

/** @throws SourceError */
function parseDocument (document: string): Record<string, unknown> {
  for (const [mark, max, kind] of [['<', maxTags, 'tags'], ['=', maxAttributes, 'attributes']] as const) {
    if (hasMore(document, mark, max)) throw new SourceError('wrong_answer', `The journal feed has more than ${max} ${kind}, which is the limit. Choose one with fewer or shorter entries.`)
  }
  // A truncated feed would parse as a shorter one.
  if (/^\s*</.test(document) && !/<\/(?:\w+:)?(?:feed|rss|RDF)\s*>$/.test(withoutEndComments(document).slice(-100))) {
    throw unexpectedAnswer('The address', 'a whole RSS or Atom feed', document)
  }
  try {
    return object(parseFeed(document).feed)
  } catch (cause) {
    throw unexpectedAnswer('The address', 'an RSS or Atom feed', document, { cause })
  }
}

function hasMore (document: string, mark: string, max: number): boolean {
  let count = 0
  for (let at = document.indexOf(mark); at !== -1; at = document.indexOf(mark, at + 1)) if (++count > max) return true
  return false
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

async function * once (bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/** What a feed states about all its entries. */
interface FeedHead { address: string, venue: string | null }

/** The journal that a feed's title names. */
const venueOf = (title: string): string | null => plainText(title.slice(0, maxNameLength)).replace(/^(?:.*\btable of contents\b|latest .*? for|recent .*? in)[:\s-]*/i, '') || null

/** Parses an entry of an RSS, RDF or Atom feed in feedsmith's form. Journals describe entries in Dublin Core and PRISM. */
function parseEntry (entry: JsonObject, feed: FeedHead): ParseResult {
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
      venue_name: plainText(text(prism.publicationName).slice(0, maxNameLength)) || feed.venue,
      external_ids: { ...(arxiv === null ? {} : { arxiv }), ...(pmid === null ? {} : { pmid }), ...(pmcid === null ? {} : { pmcid }) },
      source: { name: 'feed' },
      // The address may contain its reader's key, and is never stored with a paper.
      source_paper_id: id === null || id === '' ? null : createHash('sha256').update(`${feed.address} ${id}`).digest('hex'),
      metadata: stated({ feed: new URL(feed.address).host, volume: text(prism.volume), issue: text(prism.number), pages: [text(prism.startingPage), text(prism.endingPage)].filter(page => page !== '').join('-'), issn: text(prism.issn), categories: categoriesOf(entry) })
    }
  }
}

/** RSS has a text, Atom a text or an object with one. */
const valueOf = (value: unknown): string => (text(value) || text(object(value).value)).slice(0, maxTextLength)

/** Dublin Core's elements come alone or as lists. */
const one = (elements: JsonObject, name: string): string => (text(elements[name]) || text(list(elements[`${name}s`])[0])).slice(0, maxTextLength)

const list = (value: unknown): unknown[] => Array.isArray(value) ? value : []

function linkOf (entry: JsonObject): string {
  const links = objects(entry.links)
  return text(entry.link) || text((links.find(({ rel }) => rel === undefined || rel === 'alternate') ?? links[0])?.href)
}

function namesOf (entry: JsonObject, dublinCore: JsonObject): string[] {
  const creators = (Array.isArray(dublinCore.creators) ? dublinCore.creators.slice(0, maxAuthors) : [dublinCore.creator]).map(text)
  const authors = list(entry.authors).slice(0, maxAuthors).map(author => text(author) || text(object(author).name) || text(object(author).email))
  const names = creators.some(name => name !== '') ? creators : authors
  // One element may hold them all.
  return names.flatMap(namesIn).slice(0, maxAuthors).map(name => readName(name.replace(/^[^\s@]+@\S+ \((.*)\)$/, '$1')))
}

/** "Ada Example; Bob Other", "Ada Example and Bob Other", "Ada Example, Bob Other"; but "Example, Ada" is one name. */
function namesIn (written: string): string[] {
  return plainText(written.slice(0, maxListLength)).split(/ ?; ?| and /).flatMap(part => {
    const pieces = part.split(', ')
    return pieces.every(piece => piece.trim().includes(' ')) ? pieces : [part]
  }).map(name => name.trim().slice(0, maxNameLength))
}

/** The longest text of the entry; in many feeds it only says where the paper appeared. */
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
