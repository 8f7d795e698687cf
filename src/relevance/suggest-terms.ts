import type { ScoredText } from './interest.js'
import { continues, isEnglish, isPair, isVagueStem, joinWords, splitTerms, type Term } from './terms.js'

/** A word or phrase of example papers, with the papers that have it. */
export interface SuggestedTerm {
  /** As most of them write it. */
  term: string
  /** Indexes of the papers. */
  papers: number[]
  /** How many of their titles have it. */
  titles: number
}

const maxWords = 3
/** Chinese and Japanese: pairs of characters in a run. */
const maxPairs = 7
const maxTerms = 20
/** A title names the subject: each of its words counts as several of an abstract. */
const titleCount = 3
const minLength = 3
/** With fewer terms that occur twice, words that occur once are suggested as well. */
const minRepeated = 5
/** Words of more than this share of other texts in the language say nothing, nor do runs with such a character. */
const maxShare = { words: 0.5, characters: 0.7 }
/** With fewer texts in the language, shares say nothing. */
const minTextsOfLanguage = 10
/** Share of words that texts in one language have in common. */
const minSharedWords = 0.15
/** Papers without the term that are added to the others, which may be few. */
const unseenPapers = 100

interface Candidate {
  stems: string[]
  papers: Set<number>
  titles: Set<number>
  /** Occurrences, those in titles weighted. */
  frequency: number
  occurrences: number
  /** Whether it is a run of Chinese or Japanese characters. */
  ofPairs: boolean
  spellings: Map<string, number>
}

/**
 * Ranks the words and phrases of example papers as keywords: by C-value, which prefers phrases and leaves out their parts, by the share of
 * the papers that have them, and by rarity in other papers. Words that abstracts of any subject use are left out.
 * @see Frantzi, Ananiadou and Mima 2000, Automatic recognition of multi-word terms: the C-value/NC-value method
 */
export function suggestTerms (papers: readonly ScoredText[], background: readonly ScoredText[]): SuggestedTerm[] {
  const isCommon = findCommonWords(papers, background)
  const candidates = new Map<string, Candidate>()
  for (const [paper, { title, abstract }] of papers.entries()) {
    for (const [text, isTitle] of [[title, true], [abstract ?? '', false]] as const) {
      for (const terms of splitTerms(text)) {
        for (const run of runsOf(terms)) if (!run.some(isCommon)) add(candidates, run, paper, isTitle)
      }
    }
  }
  // One paper mentions much in passing: where there are several, a term of an abstract alone needs two.
  const named = [...candidates].filter(([, { papers: found, titles }]) => titles.size > 0 || found.size > 1 || (papers.length === 1))
  // A term comes again, while words that meet once in a title or an abstract are no phrase. A title alone can repeat nothing.
  const repeated = named.filter(([, { stems, papers: found, ofPairs, frequency, occurrences }]) => ofPairs
    ? stems.length === 1 || frequency > 1
    : occurrences > 1 || [...found].every(paper => !papers[paper]!.abstract))
  // Short abstracts repeat little.
  const isEnough = repeated.length >= minRepeated
  const kept = isEnough ? repeated : named.filter(each => each[1].stems.length === 1 || repeated.includes(each))
  const titles = new Set(papers.map(({ title }) => title))
  const rarity = rarityIn(background.filter(({ title }) => !titles.has(title)), new Set(kept.map(([key]) => key)))
  const nested = new Map<string, number[]>()
  for (const [, { stems, frequency }] of kept) {
    for (let length = 1; length < stems.length; length++) {
      for (let start = 0; start + length <= stems.length; start++) {
        const part = stems.slice(start, start + length).join(' ')
        nested.set(part, [...nested.get(part) ?? [], frequency])
      }
    }
  }
  const ranked = kept.map(([key, candidate]) => {
    const longer = nested.get(key) ?? []
    const own = candidate.frequency - (longer.length === 0 ? 0 : Math.max(...longer))
    const value = Math.log2(candidate.stems.length + 1) * own * (candidate.papers.size / papers.length) * rarity(key)
    return { candidate, value }
  }).filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || (a.candidate.stems.join(' ') < b.candidate.stems.join(' ') ? -1 : 1))
  return ranked.slice(0, maxTerms).map(({ candidate: { papers, titles, spellings } }) => ({
    term: [...spellings].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))[0]![0],
    papers: [...papers],
    titles: titles.size
  }))
}

