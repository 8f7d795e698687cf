import type { TokenizedText, Term } from './terms.js'

/** Prefix of features for words of the title, which name the subject. */
const titleMark = '^'
/** How often a word of the title counts among the words of the whole text. */
const titleCount = 2

/** Counts the features of a text: words, pairs of adjacent words, and words of the title. */
export function countFeatures ({ title, abstract }: TokenizedText): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (feature: string, count: number) => { counts.set(feature, (counts.get(feature) ?? 0) + count) }
  const addAll = (terms: Term[], count: number) => {
    for (const [at, { term }] of terms.entries()) {
      add(term, count)
      if (at > 0) add(`${terms[at - 1]!.term} ${term}`, count)
    }
  }
  addAll(title, titleCount)
  for (const { term } of title) add(titleMark + term, 1)
  addAll(abstract, 1)
  return counts
}

/** Words a feature as the text that has it does, for people; its stems if the text does not have it. */
export function wordFeature (feature: string, { title, abstract }: TokenizedText): string {
  const stems = feature.replace(titleMark, '').split(' ')
  for (const terms of [title, abstract]) {
    const at = terms.findIndex((_term, at) => stems.every((stem, offset) => terms[at + offset]?.term === stem))
    if (at !== -1) return terms.slice(at, at + stems.length).map(({ word }) => word).join(' ')
  }
  return stems.join(' ')
}

/** The features that a model knows, each with its inverse document frequency. */
export interface Vocabulary {
  features: string[]
  /** By feature index. */
  idf: number[]
}

/** A sparse unit vector: feature indexes (`places`) in rising order, and the value of each. */
export interface Vector { places: number[], values: number[] }

/** Creates a function that turns texts into tf-idf vectors over a vocabulary, with logarithmic term frequency. */
export function createVectorizer ({ features, idf }: Vocabulary): (text: TokenizedText) => Vector {
  const places = new Map(features.map((feature, place) => [feature, place]))
  return text => {
    const found: Array<[number, number]> = []
    let square = 0
    for (const [feature, count] of countFeatures(text)) {
      const place = places.get(feature)
      if (place === undefined) continue
      const value = (1 + Math.log(count)) * idf[place]!
      found.push([place, value])
      square += value * value
    }
    found.sort(([one], [other]) => one - other)
    const length = Math.sqrt(square) || 1
    return { places: found.map(([place]) => place), values: found.map(([, value]) => value / length) }
  }
}

/** Cosine similarity of two texts, 0 to 1. */
export function similarity (one: Vector, other: Vector): number {
  let sum = 0
  for (let a = 0, b = 0; a < one.places.length && b < other.places.length;) {
    const difference = one.places[a]! - other.places[b]!
    if (difference === 0) sum += one.values[a]! * other.values[b]!
    if (difference <= 0) a++
    if (difference >= 0) b++
  }
  return sum
}

/** The dot product of a weight for each feature and a text. */
export function product (weights: ArrayLike<number>, { places, values }: Vector): number {
  let sum = 0
  for (let at = 0; at < places.length; at++) sum += weights[places[at]!]! * values[at]!
  return sum
}
