import { greekLetters } from '../latex/greek.js'
import { interestStemFinder } from './interest-terms.js'
import { isVagueTerm, type Term, type TokenizedText } from './terms.js'

/** A word of a paper that its project's interest has. */
export interface FoundWord {
  /** As the interest states it. */
  stem: string
  /** As the paper spells it. */
  word: string
  isInTitle: boolean
  /** 1, or less for the first part of a name that stands by itself: "TNF" where the interest has "TNF-α". */
  share: number
}

const loneBaseShare = 0.5
/** Other names of letters end words, such as "menu". */
const longLetters = greekLetters.map(([, name]) => name).filter(name => name.length > 3)
const nameStem = new RegExp(`^([a-z]{2,16}?)(?:\\d{1,2}[a-z]?|-[a-z]|(?:${longLetters.join('|')})\\d?)$`)

/** The first part of a name, unless it is a kind of anything, such as "type": "il" of "il6", "vitamin" of "vitamin-d". */
function baseOf (stem: string): string | undefined {
  const base = nameStem.exec(stem)?.[1]
  return base === undefined || isVagueTerm(base) ? undefined : base
}

/** Creates the function that finds the words of an interest in a paper: first those of the abstract, then those of the title. */
export function interestWordFinder (stems: readonly string[]): (text: TokenizedText) => FoundWord[] {
  const stemOf = interestStemFinder(stems)
  const namesOf = new Map<string, string>()
  for (const stem of stems) {
    const base = baseOf(stem)
    if (base !== undefined && !stems.includes(base)) namesOf.set(base, stem)
  }
  return ({ title, abstract, names }) => {
    const found: FoundWord[] = []
    const find = (words: readonly Term[], isInTitle: boolean) => {
      const ownNames = names.filter(name => name.isInTitle === isInTitle)
      for (const term of [...ownNames, ...words]) {
        const stem = stemOf(term)
        if (stem !== undefined) found.push({ stem, word: term.word, isInTitle, share: 1 })
      }
      if (namesOf.size === 0) return
      for (const base of loneBases(words, ownNames, namesOf)) {
        found.push({ stem: namesOf.get(base)!, word: base, isInTitle, share: loneBaseShare })
      }
    }
    find(abstract, false)
    find(title, true)
    return found
  }
}

/** The first parts of names that stand by themselves: occurrences in other names, as in "IL-17", are others. */
function loneBases (words: readonly Term[], names: readonly Term[], namesOf: ReadonlyMap<string, string>): string[] {
  const counts = new Map<string, number>()
  const add = (base: string | undefined, count: number) => {
    if (base !== undefined && namesOf.has(base)) counts.set(base, (counts.get(base) ?? 0) + count)
  }
  for (const { word } of words) add(word, 1)
  for (const { term } of names) add(baseOf(term), -1)
  return [...counts].flatMap(([base, count]) => Array.from({ length: Math.max(count, 0) }, () => base))
}
