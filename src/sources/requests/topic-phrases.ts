import { plainText } from '../formats/plain-text.js'
import { stopWordsOfLanguage } from '../../search/foreign-stop-words.js'
import { fold } from '../../search/tokenizer.js'
import {
  broadWords, elided, foreignBroadWords, foreignStopWords, headings, intransitiveVerbs, leadingVerbs, leadingWords,
  linkedArticles, linkingWords, namedAfterVerbs, objectStarts, questionWords, sharedStopWords, stopWords, subjectWords,
  transitiveVerbs
} from './topic-words.js'

const minSingleLength = 4
/** Words of a phrase: other texts rarely contain a longer one. */
const maxPhraseWords = 3

/** Content words between others of a clause. @see contentRuns */
interface Run {
  words: string[]
  /** The word before them; empty at the start of the clause. */
  after: string
  /** The word after them; empty at the end. */
  before: string
}

/** The language of a description other than English, as its stop words tell it. */
interface Language {
  isForeign: boolean
  isStopWord: (word: string) => boolean
  isBroad: (word: string) => boolean
}

/**
 * The runs of content words in a description, in phrases of up to three words, each once. A single word counts beside longer runs where it
 * can be a subject that few texts have.
 */
export function phrasesIn (description: string): string[] {
  const clauses = description.split('\n').flatMap(line => clausesOf(plainHyphens(plainText(line))))
  const casedWords = splitWords(clauses)
  const language = languageOf(casedWords)
  const words = casedWords.map(clause => clause.map((word, at) => language.isForeign && at > 0 && isName(word) ? word : word.toLowerCase()))
  const names = shortNamesIn(description)
  const parts = language.isForeign ? words : words.flatMap(clause => splitAtVerbs(clause, names))
  const runs = parts.flatMap(part => contentRuns(part, language))
  const specific = runs.filter(run => isPhrase(run, language) || isNamed(run, names) || isSpecific(run, language))
  const phrases = (specific.length > 0 ? specific : runs).flatMap(({ words }) => phrasesOf(words, language))
  return [...new Set(phrases.map(joinWords))]
}

