import type { Reason } from '../../schemas/relevance.js'
import { isPair, continues, joinWords, type TokenizedText } from './terms.js'

/** Reasons that most papers have are left out of each side, unless there are no others. */
export const withoutCommon = <R>(reasons: readonly R[], isCommon: (reason: R) => boolean): R[] => {
  const rarer = reasons.filter(reason => !isCommon(reason))
  return rarer.length > 0 ? rarer : [...reasons]
}

/** Leaves out the words of a name or phrase that is a reason itself: "hepatitis" beside "hepatitis b". */
export function withoutParts (reasons: readonly Reason[]): Reason[] {
  const parts = new Set(reasons.flatMap(({ term }) => /[ \p{Pd}\u2212]/u.test(term) ? term.split(/[ \p{Pd}\u2212]+/u) : []))
  return reasons.filter(({ term }) => !parts.has(term))
}

/** Names pairs of Chinese and Japanese characters as the runs of characters in which a paper has them, with the sum of their weights. */
export function joinReasons (reasons: readonly Reason[], { title, abstract }: TokenizedText): Reason[] {
  const weights = new Map<string, number>()
  for (const { term, weight } of reasons) {
    const pairs = pairsOf(term)
    for (const pair of pairs) weights.set(pair, (weights.get(pair) ?? 0) + weight / pairs.length)
  }
  if (weights.size < 2) return [...reasons]
  const joined: Reason[] = []
  const { from } = reasons[0]!
  for (const run of [...runsOf(title, weights), ...runsOf(abstract, weights)].sort((a, b) => b.length - a.length)) {
    const left = run.filter(pair => weights.has(pair))
    if (left.length < run.length) continue
    joined.push({ term: joinWords(run), weight: [...new Set(run)].reduce((sum, pair) => sum + weights.get(pair)!, 0), from })
    for (const pair of run) weights.delete(pair)
  }
  return [...reasons.filter(({ term }) => pairsOf(term).length === 0), ...joined]
}

const ascii = /^[\0-\x7f]*$/

/** The pairs of a term in Chinese or Japanese; none of other terms. */
function pairsOf (term: string): string[] {
  if (ascii.test(term)) return []
  const characters = [...term]
  const pairs = characters.slice(1).map((character, at) => `${characters[at]!}${character}`)
  return pairs.every(isPair) ? pairs : []
}

/** The longest runs of named pairs in a text, then each pair by itself. */
function runsOf (terms: TokenizedText['title'], named: ReadonlyMap<string, number>): string[][] {
  const runs: string[][] = []
  let run: string[] = []
  for (const { word } of terms) {
    if (!named.has(word)) run = []
    else if (run.length > 0 && continues(run.at(-1)!, word)) run.push(word)
    else runs.push(run = [word])
  }
  return [...runs, ...runs.flat().map(pair => [pair])]
}
