import { nameForm, nameSpellings } from '../../schemas/name-form.js'
import type { PartKey, SegmentRow } from '../../schemas/search-index.js'
import { tombstonesPart } from './segment.js'
import type { DocumentRow } from './storage.js'

/*
 * The parts of a segment with names hold the venue and the authors of its documents as text, so that a filter by any part of a name reads
 * no papers. Each line has a document's number, its venue and its authors.
 */

/** The first part with names; the others have lower numbers. */
export const firstNamesPart = -3
/** Whether a part has names. */
export const isNamesPart = (part: number): boolean => part <= firstNamesPart && part > tombstonesPart

/** Values of a filter by names; a part of the venue, and a part of the name of one author. Case and accents do not matter. */
export interface NameFilter { venue?: string | undefined, author?: string | undefined }

/** The parts of segments with names, in their order; undefined if one has none. */
export function namesPartsOf (segments: readonly SegmentRow[]): PartKey[] | undefined {
  const keys: PartKey[] = []
  for (const { id, nameParts } of segments) {
    if (nameParts === null) return undefined
    for (let at = 0; at < nameParts; at++) keys.push({ segmentId: id, part: firstNamesPart - at })
  }
  return keys
}

const [valueSeparator, nameSeparator, lineSeparator] = ['\t', '\u001f', '\n']
/** Characters of a part, after which it ends. */
const partLength = 256 * 1024
/** Bytes of all parts of a segment. */
const maxBytes = 32 * 1024 * 1024

const separators = new RegExp(`[${valueSeparator}${nameSeparator}${lineSeparator}]`, 'g')
const valueOf = (text: string) => text.replace(separators, ' ')

/** Writes the names of documents, in the order of their numbers. @returns undefined if they are too large */
export function encodeNames (rows: ReadonlyArray<Pick<DocumentRow, 'venue' | 'authors'> & { number: number }>): Uint8Array[] | undefined {
  return encodeLines(rows.map(({ number, venue, authors }) =>
    [number, valueOf(venue ?? ''), authors.map(({ name }) => valueOf(name)).join(nameSeparator)].join(valueSeparator)))
}

function encodeLines (lines: readonly string[]): Uint8Array[] | undefined {
  const parts: Uint8Array[] = []
  let [from, length, bytes] = [0, 0, 0]
  for (const [at, line] of lines.entries()) {
    length += line.length + 1
    if (length < partLength && at + 1 < lines.length) continue
    const part = Buffer.from(lines.slice(from, at + 1).join(lineSeparator))
    bytes += part.length
    if (bytes > maxBytes) return undefined
    parts.push(part)
    ;[from, length] = [at + 1, 0]
  }
  return parts
}

/** Joins the names of adjacent segments. @param tombstones numbers of documents to drop @returns undefined if they are too large */
export function mergeNames (parts: readonly Uint8Array[], tombstones: ReadonlySet<number>): Uint8Array[] | undefined {
  const lines = parts.flatMap(bytes => Buffer.from(bytes).toString().split(lineSeparator))
  return encodeLines(lines.filter(line => !tombstones.has(numberOf(line))))
}

const numberOf = (line: string) => Number(line.slice(0, line.indexOf(valueSeparator)))

/** Items of a filter by names that are listed. Their ids are parameters of statements; of more, a walk through the feed soon meets some. */
export const maxNamedItems = 100_000

/** Reads a part, for `findNames`. */
export const decodeNames = (bytes: Uint8Array): string => nameForm(Buffer.from(bytes).toString())

/** Numbers of the documents in a part whose names match a filter with a venue or an author, ascending. */
export function findNames (text: string, { venue, author }: NameFilter): number[] {
  const venuePart = venue === undefined ? undefined : nameForm(valueOf(venue))
  const authorParts = author === undefined ? [undefined] : nameSpellings(valueOf(author))
  const found = authorParts.map(authorPart => findLines(text, venuePart, authorPart))
  return found.length === 1 ? found[0]! : [...new Set(found.flat())].sort((a, b) => a - b)
}

function findLines (text: string, venuePart: string | undefined, authorPart: string | undefined): number[] {
  const rarest = authorPart ?? venuePart!
  const numbers: number[] = []
  for (let from = 0; ;) {
    const at = text.indexOf(rarest, from)
    if (at < 0) return numbers
    const start = text.lastIndexOf(lineSeparator, at) + 1
    const venueStart = text.indexOf(valueSeparator, start) + 1
    const venueEnd = text.indexOf(valueSeparator, venueStart)
    const end = text.indexOf(lineSeparator, venueEnd)
    const lineEnd = end < 0 ? text.length : end
    from = lineEnd + 1
    const venueOfLine = text.slice(venueStart, venueEnd)
    const isFound = authorPart === undefined || at > venueEnd || text.slice(venueEnd + 1, lineEnd).includes(authorPart)
    if (isFound && (venuePart === undefined || venueOfLine.includes(venuePart))) numbers.push(Number(text.slice(start, venueStart - 1)))
    if (from >= text.length) return numbers
  }
}
