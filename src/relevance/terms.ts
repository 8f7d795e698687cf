import { displayedText } from '../latex/displayed-text.js'
import { greekLetters } from '../latex/greek.js'
import { nameGreek } from '../search/spellings.js'
import { porterStem } from '../search/stem.js'
import { indexEntries, tokenize } from '../search/tokenizer.js'
import type { ScoredText } from './interest.js'

/** Stop words of English and of abstracts. */
const stopWords = new Set((
  'a about above after against all also an and are as at be been between both but by can could did do does ' +
  'during each for from had has have how if in into is it its may more most my no not of on or other our over own papers ' +
  'research same should since so some studies study such than that the their them then there these they this those through to ' +
  'under up us use used using very was we were what when where which while who why will with within without work works would'
).split(' '))

/** Words of abstracts of any subject, and of requests: they can help to rank, but explain nothing. */
const vagueWords = (
  'ability able achieve across additional additionally address administer affect aim allow almost already alone although always amount ' +
  'analyse analysis analyze another anything apart apparent appear applied apply approach appropriate approximately article aspect ' +
  'assess assessed assessment associate associated association author available average background base based basis become before begin ' +
  'being best better beyond broad call carry case cause certain change characteristic characterize cohort combine common commonly ' +
  'compare compared comparison complete component concern conclude conclusion condition conduct confirm consider consist consistent ' +
  'contain contrast contribute control controlled correspond corresponding current currently data decrease define degree demonstrate ' +
  'depend derive describe design despite detail detect determine develop development differ difference different direct discuss due ' +
  'early effect either elevate emerge employ enable end enhance enroll entire especially establish estimate et evaluate evaluation ever ' +
  'every everything evidence examine example except exhibit exist expect experience explain explore extend extent factor far feature ' +
  'few find finding first five fold follow following form found four fourth frequently fully fund further furthermore future gain ' +
  'general generally give given good great greater group half hand here high higher highest highly hour hypothesis identify illustrate ' +
  'impact implement implication important improve improved improvement inc include included including incorporate increase indeed ' +
  'indicate individual influence inform information initial initially instead interest introduce introduction investigate investigation ' +
  'involve issue just keep key know known lack large largely largest last late later lead least length less let level light like likely ' +
  'limit limited limitation little long longer look low lower made main mainly major make many marked markedly material maximum mean ' +
  'measure measured measurement mechanism method methodology minimum month moreover much multiple must namely nature near nearly ' +
  'necessary need never nevertheless new next nine normal notable note novel now number objective observe obtain occur offer often once ' +
  'one only open order original otherwise outcome overall paper parameter part participant particular particularly patient per perform ' +
  'performance period phd phase place please play point poor population possible potential potentially practice present previous ' +
  'previously primarily primary principal prior probably procedure process produce proper propose protocol prove provide publish ' +
  'publication purpose quality question rang range rate rather ratio reach receive recent recently recommend record reduce reduction ' +
  'refer regard regarding relate relation relationship relative relatively relevant remain report represent require respect respective ' +
  'respectively respond response restore restored result resulting return reveal review role rule sample scale second secondary section ' +
  'see seem select sensitive separate series serve set seven several shall share short show significance significant significantly ' +
  'similar similarly simple simply since single six size small smaller some something sought source specific specifically standard ' +
  'start state statistical statistically status still strategy strong strongly subject subsequent subsequently substantial ' +
  'substantially successful successfully suggest support survey system systematic take target task technique ten term test thing third ' +
  'three thus time together too total toward towards trend trial twice two type typical typically unclear understand understanding unit ' +
  'unknown unlike until upon useful usually validate value variable variety various vary vs versus via view want way week well whereas ' +
  'whether whole wide widely wish worse year yes yet yield'
).split(' ')

/** A word in lower case, and its stem, which all its inflections share. */
export interface Term { readonly term: string, readonly word: string }

/** A name that has a number or a single letter, and where it stands. */
export interface Name extends Term { readonly isInTitle: boolean }

/** A paper's words in order, tokenized once for everything that scores it. Stop words and numbers belong to phrases, so they are kept. */
export interface TokenizedText {
  title: Term[]
  abstract: Term[]
  /**
   * Names of both that have a number or a single letter: "IL-6" and "hepatitis B", whose words do not tell them from "IL-17" and
   * "hepatitis C"; and abbreviations in capitals such as "AIDS", which are no forms of a word.
   */
  names: Name[]
  /** Numbers in the abstract, which reports of results have and comments lack. */
  numbers: number
}

/** Tokenizes the scored fields of a paper. */
export function tokenizeText ({ title, abstract }: ScoredText): TokenizedText {
  const [shownTitle, shownAbstract] = [displayText(title), displayText(abstract ?? '')]
  return {
    title: extractWords(shownTitle),
    abstract: extractWords(shownAbstract),
    names: [
      ...extractNames(shownTitle).map(name => ({ ...name, isInTitle: true })),
      ...extractNames(shownAbstract).map(name => ({ ...name, isInTitle: false }))
    ],
    numbers: shownAbstract.match(/\d+/g)?.length ?? 0
  }
}