/** Marks between clauses; hyphens are such between spaces. */
const clauseEnd = /[^\p{L}\p{N}\p{M}\s'’*-]+|(?<![^\s])-+(?!\S)/u

const dash = /(?<=\p{L})[\u2010-\u2013\u2212](?=[\p{L}\p{N}])|(?<=\p{N})[\u2010-\u2013\u2212](?=\p{L})/gu
/** A text with hyphens for the dashes within names: "metal-organic" for "metal–organic". */
export const plainHyphens = (text: string): string => text.replace(dash, '-')

/** The clauses of a line. Where all its words are capitalized, these may be others than names. */
function clausesOf (line: string): string[] {
  const hasNames = /(?<![\p{L}\p{N}])\p{Ll}/u.test(line)
  return (hasNames ? line : line.toLowerCase()).split(clauseEnd)
}

/** Whether a word in a line with small letters is capitalized: "Niño". At the start of a clause, it may be no name. */
const isName = (word: string) => /^\p{Lu}\p{Ll}/u.test(word)

/** The language of clauses, without their names: "El Niño and La Niña" is English. */
function languageOf (clauses: ReadonlyArray<readonly string[]>): Language {
  const lower = clauses.flat().filter(word => !isName(word)).map(word => word.toLowerCase())
  const starts = clauses.flatMap(clause => clause.slice(0, 1)).filter(isName).map(word => word.toLowerCase())
  const minimum = [...lower, ...starts].some(word => isCyrillic.test(word)) ? 1 : undefined
  const [unshared, inEnglish] = [lower.filter(word => !sharedStopWords.has(word)), lower.filter(isEnglishAlone)]
  const isEnglish = inEnglish.length > countOf(unshared.filter(word => !isEnglishAlone(word)), stopWordsOfLanguage(unshared.map(fold), 1))
  const words = isEnglish ? lower : [...lower, ...starts]
  const foreign = stopWordsOfLanguage(words.map(fold), minimum)
  const isForeign = countOf(words, foreign) > words.filter(word => stopWords.has(word)).length
  if (!isForeign) return { isForeign, isStopWord: word => stopWords.has(word), isBroad }
  const isStopWord = (word: string) => foreignStopWords.has(fold(word.toLowerCase())) ||
    (!isName(word) && [foreign, linkingWords, linkedArticles].some(words => words.has(fold(word))))
  // "Alter" is "age" in German, and a verb of any subject in English.
  const isBroadHere = (word: string) => foreignBroadWords.has(fold(word)) || transitiveVerbs.has(word) || isBroad(word)
  return { isForeign, isStopWord, isBroad: isBroadHere }
}

const isEnglishAlone = (word: string) => stopWords.has(word) && !sharedStopWords.has(word)

const countOf = (words: readonly string[], stopWords: ReadonlySet<string>) => words.filter(word => stopWords.has(fold(word))).length

const isCyrillic = /\p{Script=Cyrillic}/u

/** Whether a word is an article that lost its vowel: "l'". */
const isElision = (word: string) => word.endsWith("'")

/** Names of three characters: HIV, MRI, p53, CD4. */
const shortName = /(?<![\p{L}\p{N}-])(?:\p{Lu}{3}|\p{L}{2}\d|\p{L}\d\d)(?![\p{L}\p{N}-])/gu

/** The short names in a description, in lower case. In one that is in capital letters, ordinary words look like them. */
const shortNamesIn = (text: string): Set<string> => new Set(
  /\p{Ll}/u.test(text) ? (text.match(shortName) ?? []).map(name => name.toLowerCase()).filter(name => !broadWords.has(name)) : []
)

/** Whether a single word is a short name that stands where a subject does. */
const isNamed = ({ words: [word = ''], after }: Run, names: ReadonlySet<string>) =>
  names.has(word) && (after === '' || leadingWords.has(after))

const isBroad = (word: string) =>
  word.endsWith('*') ? [...broadWords].some(broad => broad.startsWith(word.slice(0, -1))) : broadWords.has(word)

/** Whether a run has several words. Those of other languages are no phrase where each has many subjects. */
const isPhrase = ({ words }: Run, { isForeign, isBroad }: Language) =>
  (words.length > 1 || isJoined(words[0]!)) && !(isForeign && words.every(isBroad)) && !headings.has(words.join(' ')) &&
  // Of participants: "aged 3 years".
  !(words.some(isNumber) && words.every(word => isNumber(word) || isBroad(word)))

const isNumber = (word: string) => /^\p{N}+$/u.test(word)

/** Whether a single word can be a subject that few texts have. */
const isSpecific = ({ words: [word = '', ...others], after, before }: Run, { isForeign, isBroad }: Language) =>
  others.length === 0 && word.length >= minSingleLength && !isBroad(word) && !isCjk.test(word) &&
  (isForeign || (after === '' ? !(word.endsWith('ing') && objectStarts.has(before)) : leadingWords.has(after)))

/**
 * The parts of an English clause before and after its verbs: the subject and the object of "how sleep deprivation affects memory". Where
 * neither is a topic alone, both and the verb are one word of their part: "diet prevent cancer".
 */
function splitAtVerbs (words: readonly string[], names: ReadonlySet<string>): string[][] {
  const parts: string[][] = [[]]
  let isQuestion = false
  for (let at = 0; at < words.length; at++) {
    const [part, word] = [parts.at(-1)!, words[at]!]
    isQuestion ||= questionWords.has(word)
    if (!isVerb(words, at, isQuestion)) {
      part.push(word)
      continue
    }
    const subject = wordsUntilOther(part.slice(-maxPhraseWords).reverse()).reverse()
    let start = at + 1
    while (objectStarts.has(words[start]!)) start++
    const object = wordsUntilOther(words.slice(start, start + maxPhraseWords))
    const isWhole = subject.length > 0 && ![subject, object].some(words => isTopic(words, names) || (object.length > 0 && isRare(words))) &&
      (object.length > 0 || intransitiveVerbs.has(word))
    if (isWhole) {
      part.splice(-subject.length, subject.length, [...subject, word, ...object].join(' '))
      if (object.length > 0) at = start + object.length - 1
    } else parts.push([])
  }
  return parts
}

/** The words before the first one that carries no topic. */
const wordsUntilOther = (words: readonly string[]): string[] => {
  const end = words.findIndex(word => !isOther(word))
  return words.slice(0, end < 0 ? words.length : end)
}

/** Letters of a word that few texts have, such as "metformin". */
const minRareLength = 8

/** Whether words beside a verb are one long word. "Cognitive" needs "decline", though. */
const isRare = ([word = '', ...others]: readonly string[]) => others.length === 0 && word.length >= minRareLength && !isBroad(word)

/** Whether words beside a verb are a topic without it. A single one has many subjects, if it is no name. */
const isTopic = (words: readonly string[], names: ReadonlySet<string>) =>
  words.length > 2 || (words.length === 2 && !words.every(isBroad)) || words.some(word => isJoined(word) || names.has(word))

/** Whether a word is a subject with its verb. @see splitAtVerbs */
const isJoined = (word: string) => word.includes(' ')

function isVerb (words: readonly string[], at: number, isQuestion: boolean): boolean {
  const [before, word, after] = [words[at - 1], words[at]!, words[at + 1]]
  if (namedAfterVerbs.has(after!)) return false
  if (at === 0) return leadingVerbs.has(word) && isOther(after) && isOther(words[2])
  const hasObject = after !== undefined && (objectStarts.has(after) || (isOther(after) && !transitiveVerbs.has(after)))
  if (transitiveVerbs.has(word) && hasObject) return subjectWords.has(before!) || (isQuestion && isOther(before))
  return intransitiveVerbs.has(word) && isQuestion && isOther(before) && !hasObject
}

/** Whether a word between stop words or others carries a topic. "Work" and "use" do within a name, and "to" before "work". */
function isContent (words: readonly string[], at: number): boolean {
  const [before, word, after] = [words[at - 1], words[at]!, words[at + 1]]
  if (word === 'to') return after === 'work' && isOther(before)
  if (word === 'work') return isOther(before) || isOther(after) || (before === 'to' && isOther(words[at - 2]))
  if (word === 'use') return isOther(before) && (after === undefined || stopWords.has(after) || broadWords.has(after))
  return isOther(word)
}

/** Whether a word carries a topic wherever it is. */
const isOther = (word: string | undefined) => word !== undefined && !stopWords.has(word) && !isParticle.test(word)

/** The runs of content words. A year or another number alone is no topic. */
function contentRuns (clause: readonly string[], language: Language): Run[] {
  const words = language.isForeign ? clause.flatMap(splitElision) : clause
  const runs: Run[] = [{ words: [], after: '', before: '' }]
  for (const [at, word] of words.entries()) {
    const run = runs.at(-1)!
    if (language.isForeign ? !language.isStopWord(word) && isOther(word) : isContent(words, at)) run.words.push(word.toLowerCase())
    else {
      run.before = word
      runs.push({ words: [], after: word, before: '' })
    }
  }
  const found = language.isForeign ? linkedRuns(runs, language) : runs
  return found.filter(({ words }) => words.some(word => /\p{L}/u.test(word)))
}

/** "L'air" as "l'" and "air". */
function splitElision (word: string): string[] {
  const [article] = elided.exec(word) ?? []
  return article === undefined ? [word] : [`${article.slice(0, -1)}'`, word.slice(article.length)]
}

/** The runs of a Romance language, of which single nouns are joined to what "de" links with them, with up to three words of content. */
function linkedRuns (runs: readonly Run[], { isBroad }: Language): Run[] {
  const linked: Run[] = []
  let [count, between] = [0, [] as string[]]
  for (const run of runs) {
    if (run.after !== '') between.push(run.after)
    if (run.words.length === 0) continue
    const last = linked.at(-1)
    const isLink = linkingWords.has(between[0] ?? '') && between.slice(1).every(word => linkedArticles.has(word))
    if (last !== undefined && isLink && between.length < 3 && count > 0 && count + run.words.length <= maxPhraseWords &&
      !isBroad(last.words[0]!) && !isBroad(run.words[0]!)) {
      last.words.push(...between, ...run.words)
      // A noun with an adjective ends the phrase.
      count = run.words.length > 1 ? 0 : count + 1
    } else {
      linked.push({ ...run })
      count = run.words.length > 1 ? 0 : 1
    }
    between = []
  }
  return linked
}

/**
 * The phrases of a run. The last of a long one has words of the phrase before it rather than to be a single word, or to begin with a number
 * or a word of many subjects.
 */
function phrasesOf (words: readonly string[], { isForeign, isBroad }: Language): string[][] {
  const phrases: string[][] = []
  const isLinked = isForeign && words.some(word => linkingWords.has(word))
  for (let at = 0; at < words.length;) {
    const size = isLinked ? words.length : words[at + 2] === 'to' ? maxPhraseWords + 1 : maxPhraseWords
    const left = words.length - at
    const isCut = at > 0 && (left === 1 || (left < size && (isBroad(words[at]!) || /^\p{N}+$/u.test(words[at]!))))
    const phrase = isCut ? words.slice(at - 1) : words.slice(at, at + size)
    if (at === 0 || !phrase.every(isBroad)) phrases.push(phrase)
    at += size
  }
  return phrases
}

const cjk = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー]'
const isCjk = new RegExp(`^${cjk}+$`, 'u')
/** Chinese words of one character that carry no topic; words in Hiragana alone are particles and inflections. */
const isParticle = new RegExp(
  '^(?:[的了在和与與及或是对對為为中等其之以于於从從由被把将將并並而但也都不有无無这這那此该該各每个個们們上下内內外后後前间間时時到ー]|' +
    '\\p{Script=Hiragana}+)$',
  'u'
)
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })
/**
 * Lines that are segmented together: a call takes longer than a word, and quadratic time in a long text. Sentences are shorter. A line
 * that is longer is cut.
 */
