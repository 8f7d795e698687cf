import type { ReadText, Term } from './terms.js'

/** Sets the words of a title apart: there, they say what the paper is about. */
const titleMark = '^'
/** A word of the title counts this often among the words of the whole. */
const titleCount = 2

/** How often each feature stands in a text: words, pairs of words that follow each other, and words of the title by themselves. */
export function countsOf ({ title, abstract }: ReadText): Map<string, number> {
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

/** A feature as people read it, in the words of the text that it stands in. */
export function wordingOf (feature: string, { title, abstract }: ReadText): string {
  const stems = feature.replace(titleMark, '').split(' ')
  for (const terms of [title, abstract]) {
    const at = terms.findIndex((_term, at) => stems.every((stem, offset) => terms[at + offset]?.term === stem))
    if (at !== -1) return terms.slice(at, at + stems.length).map(({ word }) => word).join(' ')
  }
  return stems.join(' ')
}

/** Which features are told apart, with how much each says: the rarer, the more. */
export interface Vocabulary {
  features: string[]
  /** Inverse document frequency, by the feature's place. */
  idf: number[]
}

/** A text as a point: places of features in rising order, and how much of each; its length is 1. */
export interface Vector { places: number[], values: number[] }

/** Makes the reader of texts over a vocabulary: tf-idf, the count damped by its logarithm. */
export function vectoriser ({ features, idf }: Vocabulary): (text: ReadText) => Vector {
  const places = new Map(features.map((feature, place) => [feature, place]))
  return text => {
    const found: Array<[number, number]> = []
    let square = 0
    for (const [feature, count] of countsOf(text)) {
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

/** How alike two texts are, 0 to 1. */
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

/** A weight for each feature, over a text. */
export function product (weights: ArrayLike<number>, { places, values }: Vector): number {
  let sum = 0
  for (let at = 0; at < places.length; at++) sum += weights[places[at]!]! * values[at]!
  return sum
}