const ascii = /^[\0-\x7f]*$/
/** Characters of a text that are read. */
export const maxTextLength = 50_000
/** The part of a text that is read, as it is displayed: commands of LaTeX are no words. */
const displayText = (text: string): string => {
  const part = text.slice(0, maxTextLength)
  return displayedText(part)?.joined ?? part
}
/** Recent words, in two generations: an exact least-recently-used cache would take as long as the stemmer. */
const maxGeneration = 50_000
const maxWordLength = 40
let [known, olderKnown] = [new Map<string, Term>(), new Map<string, Term>()]

/** The same in Chinese and Japanese. */
const vaguePairs = '分析 影响 影響 应用 應用 応用 效果 効果 方法 机制 机理 機制 機理 研究 关系 關係 関係'.split(' ')
const vagueStems: ReadonlySet<string> = new Set([...[...vagueWords, ...stopWords].map(porterStem), ...vaguePairs])

/** Whether abstracts of any subject use a word, so that it explains nothing to a reader. */
export const isVagueStem = (stem: string): boolean => vagueStems.has(stem) || isNumber(stem)

/** The same of a word of any form. */
export const isVagueTerm = (word: string): boolean => isVagueStem(termOf(word.toLowerCase()).term)

/**
 * The words of a text in order, each with its stem (Porter, English), without stop words, numbers and single characters;
 * followed by its names that contain such, and its abbreviations that look like words unless all of it is in capitals.
 * @param named what its names are read from
 */
export function extractTerms (text: string, named = text): Term[] {
  const shown = displayText(text)
  const words = extractWords(shown)
  const isInCapitals = words.length > 1 && !smallLetter.test(shown)
  const names = extractNames(named === text ? shown : displayText(named)).filter(name => !isInCapitals || !isAbbreviation(name))
  return [...words.filter(({ word }) => !stopWords.has(word) && !isNumber(word)), ...names]
}

/** The share of stop words from which on a text is in English: other languages have next to none of them. */
const minEnglishShare = 0.15

/** Whether a text is in English, judged by its stop words. */
export function isEnglish (text: string): boolean {
  const words = extractWords(displayText(text))
  return words.filter(({ word }) => stopWords.has(word)).length >= minEnglishShare * Math.max(words.length, 1)
}

/** The same with stop words and numbers. */
function extractWords (text: string): Term[] {
  const terms: Term[] = []
  for (const word of entries(text)) if (word.length >= 2) terms.push(termOf(word))
  return terms
}

const letterNames = greekLetters.flatMap(([, name]) => [name, name[0]!.toUpperCase() + name.slice(1)]).join('|')
/** Roman numerals of more letters than one, and the one that is a number more often than a letter. */
const romanNumerals = { I: 1, II: 2, III: 3, IV: 4, VI: 6, VII: 7, VIII: 8, IX: 9, XI: 11, XII: 12 }
const number = `(?:\\d{1,2}[A-Z]?|${Object.keys(romanNumerals).join('|')})`
const romanNumber = new Map(Object.entries(romanNumerals).map(([numeral, value]) => [numeral, String(value)]))
/** Names in texts of some scripts, by patterns of their letters, characters, single letters and hyphens. */
const namePattern = ({ letter, character, single, hyphen }: Record<'letter' | 'character' | 'single' | 'hyphen', string>) => new RegExp(
  `(?<!${character})(?:(?<base>${letter}${character}{1,15})` +
    `(?: (?:${number}|${single})|${hyphen}(?:${number}|${single}|(?:${letterNames})\\d?))` +
    `(?<others>(?:, (?:${number}|${single})){0,9}(?:,? (?:and|or|und|oder|et|ou|y|o|e|&) |/)` +
      `${hyphen}?(?:${number}|${single})(?!\\. ?[a-z]))?|` +
    `\\d${hyphen}[A-Z][A-Z0-9]{1,5})(?!${character}|[.,]\\d)`, 'gu'
)
/** In ASCII, which most texts are. */
const asciiName = namePattern({ letter: '[A-Za-z]', character: '[A-Za-z0-9]', single: '[A-Z]', hyphen: '-' })
const anyName = namePattern({
  letter: '\\p{L}', character: '[\\p{L}\\p{N}]', single: '(?:\\p{Lu}|[α-ω]\\d?)', hyphen: '[-\\u2010-\\u2015\\u2212]'
})

/** Kinds that are numbered. */
const numbered = /^(?:class|factor|group|phase|stage|type)$/
/** Whether a number after a word is a count: "among 12 patients". */
const isCounting = (word: string): boolean =>
  /^(?:aged?|among|ci|enrolled)$/.test(word) || (isVagueStem(termOf(word).term) && !numbered.test(word))

