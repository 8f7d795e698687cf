import { isOneOf } from '../../schemas/closed-lists.js'
import { isObject } from '../../schemas/json-object.js'
import { createYielder } from '../threads/yielder.js'
import { arxivIn } from './identifiers.js'
import { identifierInTexts } from './identifier-in-text.js'
import { type PastedIdentifier, pastedIdentifier } from './pasted-identifier.js'

/** Bytes of a page that are read: what it states about itself is near its start. */
const maxBytes = 4_000_000
/** Deeper documents are read up to here: each closing tag searches the open elements. */
const maxDepth = 300
/** Bytes that are read without giving other work a turn. */
const pieceBytes = 8192
/** Longer texts state no identifier. */
const maxTextLength = 2000
/** Blocks of linked data that are read, and the characters of each. */
const [maxBlocks, maxBlockLength] = [20, 200_000]

/** Where a page can state its identifier, the most reliable first. */
const places = [
  'citation_doi', 'citation_arxiv_id', 'citation_pmid', 'prism.doi', 'dc.identifier', 'linked data', 'canonical', 'og:url'
] as const
type Place = typeof places[number]
const isPlace = (name: string): name is Place => isOneOf(places, name)

const doiOnly = (text: string) => {
  const found = pastedIdentifier(text)
  // Publishers also number their pages in these tags.
  return found?.kind === 'doi' || found?.kind === 'arxiv' ? found : undefined
}

const readers: Readonly<Record<Place, (text: string, address: string) => PastedIdentifier | undefined>> = {
  citation_doi: doiOnly,
  citation_arxiv_id: text => { const value = arxivIn(text); return value === null ? undefined : { kind: 'arxiv', value } },
  citation_pmid: text => pastedIdentifier(text, { digitsArePmid: true }),
  'prism.doi': doiOnly,
  'dc.identifier': doiOnly,
  'linked data': text => pastedIdentifier(text),
  canonical: inAddress,
  'og:url': inAddress
}

function inAddress (text: string, address: string): PastedIdentifier | undefined {
  return URL.canParse(text, address) ? identifierInTexts([new URL(text, address).href]) : undefined
}

/**
 * Finds the identifier that the page of a paper states about itself: in the tags that publishers write for search engines and reference
 * managers, in linked data, and in its canonical address. References of the paper do not count.
 * @param page HTML, in UTF-8
 * @param address of the page, after redirects
 * @see https://scholar.google.com/intl/en/scholar/inclusion.html#indexing
 */
export async function identifierOnPage (page: Uint8Array, address: string): Promise<PastedIdentifier | undefined> {
  const found = new Map<Place, PastedIdentifier>()
  const note = (place: Place, text: string) => {
    const stated = text.trim()
    const identifier = found.has(place) || stated.length > maxTextLength ? undefined : readers[place](stated, address)
    if (identifier !== undefined) found.set(place, identifier)
  }
  const open = { depth: 0 }
  let blocks = 0
  /** The block of linked data that is being read. */
  let block: string | undefined
  // Imported here, since few services ever read a page.
  const { Parser } = await import('htmlparser2')
  const parser = new Parser({
    onopentag (name, { name: tag = '', property = '', content = '', rel = '', href = '', type = '' }) {
      open.depth++
      if (name === 'meta') {
        const place = [tag, property].map(each => each.toLowerCase()).find(isPlace)
        if (place !== undefined) note(place, content)
      } else if (name === 'link') {
        if (rel.toLowerCase() === 'canonical') note('canonical', href)
      } else if (name === 'script' && type.toLowerCase().startsWith('application/ld+json') && blocks++ < maxBlocks) block = ''
    },
    ontext (text) {
      if (block !== undefined && block.length <= maxBlockLength) block += text
    },
    onclosetag (name) {
      open.depth--
      if (name !== 'script' || block === undefined) return
      // A block that was cut off is not valid JSON.
      if (block.length <= maxBlockLength) for (const text of statedIn(block)) note('linked data', text)
      block = undefined
    }
  }, { decodeEntities: true })
  const yieldIfDue = createYielder()
  const decoder = new TextDecoder()
  const read = page.subarray(0, maxBytes)
  for (let at = 0; at < read.length && open.depth <= maxDepth; at += pieceBytes) {
    parser.write(decoder.decode(read.subarray(at, at + pieceBytes), { stream: true }))
    await yieldIfDue()
  }
  return places.map(place => found.get(place)).find(each => each !== undefined)
}

/** Types of things that are papers, or the pages of papers. */
const paperType = /(?:Article|Publication|Report|Thesis|Chapter|Book|CreativeWork|Dataset|WebPage|Posting)$/i
/** Texts of one thing that are looked at. */
const maxTexts = 20

/** The identifiers in a block of linked data: of papers at its top, not of what they cite. @see https://schema.org/ScholarlyArticle */
function statedIn (block: string): string[] {
  let data: unknown
  try {
    data = JSON.parse(block)
  } catch {
    return []
  }
  const top = listOf(data).flatMap(each => isObject(each) ? [each, ...listOf(each['@graph'])] : [])
  const things = top.flatMap(each => isObject(each) ? [each, ...listOf(each.mainEntity), ...listOf(each.mainEntityOfPage)] : [])
  return things.filter(isObject)
    .filter(({ '@type': type }) => type === undefined || listOf(type).some(each => paperType.test(String(each))))
    .flatMap(({ '@id': id, sameAs, identifier }) => [id, sameAs, identifier].flatMap(listOf))
    .flatMap(each => isObject(each) ? [each.value, each['@id']] : [each])
    .filter(each => typeof each === 'string')
    .slice(0, maxTexts)
}

const listOf = (value: unknown): unknown[] => Array.isArray(value) ? value.slice(0, 100) : value === undefined ? [] : [value]
