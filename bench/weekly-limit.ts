import { train } from '../src/relevance/model.js'
import { scorer } from '../src/relevance/score.js'
import { bestOfWeeks } from '../src/relevance/weekly-best.js'
import { judge, mean, randomOf, readSets, type ScreenedPaper, type ScreeningSet, screeningFolder } from './screening-sets.js'

/*
 * Compares a weekly limit with minimum scores: SCREENING_DIR=FOLDER node dist/bench/weekly-limit.js [SEEDS]. Half of the papers of a set
 * are the feed at the start: one included paper is upvoted, and the best 50 are rated by their labels, ten at a time. The others come in
 * ten weeks; those that enter the feed are rated each week, and the model learns from them. Shares count the papers of the ten weeks.
 * Seeds are 7, 8 and so on.
 */

const [weeks, firstVotes, batchSize] = [10, 50, 10]
const backgroundSize = 1000
const [seeds = '2'] = process.argv.slice(2)

interface Rule { name: string, limit: number, minScore: number }
interface Result { entered: number, least: number, most: number, included: number, found: number, expected: number, upvotes: number }

const rules: Rule[] = [
  { name: 'weekly_limit 5, feed_threshold 0.1', limit: 5, minScore: 0.1 },
  { name: 'no limit, feed_threshold 0.3', limit: Infinity, minScore: 0.3 },
  { name: 'no limit, feed_threshold 0.1', limit: Infinity, minScore: 0.1 }
]
const line = (...cells: Array<string | number>) =>
  process.stdout.write(`| ${cells.map(cell => typeof cell === 'number' ? cell.toFixed(2) : cell).join(' | ')} |\n`)
line('set', 'rule', 'papers a week', 'least', 'most', 'share included', 'share of the included', 'sum of scores a week', 'upvotes a week')
line(...Array.from({ length: 9 }, () => '---'))
const keys = ['entered', 'least', 'most', 'included', 'found', 'expected', 'upvotes'] as const
const all: Result[][] = rules.map(() => [])
for (const set of readSets(screeningFolder())) {
  const results: Result[][] = rules.map(() => [])
  for (let seed = 0; seed < Number(seeds); seed++) {
    simulate(set, randomOf(7 + seed)).forEach((result, at) => results[at]!.push(result))
  }
  for (const [at, rule] of rules.entries()) {
    all[at]!.push(...results[at]!)
    print(set.name, rule, results[at]!)
  }
}
for (const [at, rule] of rules.entries()) print('mean', rule, all[at]!)

function print (name: string, rule: Rule, results: Result[]): void {
  const meanOf = (key: keyof Result) => mean(results.map(result => result[key]).filter(value => !Number.isNaN(value)))
  line(name, rule.name, ...keys.map(meanOf))
}

function simulate ({ papers, corpus, interest }: ScreeningSet, random: () => number): Result[] {
  const shuffled = papers.map(paper => ({ paper, key: random() })).sort((a, b) => a.key - b.key).map(({ paper }) => paper)
  const half = Math.floor(shuffled.length / 2)
  const scorerAfter = (rated: ScreenedPaper[], feed: ScreenedPaper[]) => {
    const known = new Set(rated)
    const background = feed.filter(paper => !known.has(paper)).slice(0, backgroundSize)
    return scorer(interest, train({ interest, corpus, rated: [...rated].reverse().map(judge), background }))
  }
  const scored = (of: ScreenedPaper[], score: ReturnType<typeof scorerAfter>) =>
    of.map(paper => ({ paper, score: score(paper).relevance_score })).sort((a, b) => b.score - a.score)

  const feed = shuffled.slice(0, half)
  const first = [feed.find(paper => paper.included) ?? feed[0]!]
  while (first.length <= firstVotes) {
    const unrated = feed.filter(paper => !first.includes(paper))
    first.push(...scored(unrated, scorerAfter(first, feed)).slice(0, batchSize).map(({ paper }) => paper))
  }
  const size = Math.ceil((shuffled.length - half) / weeks)
  const arriving = Array.from({ length: weeks }, (_, week) => shuffled.slice(half + week * size, half + (week + 1) * size))
  const wanted = arriving.flat().filter(({ included }) => included).length

  return rules.map(({ limit, minScore }) => {
    const [rated, candidates] = [[...first], [...feed]]
    const counts: number[] = []
    let [expected, upvotes] = [0, 0]
    for (const week of arriving) {
      const good = scored(week, scorerAfter(rated, candidates)).filter(({ score }) => score >= minScore)
      const entering = bestOfWeeks(good.map(each => ({ ...each, at: new Date(0), isInFeed: false, isKept: false })), limit)
      counts.push(entering.size)
      for (const { paper, score } of entering) {
        expected += score
        upvotes += Number(paper.included)
        rated.push(paper)
      }
      candidates.push(...week)
    }
    const entered = counts.reduce((sum, count) => sum + count, 0)
    return {
      entered: entered / weeks,
      least: Math.min(...counts),
      most: Math.max(...counts),
      included: upvotes / entered,
      found: upvotes / wanted,
      expected: expected / weeks,
      upvotes: upvotes / weeks
    }
  })
}
