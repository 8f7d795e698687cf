import { PairIndex } from './pair-index.js'
import { isVagueStem, joinWords, type TokenizedText, type Term } from './terms.js'

/** Prefix of features for words of the title, which name the subject. */
const titleMark = '^'
/** How often a word of the title counts among the words of the whole text. */
const titleCount = 2

/** Counts the features of a text: words, pairs of adjacent words, words of the title, and names. */
export function countFeatures ({ title, abstract, names }: TokenizedText): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (feature: string, count: number) => { counts.set(feature, (counts.get(feature) ?? 0) + count) }
  const addAll = (terms: Term[], count: number) => {
    for (const [at, { term }] of terms.entries()) {
      add(term, count)
      if (at > 0) add(`${terms[at - 1]!.term} ${term}`, count)
    }
  }
  addAll(title, titleCount)
  for (const { term } of title) add(titleFeature(term), 1)
  addAll(abstract, 1)
  for (const { term } of names) add(term, 1)
  return counts
}

/** What a feature is, and its stems: a word, a word of the title, or a pair of adjacent words. */
export function featureParts (feature: string): { kind: 'word' | 'title' | 'pair', stems: [first: string, second?: string] } {
  if (feature.startsWith(titleMark)) return { kind: 'title', stems: [feature.slice(titleMark.length)] }
  const space = feature.indexOf(' ')
  return space === -1 ? { kind: 'word', stems: [feature] } : { kind: 'pair', stems: [feature.slice(0, space), feature.slice(space + 1)] }
}

/** The feature of a word of the title. */
export const titleFeature = (stem: string): string => titleMark + stem

/** Whether a feature has a word that abstracts of any subject use, and so explains nothing to a reader. */
export const isVague = (feature: string): boolean => feature.replace(titleMark, '').split(' ').some(isVagueStem)

/** Words a feature as the text that has it does, for people; its stems if the text does not have it. */
export function wordFeature (feature: string, { title, abstract, names }: TokenizedText): string {
  const stems = feature.replace(titleMark, '').split(' ')
  for (const terms of [title, abstract, names]) {
    const at = terms.findIndex((_term, at) => stems.every((stem, offset) => terms[at + offset]?.term === stem))
    if (at !== -1) return joinWords(terms.slice(at, at + stems.length).map(({ word }) => word))
  }
  return joinWords(stems)
}

/** The same, where the vector of the text says where it first has the feature. */
export function wordFeatureAt (feature: string, first: number, { title, abstract, names }: TokenizedText): string {
  const name = names[first - title.length - abstract.length]
  if (name !== undefined) return name.word
  const [terms, at] = first < title.length ? [title, first] : [abstract, first - title.length]
  return feature.includes(' ') ? joinWords([terms[at]!.word, terms[at + 1]!.word]) : terms[at]!.word
}

/** The features that a model knows, each with its inverse document frequency. */
export interface Vocabulary {
  features: string[]
  /** By feature index. */
  idf: number[]
  /** Of every other feature. */
  otherIdf: number
}

/** Features that this share of a feed's papers have are named as reasons only where there are no others. */
export const commonShare = 0.35

/** The same of the words in a pair, which a rarer word may make a name. */
const commonShareInPairs = 0.7

/** The places of common features. Words that nearly all papers have are in pairs of a vocabulary, but not in it by themselves. */
export function commonIn ({ features, idf }: Vocabulary): Set<number> {
  const isCommon = (share: number) => (place: number) => idf[place]! <= 1 - Math.log(share)
  const rarer = new Set([...features.keys()].filter(place => !isCommon(commonShareInPairs)(place)).map(place => features[place]!))
  return new Set([...features.keys()].filter(place => {
    const words = features[place]!.split(' ')
    return isCommon(commonShare)(place) || (words.length > 1 && !words.every(word => rarer.has(word)))
  }))
}

/** A sparse vector: feature indexes (`places`) in rising order, and the value of each. */
export interface Vector { places: number[], values: number[] }

/** The vector of a text, and where the text first has each feature: the index of its word among those of title, abstract and names. */
export interface TextVector extends Vector { firsts: number[] }

/** A word of a vocabulary: its number, and the places of its features; -1 without one. */
interface KnownWord { number: number, word: number, title: number }

/** The words of a vocabulary, and the places of its pairs by the numbers of their words, so that a lookup makes no string. */
function indexWords (
  features: readonly string[]
): { words: Map<string, KnownWord>, placeOfPair: (first: number, second: number) => number } {
  const words = new Map<string, KnownWord>()
  const wordOf = (stem: string): KnownWord => {
    const known = words.get(stem) ?? { number: words.size, word: -1, title: -1 }
    words.set(stem, known)
    return known
  }
  const pairs = new PairIndex()
  const placesOfPairs: number[] = []
  for (const [place, feature] of features.entries()) {
    const { kind, stems: [first, second] } = featureParts(feature)
    if (kind === 'pair') placesOfPairs[pairs.add(wordOf(first).number, wordOf(second!).number)] = place
    else wordOf(first)[kind] = place
  }
  const placeOfPair = (first: number, second: number) => {
    const number = pairs.find(first, second)
    return number === -1 ? -1 : placesOfPairs[number]!
  }
  return { words, placeOfPair }
}

