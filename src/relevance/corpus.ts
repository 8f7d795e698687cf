import { countsOf, type Vocabulary } from './features.js'
import type { ScoredText } from './interest.js'
import { readText } from './terms.js'

/** Features that a model tells apart. */
const vocabularySize = 25_000
/** Features that are counted at a time; those seen once go first. */
const mostCounted = 1_000_000
const rarest = 2
/** What stands in more than this part of all texts tells none from another. */
const commonest = 0.5

/** Counts, text by text, in how many texts each feature stands. */
export class Corpus {
  #documents = 0
  #frequencies = new Map<string, number>()

  add (text: ScoredText): void {
    this.#documents++
    for (const feature of countsOf(readText(text)).keys()) this.#frequencies.set(feature, (this.#frequencies.get(feature) ?? 0) + 1)
    if (this.#frequencies.size > mostCounted) this.#frequencies = new Map([...this.#frequencies].filter(([, count]) => count >= rarest))
  }

  /** The features that say most: neither rare nor everywhere. A handful of texts has no rare ones. */
  vocabulary (): Vocabulary {
    const documents = this.#documents
    const least = documents < 20 ? 1 : rarest
    const most = documents < 20 ? documents : commonest * documents
    const kept = [...this.#frequencies].filter(([, count]) => count >= least && count <= most)
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, vocabularySize)
    return {
      features: kept.map(([feature]) => feature),
      idf: kept.map(([, count]) => rounded(Math.log((documents + 1) / (count + 1)) + 1))
    }
  }
}

/** Three digits: a model is stored, and more would say nothing. */
export const rounded = (value: number): number => Number(value.toPrecision(3))