/** The ends of names that have their first part in common: ", E and K" in "vitamins D, E and K". */
const nameEnd = /(?<![\p{L}\p{N}])(?:[\p{Lu}\d]+|[α-ω]\d?)(?![\p{L}\p{N}])/gu
/** Before a name's number or letter, a plural is of several names. */
const plural = /(?<=^[a-z]{3,}[^isu])s$/

/** Names that end with a number up to 99, a capital or a Greek letter, or begin with a digit: "type 2", "War II", "TNF-α", "5-HT". */
function extractNames (text: string): Term[] {
  const names: Term[] = []
  for (const { 0: match, groups } of text.matchAll(ascii.test(text) ? asciiName : anyName)) {
    const name = match.slice(0, match.length - (groups?.others?.length ?? 0))
    const [start, ...ends] = [...name.split(/[ \p{Pd}\u2212]/u), ...groups?.others?.match(nameEnd) ?? []] as [string, ...string[]]
    const first = entries(start).join('').replace(plural, '')
    if (groups?.base !== undefined && (stopWords.has(first) || (name.includes(' ') && isCounting(first)))) continue
    for (const end of ends) {
      const last = romanNumber.get(end) ?? entries(end).join('')
      const isLetter = /^[a-z]$/.test(last)
      // A letter after "CD8" is of the next word: "CD8 T cells".
      if (isLetter && name.includes(' ') && /\d/.test(first)) break
      // A number joins as in "IL6"; "protein-s" is not "proteins".
      names.push({ term: `${first}${isLetter ? '-' : ''}${last}`, word: `${name.slice(0, start.length + 1)}${end}`.toLowerCase() })
    }
  }
  for (const [name] of text.matchAll(capitals)) {
    const word = name.toLowerCase()
    if (isOtherInCapitals(word)) names.push({ term: name, word })
  }
  return names
}

const smallLetter = /\p{Ll}/u
const capitals = /(?<![\p{L}\p{N}])[A-Z]{2,5}(?![\p{L}\p{N}])/gu
/** Words that queries and headings have in capitals. */
const emphasized = new Set('and for from near not of or the to with'.split(' '))
/** Abbreviations whose letters, or those of their stems, are words or other abbreviations: milliseconds, and "al" of "et al". */
const abbreviations = new Set('aids als gis ms sars ses'.split(' '))
/** Whether capitals make an abbreviation of a word: "ALL", which is no stop word, and "AIDS", which is no plural. */
export const isOtherInCapitals = (word: string): boolean => abbreviations.has(word) || (stopWords.has(word) && !emphasized.has(word))
/** Whether a name is an abbreviation in capitals that differs from a word. */
export const isAbbreviation = ({ term }: Term): boolean => /^[A-Z]/.test(term)

/** The words of a text in order, clause by clause: a phrase does not reach over punctuation. */
export const splitTerms = (text: string): Term[][] =>
  displayText(text).split(/[.,;:!?()[\]{}"“”|/、。，；：！？（）「」『』《》【】]+|\s[-–—]\s/u).map(extractWords).filter(terms => terms.length > 0)

/** Chinese and Japanese words are pairs of characters, of which each shares one with the next. */
export const isPair = (word: string): boolean => cjkPair.test(word)
const cjkPair = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}$/u
/** Whether a pair of characters goes on where another ends. */
export const continues = (before: string, word: string): boolean => isPair(before) && isPair(word) && [...before][1] === [...word][0]

/** Words in order, as a text has them: with spaces, pairs of characters as the run that they come from. */
export const joinWords = (words: readonly string[]): string => words.map((word, at) => {
  if (at === 0) return word
  return continues(words[at - 1]!, word) ? [...word].slice(1).join('') : ` ${word}`
}).join('')

const isNumber = (word: string) => /^\d+$/.test(word)

/** Most texts are plain ASCII, whose words need no folding. */
const entries = (text: string): string[] =>
  ascii.test(text) ? text.toLowerCase().match(/[a-z0-9]+/g) ?? [] : tokenize(text).flatMap(indexEntries).map(spellGreek)

/** Greek letters by their names, as many papers write them, but for those of units. */
const spellGreek = (entry: string): string => /^μ[a-z]{1,3}$/.test(entry) ? entry : nameGreek(entry)

/** The same object for each occurrence of a recent word. */
function termOf (word: string): Term {
  // Sequences of a genome and the like, which seldom come again.
  if (word.length > maxWordLength) return { term: word, word }
  const recent = known.get(word)
  if (recent !== undefined) return recent
  const term = olderKnown.get(word) ?? newTerm(copyOf(word))
  if (known.size >= maxGeneration) [known, olderKnown] = [new Map(), known]
  known.set(term.word, term)
  return term
}

const newTerm = (word: string): Term => ({ term: /^[a-z]+$/.test(word) ? porterStem(word) : word, word })

/** A part of a text, of 13 characters or more, holds all of the text in memory. */
const copyOf = (word: string): string => word.length < 13 ? word : Buffer.from(word).toString()