/**
 * Creates a function that turns texts into tf-idf vectors over a vocabulary, with logarithmic term frequency. Their length is 1 with all
 * features of the text, less without those outside the vocabulary, each occurrence of which counts as one feature, but for names.
 */
export function createVectorizer ({ features, idf, otherIdf }: Vocabulary): (text: TokenizedText) => TextVector {
  const { words, placeOfPair } = indexWords(features)
  const otherSquare = otherIdf ** 2
  // Of the text at hand, 0 between texts.
  const counts = new Uint32Array(features.length)
  const firstOf = new Uint32Array(features.length)
  const logarithms = Float64Array.from({ length: 64 }, (_, count) => 1 + Math.log(count))
  let found = new Uint32Array(1024)
  return ({ title, abstract, names }) => {
    let [size, others] = [0, 0]
    const add = (place: number, count: number, first: number) => {
      if (place === -1) {
        others++
        return
      }
      if (counts[place] === 0) {
        found[size++] = place
        firstOf[place] = first
      }
      counts[place]! += count
    }
    const addAll = (terms: Term[], count: number, isTitle: boolean) => {
      const start = isTitle ? 0 : title.length
      let before: KnownWord | undefined
      for (let at = 0; at < terms.length; at++) {
        const known = words.get(terms[at]!.term)
        add(known === undefined ? -1 : known.word, count, start + at)
        if (isTitle) add(known === undefined ? -1 : known.title, 1, start + at)
        if (at > 0) {
          add(before === undefined || known === undefined ? -1 : placeOfPair(before.number, known.number), count, start + at - 1)
        }
        before = known
      }
    }
    const maxFound = 3 * title.length + 2 * abstract.length + names.length
    if (found.length < maxFound) found = new Uint32Array(maxFound)
    addAll(title, titleCount, true)
    addAll(abstract, 1, false)
    for (let at = 0; at < names.length; at++) {
      const known = words.get(names[at]!.term)
      if (known !== undefined && known.word !== -1) add(known.word, 1, title.length + abstract.length + at)
    }
    let square = 0
    for (let other = 0; other < others; other++) square += otherSquare
    const sorted = found.subarray(0, size).sort()
    const [places, values, firsts] = [new Array<number>(size), new Array<number>(size), new Array<number>(size)]
    for (let at = 0; at < size; at++) {
      const place = sorted[at]!
      const count = counts[place]!
      counts[place] = 0
      const value = (logarithms[count] ?? 1 + Math.log(count)) * idf[place]!
      square += value * value
      places[at] = place
      firsts[at] = firstOf[place]!
      values[at] = value
    }
    const length = Math.sqrt(square) || 1
    for (let at = 0; at < size; at++) values[at]! /= length
    return { places, values, firsts }
  }
}

/** Creates a function that reduces vectors over a vocabulary to the features that can explain something, with length 1. */
export function createContentFilter ({ features }: Vocabulary): (vector: Vector) => Vector {
  // 0 is unknown.
  const known = new Uint8Array(features.length)
  const isContent = (place: number) => {
    if (known[place] === 0) known[place] = isVague(features[place]!) ? 1 : 2
    return known[place] === 2
  }
  return ({ places, values }) => {
    const kept: Vector = { places: [], values: [] }
    let square = 0
    for (let at = 0; at < places.length; at++) {
      if (!isContent(places[at]!)) continue
      kept.places.push(places[at]!)
      kept.values.push(values[at]!)
      square += values[at]! ** 2
    }
    const length = Math.sqrt(square) || 1
    return { places: kept.places, values: kept.values.map(value => value / length) }
  }
}

/** Creates a function that compares a text with these: the cosine similarity with each, 0 to 1. */
export function createComparison (others: readonly Vector[]): (vector: Vector) => Float64Array {
  const byPlace = new Map<number, Array<{ other: number, value: number }>>()
  for (const [other, { places, values }] of others.entries()) {
    for (const [at, place] of places.entries()) {
      const having = byPlace.get(place)
      if (having === undefined) byPlace.set(place, [{ other, value: values[at]! }])
      else having.push({ other, value: values[at]! })
    }
  }
  return ({ places, values }) => {
    const sums = new Float64Array(others.length)
    for (let at = 0; at < places.length; at++) {
      const having = byPlace.get(places[at]!)
      if (having === undefined) continue
      for (const { other, value } of having) sums[other]! += values[at]! * value
    }
    return sums
  }
}

/** The dot product of a weight for each feature and a text. */
export function product (weights: ArrayLike<number>, { places, values }: Vector): number {
  let sum = 0
  for (let at = 0; at < places.length; at++) sum += weights[places[at]!]! * values[at]!
  return sum
}

/** Adds a multiple of a text to a sum by feature. */
export function addTo (sums: Float64Array, { places, values }: Vector, factor: number): void {
  for (let at = 0; at < places.length; at++) sums[places[at]!]! += factor * values[at]!
}
