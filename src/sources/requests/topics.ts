import { comparableForm } from '../../../schemas/normal-form.js'
import { plainText } from '../formats/plain-text.js'
import { inOtherSpelling } from '../../search/british-spellings.js'
import { joinedNames, nameSigns, withoutPossessives } from '../../search/spellings.js'
import { greekName } from '../../search/tokenizer.js'
import { wantedCriteria } from '../../input/criteria/wanted-criteria.js'
import type { SearchInterest } from '../source.js'
import { plainHyphens, phrasesIn } from './topic-phrases.js'
import { stopWords } from './topic-words.js'

/** Topics that are searched for in a description. */
const maxTopics = 12
/** Topics of one query that are searched for: those of a hundred keywords, which may have commas. */
const maxQueryTopics = 200
/** Length of a keyword. */
const maxTopicLength = 200
/** Characters of a description that are searched for topics: more than the topics of a query need. */
const maxTextLength = 2500

/** Every source of a project asks for the topics of the same interest. */
const knownTopics = new WeakMap<SearchInterest, readonly string[]>()

/**
 * The topics of a project, as phrases to search for: its keywords, or without keywords the runs of content words in its description. A
 * single word counts beside longer runs where it can be a subject that few texts have.
 */
export function topicsOf (interest: SearchInterest): readonly string[] {
  const known = knownTopics.get(interest)
  if (known !== undefined) return known
  const topics = findTopics(interest)
  knownTopics.set(interest, topics)
  return topics
}

function findTopics ({ positive_keywords, interest_description }: SearchInterest): string[] {
  const keywords = positive_keywords.map(topicOfKeyword).filter(keyword => /[\p{L}\p{N}]/u.test(keyword))
  if (keywords.length > 0) return [...new Set(keywords)]
  const wanted = wantedCriteria(interest_description).join('\n').slice(0, maxTextLength)
  return phrasesIn(wanted.replace(noTruncation, ' ')).slice(0, maxTopics)
}

/** The words of a text that carry a topic. */
export const contentWords = (text: string): string[] =>
  plainText(text).toLowerCase().split(/[^\p{L}\p{N}\p{M}'’-]+/u).filter(word => word !== '' && !stopWords.has(word))

/** The topics in a query: phrases between commas or OR. */
export const topicsIn = (query: string): string[] =>
  query
    .replace(/[^\S\n]+/g, ' ')
    .split(/ OR |[,;|\n]/)
    .map(topic => bare(topic))
    .filter(topic => topic !== '')

/** The topics in a query that a source searches for, and a message to the project's owner if these are not all. */
export function searchedTopics (query: string, title: string): { topics: string[], shortfall: string | undefined } {
  const topics = topicsIn(query)
  const shortfall = topics.length <= maxQueryTopics
    ? undefined
    : `${title} was searched for the first ${maxQueryTopics} of ${topics.length} topics. Remove some.`
  return { topics: topics.slice(0, maxQueryTopics), shortfall }
}

/** Asterisks that truncate no word. PubMed needs four letters before one. */
const untruncated = String.raw`(?<![\p{L}\p{N}\p{M}]{4})\*|\*(?=[\p{L}\p{N}\p{M}])`
const noTruncation = new RegExp(untruncated, 'gu')

const operators = String.raw`["“”()[\]{}:\\?~^]+|(?<!\p{L})'|'(?!\p{L})`
const [anyOperator, exceptTruncation] = [new RegExp(`${operators}|\\*`, 'gu'), new RegExp(`${operators}|${untruncated}`, 'gu')]

/** A phrase without the operators of query languages. Apostrophes stay in words: "Parkinson's disease". */
const bare = (phrase: string, removed = anyOperator) =>
  plainText(plainHyphens(phrase).replace(/[’ʼ]/g, "'").replace(removed, ' ')).slice(0, maxTopicLength).trim()

/** A keyword without these operators, except the asterisk of a truncated word: "schizophren*". */
const topicOfKeyword = (keyword: string) => bare(keyword, exceptTruncation)

const comparedText = (text: string) =>
  comparableForm(nameSigns(withoutPossessives(text))).replace(/[α-ω]/g, letter => greekName(letter) ?? letter)

/** A text and its other spellings, for a comparison. */
const comparedForms = (text: string) => [...new Set([text, ...joinedNames(text)].map(comparedText))]

/**
 * Whether a text has all words of one of the topics, each as the prefix of a word: the topic "edit" matches "editing", not the other way
 * round. Names match in any spelling: "TNF-α" is "TNFalpha", and "IL-6" is "IL6".
 */
export function topicMatcher (topics: readonly string[]): (text: string) => boolean {
  const topicWords = inAllSpellings(topics).flatMap(comparedForms).map(topic => topic.split(' '))
  return text => {
    const words = comparedForms(text).map(form => ` ${form}`).join('')
    return topicWords.some(topic => topic.every(word => words.includes(` ${word}`)))
  }
}

/** A word that no query language takes for an operator, or for several words. */
const plainWord = /^(?!(?:AND|OR|NOT|ANDNOT|TO|NEAR)$)[\p{L}\p{N}\p{M}]+$/iu

/** Topics, each also as the other side of the Atlantic spells it: "tumor growth" beside "tumour growth". */
const inAllSpellings = (topics: readonly string[]): string[] => [...new Set(topics.flatMap(topic =>
  [topic, inOtherSpelling(topic)]))]

/** The parts of a hyphenated word, without its single letters: "cigarette*" of "e-cigarette*". */
const hyphenParts = (word: string): string[] =>
  word.split(/[\u2010-\u2015-]+/u).filter((part, _at, { length }) => length === 1 || part.replace('*', '').length > 1)

/**
 * A boolean query with quoted phrases, in British and American spelling: "lung cancer" OR asthma. No source truncates words in phrases, so
 * each word of "lung cancer*", and each part of "meta-analy*", is asked for by itself.
 */
export const anyOf = (topics: readonly string[], form: (phrase: string) => string = phrase => phrase): string => {
  const ask = (topic: string) => form(plainWord.test(topic.replace(/\*$/, '')) ? topic : `"${topic}"`)
  return inAllSpellings(topics).map(topic => {
    const parts = topic.includes('*') ? topic.split(' ').flatMap(hyphenParts).filter(word => !stopWords.has(word.toLowerCase())) : [topic]
    return parts.length > 1 ? `(${parts.map(ask).join(' AND ')})` : ask(parts[0]!)
  }).join(' OR ')
}

/** A query that `topicsIn` splits into these topics: marks between topics are spaces within one. */
export const listOf = (topics: readonly string[]): string =>
  topics.map(topic => topic.replace(/[,;|\s]+/g, ' ').replace(/ OR /g, ' or ')).join(', ')

/** Returns the unbalanced quotation mark or parenthesis of a boolean query; null if balanced. */
export function findImbalance (query: string): string | null {
  if ((query.match(/"/g)?.length ?? 0) % 2 === 1) return 'a quotation mark is not closed.'
  let depth = 0
  for (const mark of query.replace(/"[^"]*"/g, '')) {
    if (mark === '(') depth++
    if (mark === ')') depth--
    if (depth < 0) return 'a closing parenthesis has no opening one.'
  }
  return depth > 0 ? 'a parenthesis is not closed.' : null
}
