import { findDefinitions } from './abbreviations.js'
import type { ScoredText } from './interest.js'
import { contentTerms } from './interest-terms.js'
import { maxTextLength, type TokenizedText } from './terms.js'

/** The stems of abbreviations that an interest defines, each with the stems of its long form. */
export function definedAbbreviations (description: string, stems: ReadonlySet<string>): Map<string, string[]> {
  const longForms = new Map<string, string[]>()
  for (const { short, long } of definitionStems(description)) {
    const wanted = long.filter(stem => stems.has(stem))
    if (stems.has(short) && wanted.length > 0) longForms.set(short, wanted)
  }
  return longForms
}

/** Replaces abbreviations with their long forms. */
export const withLongForms = (stems: readonly string[], longForms: ReadonlyMap<string, readonly string[]>): string[] =>
  [...new Set(stems.flatMap(stem => longForms.get(stem) ?? stem))]

/**
 * Creates the function that finds the stems of an interest that the title of a paper has in another form: the words of an abbreviation, or
 * the abbreviation of its words, as the abstract defines it.
 */
export function otherTitleForms (stems: readonly string[]): (paper: ScoredText, read: TokenizedText) => string[] {
  const wanted = new Set(stems.map(plainForm))
  return ({ abstract }, { title, names }) => {
    if (abstract?.includes('(') !== true) return []
    const words = new Set([...title, ...names.filter(({ isInTitle }) => isInTitle)].map(({ term }) => term))
    const plainWords = new Set([...words].map(plainForm))
    // Few abbreviations are of use, and finding out takes less time than their stems.
    const isSought = (short: string) => plainWords.has(plainForm(short)) || wanted.has(plainForm(short))
    return definitionStems(abstract.slice(0, maxTextLength), isSought)
      .flatMap(({ short, long }) => words.has(short) ? long : long.every(stem => words.has(stem)) ? [short] : [])
  }
}

/** Without hyphens, capitals and the ending of a plural. */
const plainForm = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '').replace(/s$/u, '')

/** Abbreviations that a text defines, by their stems. */
const definitionStems = (text: string, isSought?: (short: string) => boolean): Array<{ short: string, long: string[] }> =>
  findDefinitions(text, isSought).flatMap(({ short, long }) => {
    const [stem, ...others] = stemsOf(short)
    const stems = stemsOf(long)
    return stem === undefined || others.length > 0 || stems.length === 0 || stems.includes(stem) ? [] : [{ short: stem, long: stems }]
  })

const stemsOf = (text: string): string[] => [...new Set(contentTerms(text).map(({ term }) => term))]
