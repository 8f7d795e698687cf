import { LRUCache } from 'lru-cache'
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

/** Bytes of all lists. A word of most of 100,000 papers takes 0.9 MB. */
const maxBytes = 48 * 1024 * 1024
/** Bytes of a document in a list. */
const documentBytes = 9
/** Documents of a segment: smaller ones are read as fast. */
const minDocuments = 1000

/**
 * Lists of common words, such as "the" and "effect": reading their postings takes most of the time of a question. A segment never changes,
 * so neither do they.
 */
const lists = new LRUCache<string, TermDocuments>({
  maxSize: maxBytes,
  sizeCalculation: ({ ordinals }) => 1 + ordinals.length * documentBytes
})

const numbers = new WeakMap<Documents, number>()
let lastNumber = 0

function keyOf (documents: Documents, word: string): string {
  let number = numbers.get(documents)
  if (number === undefined) numbers.set(documents, number = ++lastNumber)
  return `${number} ${word}`
}

/** The documents of a segment that match a word of a query, if they were listed lately. */
export const knownTermDocuments = (documents: Documents, word: string): TermDocuments | undefined => lists.get(keyOf(documents, word))

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
