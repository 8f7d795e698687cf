import { featureParts, titleFeature, type Vocabulary } from './features.js'
import type { ScoredText } from './interest.js'
import { PairIndex } from './pair-index.js'
import { toSignificantDigits } from './statistics.js'
import { type TokenizedText, tokenizeText } from './terms.js'

/** Maximum number of features of a model. */
const maxVocabulary = 25_000
/** Features counted at a time; beyond it, the rarest are dropped until half of it are left, so that dropping is seldom. */
const maxCounted = 500_000
/** Share of it for features of rated papers, since only these get weights. The rest are the most frequent. */
const ratedShare = 0.5
/** Document frequencies between which a feature is informative: at least this many texts, at most this share of them. */
const minTexts = 2
const maxShare = 0.95

/** In place of the second word of a pair: the feature is a word of the text, or of the title. */
const [wordAlone, titleWord] = [-1, -2]

/** Counts the document frequency of each feature, text by text. */
export class Corpus {
  #documents = 0
  #counts = new FeatureCounts()

  add (text: ScoredText): void {
    this.#counts.add(tokenizeText(text), this.#documents++)
    if (this.#counts.size > maxCounted) this.#dropRare()
  }

  #dropRare (): void {
    for (let rare = 1; this.#counts.size > maxCounted / 2; rare++) this.#counts = this.#counts.without(rare)
  }

  get documents (): number { return this.#documents }

  /** The number of texts that have a feature. */
  frequency (feature: string): number { return this.#counts.frequency(feature) }

  /** The most frequent features that are neither rare nor in most texts, those of rated papers first. Small corpora keep all. */
  vocabulary (rated: ReadonlySet<string> = new Set()): Vocabulary {
    const documents = this.#documents
    const minCount = documents < 20 ? 1 : minTexts
    const maxCount = documents < 20 ? documents : maxShare * documents
    const { frequencies } = this.#counts
    const informative = [...frequencies.keys()].filter(number => frequencies[number]! >= minCount && frequencies[number]! <= maxCount)
    // Sorting compares strings, so features that are too rare for the vocabulary are left out before.
    const leastCount = Uint32Array.from(informative, number => frequencies[number]!).sort().at(-maxVocabulary) ?? 0
    const byFrequency = informative.map((number): [string, number] => [this.#counts.feature(number), frequencies[number]!])
      .filter(([feature, count]) => count >= leastCount || rated.has(feature))
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    const preferred = byFrequency.filter(([feature]) => rated.has(feature)).slice(0, maxVocabulary * ratedShare)
    const kept = new Map(preferred)
    for (const [feature, count] of byFrequency) {
      if (kept.size === maxVocabulary) break
      kept.set(feature, count)
    }
    const idf = (count: number) => toSignificantDigits(Math.log((documents + 1) / (count + 1)) + 1)
    return { features: [...kept.keys()], idf: [...kept.values()].map(idf), otherIdf: idf(Math.min(1, documents)) }
  }
}

/** Document frequencies by numbers of features. Texts have hundreds of thousands of different pairs, so none is a string. */
class FeatureCounts {
  readonly #words = new Map<string, number>()
  readonly #stems: string[] = []
  readonly #features = new PairIndex()
  /** By number of a feature: the number of texts that have it, and the last of them. */
  readonly frequencies: number[] = []
  readonly #lastTexts: number[] = []

  get size (): number { return this.#features.size }

  /** Counts the features of a text: words, pairs of adjacent words, words of the title, and names. @param document its number */
  add ({ title, abstract, names }: TokenizedText, document: number): void {
    for (const { term } of names) this.#count(this.#numberOf(term), wordAlone, document)
    for (const terms of [title, abstract]) {
      let before = -1
      for (const { term } of terms) {
        const word = this.#numberOf(term)
        this.#count(word, wordAlone, document)
        if (terms === title) this.#count(word, titleWord, document)
        if (before !== -1) this.#count(before, word, document)
        before = word
      }
    }
  }

  #numberOf (stem: string): number {
    const known = this.#words.get(stem)
    if (known !== undefined) return known
    this.#words.set(stem, this.#stems.length)
    return this.#stems.push(stem) - 1
  }

  #count (first: number, second: number, document: number): void {
    const number = this.#features.add(first, second)
    if (number === this.frequencies.length) this.#push(1, document)
    else if (this.#lastTexts[number] !== document) {
      this.frequencies[number]!++
      this.#lastTexts[number] = document
    }
  }

  #push (frequency: number, document: number): void {
    this.frequencies.push(frequency)
    this.#lastTexts.push(document)
  }

  frequency (feature: string): number {
    const { kind, stems: [stem, next] } = featureParts(feature)
    const [first, second] = [this.#words.get(stem), kind === 'pair' ? this.#words.get(next!) : kind === 'title' ? titleWord : wordAlone]
    return first === undefined || second === undefined ? 0 : this.frequencies[this.#features.find(first, second)] ?? 0
  }

  /** The feature of a number. */
  feature (number: number): string {
    const [first, second] = this.#features.pair(number)
    const stem = this.#stems[first]!
    return second === wordAlone ? stem : second === titleWord ? titleFeature(stem) : `${stem} ${this.#stems[second]!}`
  }

  /** A copy without the features that at most so many texts have, nor words that no other feature has. */
  without (rare: number): FeatureCounts {
    const kept = new FeatureCounts()
    for (const [number, frequency] of this.frequencies.entries()) {
      if (frequency <= rare) continue
      const [first, second] = this.#features.pair(number)
      kept.#features.add(kept.#numberOf(this.#stems[first]!), second < 0 ? second : kept.#numberOf(this.#stems[second]!))
      kept.#push(frequency, this.#lastTexts[number]!)
    }
    return kept
  }
}
