import { type Definition, findDefinitions } from './abbreviations.js'
import { commonAbbreviations } from './common-abbreviations.js'
import type { ScoredText } from './interest.js'
import { contentTerms } from './interest-terms.js'
import type { FoundWord } from './interest-words.js'
import { maxTextLength, type Term, tokenizeText, type TokenizedText } from './terms.js'

/** The stems of abbreviations that an interest defines, and of common ones that it has in full, each with the stems of its long form. */
export function abbreviationsOf (description: string, stems: ReadonlySet<string>): Map<string, string[]> {
  const words = readWords(description)
  const inFull = common.filter(({ sequence }) => findSequence(words, sequence) !== undefined)
  const longForms = new Map<string, string[]>()
  for (const { short, long } of [...inFull, ...definitionStems(description).filter(({ short }) => stems.has(short))]) {
    const wanted = long.filter(stem => stems.has(stem))
    if (wanted.length > 0) longForms.set(short, wanted)
  }
  return longForms
}

/** Creates the function that finds the common ones among abbreviations where a paper has them in full. */
export function inFullFinder (abbreviations: readonly string[]): (text: TokenizedText) => FoundWord[] {
  const sought = common.filter(({ short }) => abbreviations.includes(short))
  return ({ title, abstract }) => sought.flatMap(({ short, sequence }) => [abstract, title].flatMap(words => {
    const found = findSequence(words, sequence)
    return found === undefined ? [] : { stem: short, word: found, isInTitle: words === title, share: 1 }
  }))
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

interface DefinitionStems { short: string, long: string[] }

/** Abbreviations that a text defines, by their stems. */
const definitionStems = (text: string, isSought?: (short: string) => boolean): DefinitionStems[] =>
  findDefinitions(text, isSought).flatMap(stemsOfDefinition)

function stemsOfDefinition ({ short, long }: Definition): DefinitionStems[] {
  const [stem, ...others] = stemsOf(short)
  const stems = stemsOf(long)
  return stem === undefined || others.length > 0 || stems.length === 0 || stems.includes(stem) ? [] : [{ short: stem, long: stems }]
}

const stemsOf = (text: string): string[] => [...new Set(contentTerms(text).map(({ term }) => term))]

const readWords = (title: string): Term[] => tokenizeText({ title, abstract: null }).title

/** Common abbreviations by their stems, with those of all words of their long forms in order. */
const common = commonAbbreviations.flatMap(definition =>
  stemsOfDefinition(definition).map(stems => ({ ...stems, sequence: readWords(definition.long).map(({ term }) => term) })))

/** The first words in a row with these stems, as they are spelled. */
function findSequence (words: readonly Term[], stems: readonly string[]): string | undefined {
  const at = words.findIndex((_, from) => stems.every((stem, offset) => words[from + offset]?.term === stem))
  return at < 0 ? undefined : words.slice(at, at + stems.length).map(({ word }) => word).join(' ')
}
