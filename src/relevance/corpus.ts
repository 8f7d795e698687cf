import { countFeatures, type Vocabulary } from './features.js'
import type { ScoredText } from './interest.js'
import { tokenizeText } from './terms.js'

/** Maximum number of features of a model. */
const maxVocabulary = 25_000
/** Features counted at a time; beyond it, features seen once are dropped. */
const maxCounted = 1_000_000
/** Document frequencies between which a feature is informative: at least this many texts, at most this share of them. */
const minTexts = 2
const maxShare = 0.5

/** Counts the document frequency of each feature, text by text. */
export class Corpus {
  #documents = 0
  #frequencies = new Map<string, number>()

  add (text: ScoredText): void {
    this.#documents++
    for (const feature of countFeatures(tokenizeText(text)).keys()) this.#frequencies.set(feature, (this.#frequencies.get(feature) ?? 0) + 1)
    if (this.#frequencies.size > maxCounted) this.#frequencies = new Map([...this.#frequencies].filter(([, count]) => count >= minTexts))
  }

  /** The most frequent features that are neither rare nor in most texts. Small corpora keep all. */
  vocabulary (): Vocabulary {
    const documents = this.#documents
    const minCount = documents < 20 ? 1 : minTexts
    const maxCount = documents < 20 ? documents : maxShare * documents
    const kept = [...this.#frequencies].filter(([, count]) => count >= minCount && count <= maxCount)
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, maxVocabulary)
    return {
      features: kept.map(([feature]) => feature),
      idf: kept.map(([, count]) => rounded(Math.log((documents + 1) / (count + 1)) + 1))
    }
  }
}

/** Rounds to three significant digits, to keep stored models small. */
export const rounded = (value: number): number => Number(value.toPrecision(3))
