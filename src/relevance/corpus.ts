import { countFeatures, type Vocabulary } from './features.js'
import type { ScoredText } from './interest.js'
import { toSignificantDigits } from './statistics.js'
import { tokenizeText } from './terms.js'

/** Maximum number of features of a model. */
const maxVocabulary = 25_000
/** Features counted at a time; beyond it, the rarest are dropped until half of it are left, so that dropping is seldom. */
const maxCounted = 500_000
/** Share of it for features of rated papers, since only these get weights. The rest are the most frequent. */
const ratedShare = 0.5
/** Document frequencies between which a feature is informative: at least this many texts, at most this share of them. */
const minTexts = 2
const maxShare = 0.95

/** Counts the document frequency of each feature, text by text. */
export class Corpus {
  #documents = 0
  readonly #frequencies = new Map<string, number>()

  add (text: ScoredText): void {
    this.#documents++
    for (const feature of countFeatures(tokenizeText(text)).keys()) {
      this.#frequencies.set(feature, (this.#frequencies.get(feature) ?? 0) + 1)
    }
    if (this.#frequencies.size > maxCounted) this.#dropRare()
  }

  #dropRare (): void {
    for (let rare = 1; this.#frequencies.size > maxCounted / 2; rare++) {
      for (const [feature, count] of this.#frequencies) if (count <= rare) this.#frequencies.delete(feature)
    }
  }

  get documents (): number { return this.#documents }

  /** The number of texts that have a feature. */
  frequency (feature: string): number { return this.#frequencies.get(feature) ?? 0 }

  /** The most frequent features that are neither rare nor in most texts, those of rated papers first. Small corpora keep all. */
  vocabulary (rated: ReadonlySet<string> = new Set()): Vocabulary {
    const documents = this.#documents
    const minCount = documents < 20 ? 1 : minTexts
    const maxCount = documents < 20 ? documents : maxShare * documents
    const informative: Array<[string, number]> = []
    for (const entry of this.#frequencies) if (entry[1] >= minCount && entry[1] <= maxCount) informative.push(entry)
    const byFrequency = informative.sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
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
