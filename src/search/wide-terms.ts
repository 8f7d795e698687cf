import { LRUCache } from 'lru-cache'
import { threadCacheBytes } from './cache-memory.js'
import type { Documents } from './segment.js'

/** The documents of one segment that match a pattern, in any order. */
export interface TermDocuments {
  /** Their docOrdinals. */
  ordinals: Uint32Array
  /** Positive: frequency of the word and its inflections. Negative: of longer words only. */
  frequencies: Float32Array
  /** 1 for documents that have the word itself or a longer word, not only inflections. */
  isExact: Uint8Array
}

/** The same of a word that many documents have, with a place for every document, which is read in its order. */
export interface WideTermDocuments {
  /** How many documents have it. */
  count: number
  /** For each document of the segment 0 without the word, else the place of its frequency; with `exactBit` if `isExact`. */
  codes: Uint16Array
  /** Without a sign. */
  frequencies: Float32Array
  /** The last result of `saturationsOf`, and the norms that it is for. */
  saturated?: { lengthNorms: Float32Array, saturations: Float32Array }
}

/** The place of `exactBit`, which marks documents that have the word itself or a longer word. */
export const exactShift = 15
const exactBit = 1 << exactShift
/** Lists of more documents than this share have a place for each of them. */
const minWideShare = 1 / 2

/** Bytes of all lists. A word of most of 100,000 papers takes 0.9 MB, and 0.6 MB in a wide list. */
export const maxListBytes = threadCacheBytes({ min: 48, max: 256, share: 1 / 64 })
/** Bytes of a document in a list, and of one that has a place in it. */
const [documentBytes, placeBytes] = [9, 6]
/** Documents of a segment: smaller ones are read as fast. */
const minDocuments = 1000

/**
 * Lists of common words, such as "the" and "effect": reading their postings takes most of the time of a question. A segment never changes,
 * so neither do they.
 */
const lists = new LRUCache<string, TermDocuments | WideTermDocuments>({
  maxSize: maxListBytes,
  sizeCalculation: list => 1 + ('codes' in list ? list.codes.length * placeBytes : list.ordinals.length * documentBytes)
})

const numbers = new WeakMap<Documents, number>()
let lastNumber = 0

function keyOf (documents: Documents, word: string): string {
  let number = numbers.get(documents)
  if (number === undefined) numbers.set(documents, number = ++lastNumber)
  return `${number} ${word}`
}

/** The documents of a segment that match a word of a query, if they were listed lately. A long list becomes wide at its second use. */
export function knownTermDocuments (documents: Documents, word: string): TermDocuments | WideTermDocuments | undefined {
  const key = keyOf(documents, word)
  const known = lists.get(key)
  if (known === undefined || 'codes' in known || known.ordinals.length <= documents.count * minWideShare) return known
  const wide = widened(known, documents.count)
  if (wide !== undefined) lists.set(key, wide)
  return wide ?? known
}

/** Keeps a copy of a list for other queries if it is long. @param wideShare share of the documents from which on it is */
export function keepTermDocuments (
  documents: Documents,
  word: string,
  { ordinals, frequencies, isExact }: TermDocuments,
  wideShare: number
): void {
  if (documents.count < minDocuments || ordinals.length <= documents.count * wideShare) return
  lists.set(keyOf(documents, word), { ordinals: ordinals.slice(), frequencies: frequencies.slice(), isExact: isExact.slice() })
}

/** @returns undefined if it has too many different frequencies */
function widened ({ ordinals, frequencies, isExact }: TermDocuments, documents: number): WideTermDocuments | undefined {
  const codes = new Uint16Array(documents)
  const places = new Map<number, number>()
  let [frequency, place] = [0, 0]
  for (let index = 0; index < ordinals.length; index++) {
    const next = Math.abs(frequencies[index]!)
    // Most documents have the same as the one before, which takes less time than to look it up.
    if (next !== frequency) {
      frequency = next
      place = places.get(frequency) ?? places.size + 1
      places.set(frequency, place)
      if (place >= exactBit) return undefined
    }
    codes[ordinals[index]!] = isExact[index] === 1 ? place | exactBit : place
  }
  return { count: ordinals.length, codes, frequencies: Float32Array.from([0, ...places.keys()]) }
}

/**
 * For each document of the segment the share of its maximum that the score of the word reaches. Computed again only after the norms have
 * changed: divisions take most of the time.
 */
export function saturationsOf (list: WideTermDocuments, lengthNorms: Float32Array): Float32Array {
  if (list.saturated?.lengthNorms === lengthNorms) return list.saturated.saturations
  const { codes, frequencies } = list
  const saturations = new Float32Array(codes.length)
  for (let ordinal = 0; ordinal < codes.length; ordinal++) {
    const frequency = frequencies[codes[ordinal]! & ~exactBit]!
    saturations[ordinal] = frequency / (frequency + lengthNorms[ordinal]!)
  }
  list.saturated = { lengthNorms, saturations }
  return saturations
}
