import type { BenchPaper } from './corpus.js'
import { randomNumbers } from './random.js'

/** A query of the benchmark: arguments of feed_search, and its kind. */
export interface BenchQuery {
  kind: string
  q: string
  must_read?: boolean
  feedback_filter?: 'unrated' | 'liked'
  limit: number
  offset: number
}

const questionWords = 'what is the effect of'.split(' ')

/** Generates 200 queries over these papers, 20 of each kind that people and models send. The same on every run for one seed. */
export function makeQueries (papers: readonly BenchPaper[], seed = 11): BenchQuery[] {
  const random = randomNumbers(seed)
  const counts = new Map<string, number>()
  for (let at = 0; at < papers.length; at += Math.ceil(papers.length / 5000)) {
    for (const word of new Set(wordsOf(papers[at]!))) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const byCount = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([word]) => word)
  const between = (from: number, to: number) => byCount[Math.floor(byCount.length * (from + (to - from) * random()))]!
  const ofPaper = (count: number) => {
    const words = [...new Set(wordsOf(papers[Math.floor(random() * papers.length)]!))].filter(word => word.length > 3)
    return Array.from({ length: count }, () => words[Math.floor(random() * words.length)]!)
  }
  const kinds: Record<string, () => Partial<BenchQuery> & { q: string }> = {
    'rare word': () => ({ q: between(0.5, 1) }),
    'common word': () => ({ q: between(0, 0.002) }),
    'broad prefix': () => ({ q: between(0.01, 0.3).slice(0, 3) }),
    '2 terms': () => ({ q: ofPaper(2).join(' ') }),
    '3 to 4 terms': () => ({ q: ofPaper(3 + Math.floor(random() * 2)).join(' ') }),
    '5 to 6 terms': () => ({ q: ofPaper(5 + Math.floor(random() * 2)).join(' ') }),
    'long question': () => ({
      q: [...questionWords, ...ofPaper(3), 'on', ...ofPaper(3), 'in', ...ofPaper(3), 'and the', ...ofPaper(2)].join(' ').slice(0, 200)
    }),
    'must-read filter': () => ({ q: ofPaper(2).join(' '), must_read: true }),
    'feedback filter': () => ({ q: ofPaper(2).join(' '), feedback_filter: random() < 0.5 ? 'unrated' : 'liked' }),
    'deep offset': () => ({ q: `${between(0, 0.01)} ${between(0, 0.05)}`, offset: 500 + Math.floor(random() * 4500) })
  }
  return Object.entries(kinds).flatMap(([kind, make]) => Array.from({ length: 20 }, () => {
    let made = make()
    while (made.q.length < 3) made = make()
    return { kind, limit: 20, offset: 0, ...made }
  }))
}

/** The most expensive valid queries: every paper matches one of their terms or prefixes. */
export const widestQueries: readonly BenchQuery[] = [
  { kind: 'every letter and digit', q: [...'abcdefghijklmnopqrstuvwxyz0123456789'].join(' ') },
  {
    kind: 'common words',
    q:
      'the of and in to a with for is that we by on as are from this be which an at was were or these using between can it have results ' +
      'study not has'
  },
  {
    kind: 'prefixes of two letters',
    q: 'co in re pr de st tr ex ad su tr mi bi ne ca hy me pa po sy an en ep ge im ki li mo ni ox pe ph pl ps qu ra se sp th to va vi'
  }
].map(query => ({ limit: 100, offset: 0, ...query }))

const wordsOf = ({ title, abstract }: BenchPaper) => `${title} ${abstract}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
