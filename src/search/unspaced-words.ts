import { searchWords } from './search-words.js'

/* Chinese and Japanese queries, which put no spaces between words. */

const run = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu
/** Characters of a run that counts as one word. */
const maxWordLength = 4
/** Pairs of one query; further runs count as one word each. */
const maxPairs = 100
/** Words that ask, at the ends of a run. */
const asking = /^(?:如何|怎样|为什么|為什麼)|[吗嗎呢]$/gu
/** Particles and conjunctions between two words. A single character beside one may be part of a word with it: "饱和", "中国". */
const between = /(?<=..)(?:如何|[的のをはに与與和对對在中])(?=..)/gu
const quoted = /["“”„«「『]([^"“”„»」』]+)["“”»」』]/gu

/**
 * Splits the long runs of terms at particles, and what is longer than a word into overlapping pairs of characters, so that papers with some
 * of the words match, too. Quoted phrases stay whole.
 * @param q the query of the terms @returns distinct terms
 */
export function splitUnspaced (q: string, terms: readonly string[]): string[] {
  if (q.search(run) < 0) return [...terms]
  const phrases = new Set([...q.matchAll(quoted)].flatMap(([, phrase]) => searchWords(phrase!)))
  let pairs = 0
  const split = (term: string): string[] => {
    const runs = phrases.has(term) ? [] : term.match(run) ?? []
    if (!runs.some(isLong)) return [term]
    const others = term.split(run).filter(part => part !== '')
    return [...others, ...runs.flatMap(each => isLong(each) ? splitAtParticles(each) : [each]).flatMap(word => {
      if (!isLong(word) || pairs + lengthOf(word) > maxPairs) return [word]
      pairs += lengthOf(word)
      return pairsOf(word)
    })]
  }
  return [...new Set(terms.flatMap(split))]
}

const lengthOf = (text: string) => [...text].length
const isLong = (text: string) => lengthOf(text) > maxWordLength

function splitAtParticles (text: string): string[] {
  const words = text.replace(asking, '').split(between).filter(word => word !== '')
  return words.length === 0 ? [text] : words
}

function pairsOf (text: string): string[] {
  const characters = [...text]
  return characters.slice(1).map((character, at) => characters[at]! + character)
}
