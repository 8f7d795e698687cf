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
}

/** The place of `exactBit`, which marks documents that have the word itself or a longer word. */
export const exactShift = 15
export const exactBit = 1 << exactShift
/** A list of more documents than this share is smaller with a place for each of them. */
export const minWideShare = 1 / 4

/** Bytes of all lists. A word of most of a million papers takes 2 MB. */
export const maxListBytes = threadCacheBytes({ min: 36, max: 192, share: 3 / 256 })
/** Bytes of a document in a list, and of one that has a place in it. */
const [documentBytes, placeBytes] = [9, 2]
/** Bytes of all saturations. */
const maxSaturationBytes = threadCacheBytes({ min: 12, max: 64, share: 1 / 256 })
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

/** The documents of a segment that match a word of a query, if they were listed lately. */
export const knownTermDocuments = (documents: Documents, word: string): TermDocuments | WideTermDocuments | undefined =>
  lists.get(keyOf(documents, word))

/** Keeps a copy of a list for other queries if it is long, and returns it. @param wideShare share of the documents from which on it is */
export function keepTermDocuments (
  documents: Documents,
  word: string,
  { ordinals, frequencies, isExact }: TermDocuments,
  wideShare: number
): TermDocuments | WideTermDocuments | undefined {
  if (documents.count < minDocuments || ordinals.length <= documents.count * wideShare) return undefined
  const wide = ordinals.length > documents.count * minWideShare ? widened({ ordinals, frequencies, isExact }, documents.count) : undefined
  const kept = wide ?? { ordinals: ordinals.slice(), frequencies: frequencies.slice(), isExact: isExact.slice() }
  lists.set(keyOf(documents, word), kept)
  return kept
}

/** A list with a place for each document of its segment. @returns undefined if it has too many different frequencies */
export function widened ({ ordinals, frequencies, isExact }: TermDocuments, documents: number): WideTermDocuments | undefined {
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

/** Saturations by their list, and the norms that they are for. */
const saturated = new LRUCache<WideTermDocuments, { lengthNorms: Float32Array, saturations: Float32Array }>({
  maxSize: maxSaturationBytes,
  sizeCalculation: ({ saturations }) => 1 + saturations.byteLength
})

/**
 * For each document of the segment the share of its maximum that the score of the word reaches. Computed again only after the norms have
 * changed: divisions take most of the time.
 */
export function saturationsOf (list: WideTermDocuments, lengthNorms: Float32Array): Float32Array {
  const known = saturated.get(list)
  if (known?.lengthNorms === lengthNorms) return known.saturations
  const { codes, frequencies } = list
  const saturations = new Float32Array(codes.length)
  for (let ordinal = 0; ordinal < codes.length; ordinal++) {
    const frequency = frequencies[codes[ordinal]! & ~exactBit]!
    saturations[ordinal] = frequency / (frequency + lengthNorms[ordinal]!)
  }
  saturated.set(list, { lengthNorms, saturations })
  return saturations
}
