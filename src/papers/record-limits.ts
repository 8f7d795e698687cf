import type { PaperMetadata } from '../../schemas/metadata.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { limitReferences, maxReferencesOfKind } from '../../schemas/references.js'
import { shortText } from '../../schemas/short-text.js'

/** Maximum characters of texts. The longest real titles have about 700; the longest abstracts, with all their sections, about 15,000. */
const maxTextLength = { title: 1000, abstract: 20_000, venue_name: 500, name: 200, keyword: 300, metadata: 5000, url: 2000 }
/** Authors, and characters of all their names. The largest collaborations have about 5,200 authors, with 80,000 characters. */
const [maxAuthors, maxAuthorsLength] = [6000, 120_000]
/** The first authors, whose ids and affiliations are stored: nobody follows thousands of people because of one paper. */
const [maxIdentified, maxAffiliated] = [1000, 100]
/** Characters of a reference; longer ones are errors. */
const maxReferenceLength = 200
/** Entries of a list in the metadata, such as keywords. */
const maxListLength = 500
/** Fields of the metadata beyond those of the schema, and characters of all of it as JSON. */
const [maxMetadataFields, maxMetadataLength] = [200, 100_000]

/**
 * Truncates values longer than any real publication's, which bounds the time and memory of each record. `metadata.truncated` names the
 * truncated fields. Idempotent.
 */
export function limitRecord (record: PaperRecord): PaperRecord {
  const truncated = new Set(listOf(record.metadata.truncated))
  const cut = <T extends string | null>(field: keyof typeof maxTextLength, text: T): T => {
    if (typeof text !== 'string' || text.length <= maxTextLength[field]) return text
    truncated.add(field)
    return shortText(text, maxTextLength[field]) as T
  }
  const limited: PaperRecord = {
    ...record,
    title: cut('title', record.title),
    abstract: cut('abstract', record.abstract),
    venue_name: cut('venue_name', record.venue_name),
    // Half an address leads nowhere.
    url: storableAddress(record.url),
    pdf_url: storableAddress(record.pdf_url),
    authors: limitAuthors(record.authors, () => { truncated.add('authors') }),
    metadata: limitMetadata(record.metadata, name => { truncated.add(name) }),
    ...(record.citations === undefined ? {} : { citations: limitCitations(record.citations, () => { truncated.add('references') }) })
  }
  if (isTooLong(record.url)) truncated.add('url')
  if (isTooLong(record.pdf_url)) truncated.add('pdf_url')
  return truncated.size === 0 ? limited : { ...limited, metadata: { ...limited.metadata, truncated: [...truncated] } }
}

/** An address as it is stored; null if it is too long. */
export const storableAddress = (address: string | null): string | null => isTooLong(address) ? null : address

const isTooLong = (address: string | null): boolean => typeof address === 'string' && address.length > maxTextLength.url

function limitAuthors (authors: PaperRecord['authors'], onCut: () => void): PaperRecord['authors'] {
  if (!Array.isArray(authors)) return authors
  const kept: PaperRecord['authors'] = []
  let length = 0
  for (const author of authors) {
    const name = author?.name
    length += typeof name === 'string' ? Math.min(name.length, maxTextLength.name) : 0
    if (kept.length === maxAuthors || length > maxAuthorsLength) {
      onCut()
      break
    }
    if (typeof name === 'string' && name.length > maxTextLength.name) {
      onCut()
      kept.push({ ...author, name: shortText(name, maxTextLength.name) })
    } else kept.push(kept.length < maxAffiliated ? author : withoutIds(author, kept.length >= maxIdentified))
  }
  return kept
}

function withoutIds ({ affiliations, ...author }: PaperRecord['authors'][number], all: boolean): PaperRecord['authors'][number] {
  const { orcid, openalex, ...named } = author
  return all ? named : author
}

function limitCitations (citations: Citations, onCut: () => void): Citations {
  const { references, cited_by } = citations
  if (!Array.isArray(references)) return citations
  const isShort = (id: unknown) => typeof id !== 'string' || id.length <= maxReferenceLength
  const distinct = new Set(references)
  if (distinct.size === references.length && references.length <= maxReferencesOfKind && references.every(isShort)) return citations
  const short = [...distinct].filter(isShort)
  const limited = limitReferences(short)
  if (short.length > limited.length) onCut()
  return { references: limited, cited_by }
}

type Citations = NonNullable<PaperRecord['citations']>

function limitMetadata (metadata: PaperMetadata, onCut: (name: string) => void): PaperMetadata {
  const kept = new Map<string, unknown>()
  let [fields, length] = [0, 0]
  for (const [name, value] of Object.entries(metadata)) {
    const limited = limitValue(value, () => onCut(name.slice(0, 100)))
    const size = name.length + sizeOf(limited)
    if (++fields > maxMetadataFields || length + size > maxMetadataLength) {
      onCut(name.slice(0, 100))
      if (fields > maxMetadataFields) break
      continue
    }
    length += size
    kept.set(name, limited)
  }
  return Object.fromEntries(kept)
}

function limitValue (value: unknown, onCut: () => void): unknown {
  if (typeof value === 'string') {
    if (value.length <= maxTextLength.metadata) return value
    onCut()
    return shortText(value, maxTextLength.metadata)
  }
  if (!Array.isArray(value)) return value
  if (value.length > maxListLength) onCut()
  return value.slice(0, maxListLength).map((entry: unknown) => {
    if (typeof entry !== 'string' || entry.length <= maxTextLength.keyword) return entry
    onCut()
    return shortText(entry, maxTextLength.keyword)
  })
}

/** Characters of a value as JSON, roughly; objects are rare. */
function sizeOf (value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + sizeOf(entry) + 3, 0)
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8
}

const listOf = (value: unknown): string[] => Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