/** Runs of one to three words that mean something at both ends; of Chinese and Japanese, runs of characters. */
function * runsOf (terms: readonly Term[]): Iterable<Term[]> {
  for (let start = 0; start < terms.length; start++) {
    const ofPairs = isPair(terms[start]!.word)
    for (let length = 1; length <= (ofPairs ? maxPairs : maxWords) && start + length <= terms.length; length++) {
      const run = terms.slice(start, start + length)
      const [before, last] = [run.at(-2)?.word, run.at(-1)!.word]
      if (before !== undefined && (ofPairs || isPair(last)) && !continues(before, last)) break
      if (run.every(({ term, word }) => !isVagueStem(term) && (ofPairs || word.length >= minLength || length > 1))) yield run
    }
  }
}

function add (candidates: Map<string, Candidate>, run: readonly Term[], paper: number, isTitle: boolean): void {
  const stems = run.map(({ term }) => term)
  const key = stems.join(' ')
  const spelling = joinWords(run.map(({ word }) => word))
  const ofPairs = isPair(run[0]!.word)
  const counts = { frequency: 0, occurrences: 0 }
  const candidate = candidates.get(key) ?? { stems, papers: new Set(), titles: new Set(), ...counts, ofPairs, spellings: new Map() }
  candidate.papers.add(paper)
  if (isTitle) candidate.titles.add(paper)
  candidate.frequency += isTitle ? titleCount : 1
  candidate.occurrences++
  candidate.spellings.set(spelling, (candidate.spellings.get(spelling) ?? 0) + 1)
  candidates.set(key, candidate)
}

/** Creates the inverse document frequency in other papers, relative to that of a term that none has. */
function rarityIn (background: readonly ScoredText[], wanted: ReadonlySet<string>): (key: string) => number {
  const counts = new Map<string, number>()
  for (const { title, abstract } of background) {
    const found = new Set([title, abstract ?? ''].flatMap(text => splitTerms(text).flatMap(terms => [...runsOf(terms)]))
      .map(run => run.map(({ term }) => term).join(' ')).filter(key => wanted.has(key)))
    for (const key of found) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const papers = background.length + unseenPapers
  return key => Math.log(papers / ((counts.get(key) ?? 0) + 1)) / Math.log(papers)
}

const termsOf = ({ title, abstract }: ScoredText): Term[] => [title, abstract ?? ''].flatMap(splitTerms).flat()

/**
 * Creates the function that tells words apart that most texts in the language of the papers have, such as articles and conjunctions. Texts
 * are in one language if they share enough words. Those of English are known.
 */
function findCommonWords (papers: readonly ScoredText[], background: readonly ScoredText[]): (term: Term) => boolean {
  if (isEnglish(papers.map(({ title, abstract }) => `${title} ${abstract ?? ''}`).join('\n'))) return () => false
  const terms = papers.flatMap(termsOf)
  const known = new Set(terms.map(({ term }) => term))
  const shareOf = (all: readonly Term[], has: (term: Term) => boolean) => all.filter(has).length / Math.max(all.length, 1)
  const ofPairs = shareOf(terms, ({ word }) => isPair(word)) > 0.5
  const texts = background.map(termsOf).filter(text =>
    ofPairs ? shareOf(text, ({ word }) => isPair(word)) > 0.5 : shareOf(text, ({ term }) => known.has(term)) >= minSharedWords)
  if (texts.length < minTextsOfLanguage) return () => false
  const common = (share: number, partsOf: (term: Term) => string[]): ReadonlySet<string> => {
    const counts = new Map<string, number>()
    for (const text of texts) for (const part of new Set(text.flatMap(partsOf))) counts.set(part, (counts.get(part) ?? 0) + 1)
    return new Set([...counts].filter(([, count]) => count > share * texts.length).map(([part]) => part))
  }
  const words = common(maxShare.words, ({ term }) => [term])
  const charactersOf = ({ word }: Term) => isPair(word) ? [...word] : []
  const characters = common(maxShare.characters, charactersOf)
  return term => words.has(term.term) || charactersOf(term).some(character => characters.has(character))
}
