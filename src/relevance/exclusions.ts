import { isGeneral, namesDocuments } from '../input/criteria/study-words.js'
import { unwantedTexts, type UnwantedText, wantedCriteria } from '../input/criteria/wanted-criteria.js'
import { wordSet } from '../input/word-set.js'
import { stopWordsOfLanguage } from '../search/foreign-stop-words.js'
import { interestTerms } from './interest-terms.js'
import { extractTerms, isEnglish, isVagueStem, type Term, type TokenizedText } from './terms.js'

/** Shares of its score that a paper keeps with an excluded phrase in its title, or in its abstract alone. */
const keptShare = { title: 0.5, abstract: 0.8 }
/** Phrases of an interest that are read, and those of a paper that are named. */
const maxPhrases = 100
const maxPhraseLength = 200
const maxNamed = 5
/** Characters of an interest that tell its language. */
const maxLanguageLength = 2000

/** Words that say that something is excluded, or of papers in general, before its name: "I am not interested in papers on". */
const leadingWords = wordSet(
  'a about absolutely addition additionally all also although am an and any anything apart are aren articles aside at avoid be been ' +
  'being bother but by can care certainly consider criteria d definitely discard disregard do does doesn don drop especially ' +
  'everything except excepting exception excl exclude excluded excludes excluding exclusion feel filter finally following for forget ' +
  'free from furthermore have hide however i ideally ignore ignoring in include including instead interest interested into involving ' +
  'is isn it keep kindly leave leaving like limit look looking m minus moreover my need neither never no nor not note nothing of omit ' +
  'omitting on opposed or other out papers particularly please prefer preferably publications rather re really recommend reject ' +
  'related remove return save see send should show skip skipping so stop strictly studies stuff suggest t than that the there these ' +
  'they things those though to topics until us use used uses using want we were which who will wish with without would you'
)
/** The same after its name: "will be excluded", "is out of scope". */
const trailingWords = wordSet(
  'also are aren avoided be considered does doesn either eligible exclude excluded for here i ignored in included interest ' +
  'interesting is isn it me must need needed no none not of off omitted out please relevant scope should shown skipped t thanks the ' +
  'to too topic us wanted was were will'
)
const chineseWords = /^(?:请|請)?(?:排除|不包括|不含|除外|不考虑|不考慮|不纳入|不納入|不感兴趣|不感興趣|不要)/u
/** A phrase of its own begins after these. */
const separator = /[,;:()[\]"，、；：（）。|/]+|\s[-–—]\s|\s(?:AND|OR|NOT)\s|\s(?:and|or|nor|if|when|because|since|as well as)\s/u
/** What follows is wanted after all: "reviews, except systematic reviews". */
const restriction = /(?<=[^\s,;(])[,;(\s]{1,3}(?:unless|except(?:ing)?(?: for)?|but|rather than|instead of|other than|apart from)\s(?<kept>.*)$/isu
/** Words of a restriction that name nothing: "except systematic ones". */
const pronouns = wordSet('one ones that these those')
/** Conjuncts that share what follows a preposition in the last of them: "chemotherapy and radiotherapy in animals". */
const conjunction = /\s(?:and|or|nor|as well as)\s/u
const preposition =
  /(?<=\S)(?<!(?<!\p{L})(?:interested|out|not))\s(?:in(?!\s(?:vitro|vivo|silico|situ)(?!\p{L}))|on|of|for|with|from|among|during|by|using|after|before|at)\s.*$/isu
/** "Articles not in English": what papers lack is wanted, and so is "not in English" by other words. "Non-small cells" are a kind. */
const lack = /(?<!\p{L})(?:non?(?!\p{Pd}\p{L})|non\p{Pd}\p{L}+[\s\p{Pd}]languages?|not|without|lack\p{L}*|never|fail\p{L}*|\p{L}+n[’']t)(?!\p{L})/iu
/** "Non-small" is one word: papers that have "non" and "small" apart are others. "Non-B" is a name. */
const negatingPrefix = /(?<!\p{L})(non?)\p{Pd}(?=\p{L}{2})/giu
/** The terms of a text, in which "non-HIV-1" is the word "nonHIV" and the name "HIV-1". */
const prefixedTerms = (text: string): Term[] => extractTerms(text.replace(negatingPrefix, '$1'), text)
/** The same in other languages, read under headings alone. */
const foreignLack = /(?<!\p{L})(?:nicht|keine?[mnrs]?|ohne|pas|sans|aucune?|sem|senza|não|niet|geen|zonder|не|без)(?!\p{L})/iu
/** Leading words after which a negation is one of what papers lack: "Exclude everything that is not about children". */
const wordsBeforeLack = wordSet(
  'anything apart articles aside avoid discard disregard drop everything except excepting exception excl exclude excluded excludes ' +
  'excluding exclusion filter hide ignore ignoring leave leaving omit omitting other papers publications reject remove skip skipping ' +
  'studies stuff that things those topics which who'
)
/** Of these, the ones that are about the later parts of a sentence, too. */
const excludingWord =
  /(?<![\p{L}-])(?:exclud(?:es?|ed|ing)|excl|avoid|discard|disregard|drop|hide|ignor(?:e|ing)|omit(?:ting)?|reject|remove|skip(?:ping)?)(?![\p{L}-])/iu
/** At the end of a sentence, such words are about all of it. */
const verdict = /(?<!\p{L})(?:excluded|omitted|ignored|skipped|avoided|left out|out of scope)[.!;]?$/iu

/** What a group of a boolean query leaves out of the group is wanted: "NOT (animals NOT humans)". */
const negatedWithin = /(?<=\S)(?<!^AND)\s(?:AND\s)?NOT\W.*$/su
/** Before a condition, what is excluded only under it: of "Trials will be excluded if they are pilots", pilots alone. */
const conditional = /^.{0,200}\s(?:excluded|omitted|ignored|included|considered|eligible),?\s(?:if|when|where|unless)\s/isu

interface Phrase {
  text: string
  stems: readonly string[]
  isKind: boolean
  /** Stems of what is excepted from it: "Exclude reviews, except systematic reviews". */
  kept: ReadonlyArray<readonly string[]>
}

/** What a paper has that its project's interest excludes, as the interest words it, and the share of its score that it keeps. */
export interface FoundExclusions { phrases: string[], keptShare: number }

/** Creates the function that finds what a project's interest excludes in a paper; undefined if it has nothing of it. */
export function exclusionFinder (description: string): (text: TokenizedText, paperTitle: string) => FoundExclusions | undefined {
  const phrases = excludedPhrases(description)
  if (phrases.length === 0) return () => undefined
  return ({ title, abstract, names }, paperTitle) => {
    const inTitle = stemsIn([...title, ...names.filter(({ isInTitle }) => isInTitle)])
    const inAll = stemsIn([...title, ...abstract, ...names])
    // "No letters" is not about letter recognition.
    const endsTitle = (stem: string) =>
      title.slice(title.findLastIndex(({ term }) => term === stem) + 1).every(({ word }) => isGeneral(word))
    const kindBeforeTitle = kindBefore(paperTitle)
    const isFound = ({ stems, isKind }: Phrase) => isKind
      ? stems.every(stem => inTitle.has(stem)) && (stems.length > 1 || endsTitle(stems[0]!) || kindBeforeTitle.has(stems[0]!))
      : stems.every(stem => inAll.has(stem))
    const found = phrases.filter(phrase => isFound(phrase) && !phrase.kept.some(stems => stems.every(stem => inAll.has(stem))))
    if (found.length === 0) return undefined
    const isInTitle = found.some(({ stems }) => stems.every(stem => inTitle.has(stem)))
    return { phrases: found.slice(0, maxNamed).map(({ text }) => text), keptShare: isInTitle ? keptShare.title : keptShare.abstract }
  }
}

/** The stems of a text, also those of words with the prefix "non" or "no". */
function stemsIn (terms: readonly Term[]): Set<string> {
  const stems = new Set(terms.map(({ term }) => term))
  for (const [at, { word }] of terms.entries()) {
    if (word !== 'non' && word !== 'no') continue
    for (const { term } of extractTerms(`${word}${terms[at + 1]?.word ?? ''}`)) stems.add(term)
  }
  return stems
}

/** Stems of the kind of paper that a journal puts before a title: "Editorial: Sleep in space", "Letter to the editor: On naps". */
function kindBefore (title: string): Set<string> {
  const [, label = ''] = /^(.{1,60}?)(?:\s+to\s+the\s+editors?)?\s*:\s/iu.exec(title) ?? []
  return new Set(namesDocuments(label) ? extractTerms(label).map(({ term }) => term) : [])
}

/** The phrases that an interest excludes. Those of which it wants each word are none: "sleep in adults, not sleep in general". */
function excludedPhrases (description: string): Phrase[] {
  const parts = unwantedTexts(description).flatMap(splitParts).slice(0, maxPhrases)
  const phrases = new Map<string, Phrase>()
  if (parts.length === 0) return []
  const wantedTerms = wantedCriteria(description).flatMap(prefixedTerms).map(({ term }) => term)
  const wanted = new Set([...interestTerms(description).flat(), ...wantedTerms])
  const beginning = description.slice(0, maxLanguageLength)
  const stopWords: ReadonlySet<string> =
    isEnglish(beginning) ? new Set() : stopWordsOfLanguage(extractTerms(beginning).map(({ word }) => word))
  const read = (part: Part) => {
    const text = bareName(part, stopWords)
    return { text, terms: prefixedTerms(text).filter(({ word }) => !stopWords.has(word)) }
  }
  for (const part of parts) {
    const { text, terms } = read(part)
    if (text === '' || lack.test(text)) continue
    const isKind = namesDocuments(text)
    const kept = part.kept
      .map(text => read({ text, isExcluded: false, kept: [] }).terms.filter(({ word }) => !pronouns.has(word)).map(({ term }) => term))
    // Without "treatment", "treatment in children" is children.
    const isWhole = isKind || preposition.test(text)
    const stems = [...new Set(terms.map(({ term }) => term))].filter(stem => isWhole || !isVagueStem(stem))
    if (stems.some(stem => !wanted.has(stem))) phrases.set(stems.join(' '), { text, stems, isKind, kept })
  }
  return [...phrases.values()]
}

interface Part {
  text: string
  /** Whether words before it exclude it: a negation in it is one of what papers lack. */
  isExcluded: boolean
  /** What is excepted from it. */
  kept: readonly string[]
}

function splitParts ({ text: written, isUnderHeading }: UnwantedText): Part[] {
  const trimmed = written.trim()
  if (isUnderHeading && foreignLack.test(trimmed)) return []
  let isExcluded = isUnderHeading || verdict.test(trimmed) || conditional.test(trimmed)
  const text = trimmed.replace(conditional, '').replace(negatedWithin, '')
  const kept = (restriction.exec(text)?.groups?.kept ?? '').split(separator).map(each => each.trim()).filter(each => each !== '')
  return shareTails(text.replace(restriction, '')).split(separator).map(text => {
    const part = { text: text.slice(0, maxPhraseLength), isExcluded, kept }
    isExcluded ||= excludingWord.test(part.text)
    return part
  })
}

/** A list whose conjuncts each have what the last one says of all: "chemotherapy in animals and radiotherapy in animals". */
function shareTails (text: string): string {
  return text.split(/(?<=[;:()[\]])/u).map(list => {
    const conjuncts = list.split(/\s(?:and|or|nor|as well as)\s|,\s+(?:(?:and|or|nor)\s)?/u).filter(conjunct => conjunct.trim() !== '')
    const last = conjuncts.pop() ?? ''
    const [tail] = preposition.exec(withoutTrailing(last)) ?? []
    if (tail === undefined || !conjunction.test(list) || lack.test(last)) return list
    // "Also" of "Also, exclude prevention and treatment in children" names nothing.
    const shared = conjuncts.slice(0, maxPhrases).map(text =>
      bareName({ text, isExcluded: false, kept: [] }) === '' ? text : `${text}${tail.slice(0, maxPhraseLength)}`)
    return [...shared, last].join(', ')
  }).join(' ')
}

/** What a part excludes, without the words that say so; empty if it is what papers lack. */
function bareName ({ text, isExcluded }: Part, stopWords: ReadonlySet<string> = new Set()): string {
  const words = withoutTrailing(text.trim().replace(chineseWords, '')).split(/\s+/u)
  const isLeading = (word: string) => wordsIn(word).every(each => leadingWords.has(each) || stopWords.has(each))
  let isBeforeLack = isExcluded
  let from = 0
  for (; from < words.length && isLeading(words[from]!); from++) {
    if (isBeforeLack && lack.test(words[from]!)) return ''
    isBeforeLack ||= wordsBeforeLack.has(words[from]!.toLowerCase())
  }
  return words.slice(from).join(' ').replace(/[.!?*]+$/u, '')
}

/** A text without the words at its end that say that it is excluded. */
function withoutTrailing (text: string): string {
  const words = text.split(/\s+/u).filter(word => word !== '')
  const isTrailing = (word: string) => wordsIn(word.replace(/[.!?]+$/u, '')).every(each => trailingWords.has(each))
  return words.slice(0, words.findLastIndex(word => !isTrailing(word)) + 1).join(' ')
}

/** "Don’t" is two words of the lists. */
const wordsIn = (word: string): string[] => word.toLowerCase().split(/[’']/u)
