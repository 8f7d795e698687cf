import { fieldFrequencies } from './document.js'

/** How much a word in each field counts, relative to the abstract. */
export const weights = { title: 3, authors: 1.5, summary: 0.2, abstract: 1 }
/** How soon term frequency saturates, and how much a document's length lowers it. */
const k1 = 1.6
const b = 0.75
/** Added to every length: a document without an abstract is not concise, little is known of it. */
const assumedExtraWords = 40

/** The weighted term frequency for every byte of field counts. */
export const frequencies = fieldFrequencies(weights)

/** The term frequency at which the score of a document of this length reaches half of its maximum. Lengths in words. */
export const lengthNorm = (length: number, averageLength: number): number =>
  k1 * (1 - b + b * (length + assumedExtraWords) / (averageLength + assumedExtraWords))

/** How many of all documents have a term of this idf. That of a term of several patterns is a sum, which no number of them has. */
export const documentFrequencyOf = (total: number, rarity: number): number => Math.max(0, (total + 1) / Math.exp(rarity) - 0.5)

/** Inverse document frequency. @param documentFrequency how many of all documents have the term */
export const idf = (total: number, documentFrequency: number): number =>
  Math.log(1 + (total - documentFrequency + 0.5) / (documentFrequency + 0.5))