const segmentedTogether = /.{1,200}(?:\n|$)|.{1,200}/gsu

/** The words of each clause, which are between spaces, and within Chinese and Japanese text without spaces. */
function splitWords (clauses: readonly string[]): string[][] {
  const parts = clauses.map(clause => clause.split(/\s+/).filter(part => part !== ''))
  const unspaced = new Set(parts.flat().filter(part => isCjk.test(part)))
  const words = segmentLines([...unspaced])
  return parts.map(clause => clause.flatMap(part => words.get(part) ?? [part]))
}

/** Pieces of a text that are segmented: together they have many more words than its topics. */
const maxSegmentedPieces = 5

/** The words of lines of Chinese or Japanese text, of the first thousand characters or so; later lines have none. */
function segmentLines (lines: readonly string[]): Map<string, string[]> {
  const words = new Map<string, string[]>(lines.map(line => [line, []]))
  const pieces = lines.join('\n').match(segmentedTogether) ?? []
  const segments = pieces.slice(0, maxSegmentedPieces).flatMap(piece => [...segmenter.segment(piece)])
  let line = 0
  for (const { segment } of segments) {
    if (segment === '\n') line++
    else words.get(lines[line]!)!.push(segment)
  }
  return words
}

/** Chinese and Japanese words follow each other without spaces, and a noun an elided article. */
const joinWords = (words: readonly string[]): string => words.reduce((phrase, word) =>
  isElision(phrase) || (isCjk.test(word) && isCjk.test(phrase.at(-1)!)) ? phrase + word : `${phrase} ${word}`)
