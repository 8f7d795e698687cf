import type { ScoredText } from './interest.js'
import { isVagueStem, splitTerms, type Term } from './terms.js'

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
const maxTerms = 20
/** A title names the subject: each of its words counts as several of an abstract. */
const titleCount = 3
const minLength = 3
/** Papers without the term that are added to the others, which may be few. */
const unseenPapers = 100

interface Candidate { stems: string[], papers: Set<number>, titles: Set<number>, frequency: number, spellings: Map<string, number> }

/**
 * Ranks the words and phrases of example papers as keywords: by C-value, which prefers phrases and leaves out their parts, by the share of
 * the papers that have them, and by rarity in other papers. Words that abstracts of any subject use are left out.
 * @see Frantzi, Ananiadou and Mima 2000, Automatic recognition of multi-word terms: the C-value/NC-value method
 */
export function suggestTerms (papers: readonly ScoredText[], background: readonly ScoredText[]): SuggestedTerm[] {
  const candidates = new Map<string, Candidate>()
  for (const [paper, { title, abstract }] of papers.entries()) {
    for (const [text, isTitle] of [[title, true], [abstract ?? '', false]] as const) {
      for (const terms of splitTerms(text)) {
        for (const run of runsOf(terms)) add(candidates, run, paper, isTitle)
      }
    }
  }
  // One paper mentions much in passing: where there are several, a term of an abstract alone needs two.
  const kept = [...candidates].filter(([, { papers: found, titles }]) => titles.size > 0 || found.size > 1 || (papers.length === 1))
    .filter(([, { stems, frequency }]) => stems.length === 1 || frequency > 1)
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

/** Runs of one to three words that mean something at both ends. */
function * runsOf (terms: readonly Term[]): Iterable<Term[]> {
  for (let start = 0; start < terms.length; start++) {
    for (let length = 1; length <= maxWords && start + length <= terms.length; length++) {
      const run = terms.slice(start, start + length)
      if (run.every(({ term, word }) => !isVagueStem(term) && (word.length >= minLength || length > 1))) yield run
    }
  }
}

function add (candidates: Map<string, Candidate>, run: readonly Term[], paper: number, isTitle: boolean): void {
  const stems = run.map(({ term }) => term)
  const key = stems.join(' ')
  const spelling = run.map(({ word }) => word).join(' ')
  const candidate = candidates.get(key) ?? { stems, papers: new Set(), titles: new Set(), frequency: 0, spellings: new Map() }
  candidate.papers.add(paper)
  if (isTitle) candidate.titles.add(paper)
  candidate.frequency += isTitle ? titleCount : 1
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
