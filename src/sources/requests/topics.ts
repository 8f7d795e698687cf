import { comparableForm } from '../../../schemas/normal-form.js'
import { plainText } from '../formats/plain-text.js'
import { inOtherSpelling } from '../../search/british-spellings.js'
import { joinedNames, nameSigns, withoutPossessives } from '../../search/spellings.js'
import { greekName } from '../../search/tokenizer.js'
import { wantedCriteria } from '../../input/criteria/wanted-criteria.js'
import type { SearchInterest } from '../source.js'

/** Topics that are searched for in a description. */
const maxTopics = 12
/** Topics of one query that are searched for: those of a hundred keywords, which may have commas. */
const maxQueryTopics = 200
/** Length of a keyword. */
const maxTopicLength = 200
/** Characters of a description that are searched for topics: more than the topics of a query need. */
const maxTextLength = 4000
/** Words that carry no topic. */
const stopWords = new Set(
  (
    'a about above across after against all also among an and any anything are as assessing at based be been before below between ' +
    'both but by can comparing could does during each especially etc evaluating everything examining exploring focusing for from ' +
    'further had has have how i if in including interest interested into investigating is it its latest like looking mainly may me ' +
    'methods more most mostly my new no not of on or other our over papers particularly per primarily published recent related research ' +
    'results role searching so some something studies study studying such than that the their them there these they this those ' +
    'through to towards under understanding use used uses using via was we what when where whether which while who why will with ' +
    'within without work would ' +
    '研究 论文 論文 方法 关于 關於 相关 相關 以及 基于 基於 通过 通過 进行 進行'
  ).split(' ')
)

/** Words of many subjects: a topic only beside others, or where a description has nothing else. */
const broadWords = new Set(
  (
    'acceptability access adherence adults age aim aims analyses analysis animals application applications approach approaches aspects ' +
    'assessment association associations articles based behavior behaviour benefits care cases causes challenges change changes ' +
    'children clinical cohort cohorts comparison conditions control cost costs countries data design determinants development ' +
    'diagnosis differences disease diseases disorder disorders drugs effect effectiveness effects efficacy english evaluation ' +
    'evidence exposure factors features focus function functions groups guidelines health human humans impact implementation ' +
    'improvement individuals influence information intervention interventions knowledge language learning level levels life ' +
    'literature management mechanism mechanisms medicine men mice model models mortality novel older outcome outcomes participants ' +
    'pathways patient patients people performance persons population populations practice prediction prevalence prevention problems ' +
    'process processes properties protocols publications quality rates recommendations relationship reporting review reviews risk ' +
    'risks safety science ' +
    'setting settings structure students subjects survey surveys symptoms system systems tasks technique techniques technologies ' +
    'technology test tests theory therapies therapy time tools topics treatment treatments trial trials types usa women world years ' +
    'young'
  ).split(' ')
)
const minSingleLength = 4
/** Words that a noun follows. After others, such as "its" or "not", a single word is no subject. */
const leadingWords = new Set(
  (
    'a about across after against among an and assessing before between by comparing during especially evaluating examining exploring ' +
    'for from in including into investigating mainly mostly of on or particularly primarily since studying the through to towards ' +
    'under understanding using via with'
  ).split(' ')
)
/** Words after a verb in -ing: "predicting the response" has another subject than "screening for cancer". */
const objectStarts = new Set('a an how if its our that the their these this those what when where whether which who why'.split(' '))

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
  const clauses = wanted.replace(noTruncation, ' ').split('\n')
    .flatMap(part => plainText(part).toLowerCase().split(/[^\p{L}\p{N}\p{M}\s'’*-]+/u))
  const runs = splitWords(clauses).flatMap(contentRuns)
  const names = shortNamesIn(wanted)
  const specific = runs.filter(run => run.words.length > 1 || isNamed(run, names) || isSpecific(run))
  return [...new Set((specific.length > 0 ? specific : runs).map(({ words }) => joinRun(words)))].slice(0, maxTopics)
}

/** Names of three characters: HIV, MRI, p53, CD4. */
const shortName = /(?<![\p{L}\p{N}-])(?:\p{Lu}{3}|\p{L}{2}\d|\p{L}\d\d)(?![\p{L}\p{N}-])/gu

/** The short names in a description, in lower case. In one that is in capital letters, ordinary words look like them. */
const shortNamesIn = (text: string): Set<string> => new Set(
  /\p{Ll}/u.test(text) ? (text.match(shortName) ?? []).map(name => name.toLowerCase()).filter(name => !broadWords.has(name)) : []
)

/** Whether a single word is a short name that stands where a subject does. */
const isNamed = ({ words: [word = ''], after }: Run, names: ReadonlySet<string>) =>
  names.has(word) && (after === '' || leadingWords.has(after))

/** Content words between others of a clause. @see contentRuns */
interface Run {
  words: string[]
  /** The word before them; empty at the start of the clause. */
  after: string
  /** The word after them; empty at the end. */
  before: string
}

const isBroad = (word: string) =>
  word.endsWith('*') ? [...broadWords].some(broad => broad.startsWith(word.slice(0, -1))) : broadWords.has(word)

/** Whether a single word can be a subject that few texts have. */
const isSpecific = ({ words: [word = ''], after, before }: Run) =>
  word.length >= minSingleLength && !isBroad(word) && !isCjk.test(word) &&
  (after === '' ? !(word.endsWith('ing') && objectStarts.has(before)) : leadingWords.has(after))

/** The words of a text that carry a topic. */
export const contentWords = (text: string): string[] =>
  plainText(text).toLowerCase().split(/[^\p{L}\p{N}\p{M}'’-]+/u).filter(word => word !== '' && !stopWords.has(word))

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
function contentRuns (words: readonly string[]): Run[] {
  const runs: Run[] = [{ words: [], after: '', before: '' }]
  for (const [at, word] of words.entries()) {
    const run = runs.at(-1)!
    if (!isContent(words, at)) {
      run.before = word
      runs.push({ words: [], after: word, before: '' })
    } else run.words.push(word)
  }
  // Other texts rarely contain a long run.
  return runs.filter(({ words }) => words.some(word => /\p{L}/u.test(word)))
    .map(run => ({ ...run, words: run.words.slice(0, run.words[2] === 'to' ? 4 : 3) }))
}

const cjk = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー]'
const isCjk = new RegExp(`^${cjk}+$`, 'u')
/** Chinese words of one character that carry no topic; words in Hiragana alone are particles and inflections. */
const isParticle = new RegExp(
  '^(?:[的了在和与與及或是对對为為中等其之以于於从從由被把将將并並而但也都不有无無这這那此该該各每个個们們上下内內外后後前间間时時到ー]|' +
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

/** Chinese and Japanese words follow each other without spaces. */
const joinRun = (run: readonly string[]): string => run.reduce((phrase, word) =>
  isCjk.test(word) && isCjk.test(phrase.at(-1)!) ? phrase + word : `${phrase} ${word}`)

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
  plainText(phrase.replace(/[’ʼ]/g, "'").replace(removed, ' ')).slice(0, maxTopicLength).trim()

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
