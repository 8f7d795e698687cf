import { train } from '../src/relevance/model.js'
import { judge, mean, randomOf, rank, readSets, type ScreenedPaper, type ScreeningSet, screeningFolder } from './screening-sets.js'
import { U4 } from './u4.js'

/*
 * Compares orders on papers that nobody rates: SCREENING_DIR=FOLDER node dist/bench/votes-held-out.js [STARTS]. Each start holds out a
 * random 30 % of the papers, upvotes one included paper of the others, and rates more of the others by their labels, best first. Unrated
 * papers are a biased sample after many votes: rating has taken out those that the learned order ranks best, and left those that it
 * misses. Held-out papers are a fair sample for every order. The figures are the share of their included papers in their first tenth and
 * average precision: learned minus interest alone, and u4 with the same votes minus interest alone. "Unrated" is the former share among
 * the papers that are neither held out nor rated. Queries of a collection are averaged. Seeds are 100, 101 and so on.
 */

const heldOutShare = 0.3
const shownShare = 0.1
const backgroundSize = 1000
/** Votes after which orders are compared. The model learns after each of them, every tenth vote up to 50, and then every 25th. */
const checkpoints = [1, 2, 5, 10, 20, 50, 100, 200]
const batchSize = (votes: number) => votes < 50 ? 10 : 25
const [starts = '3'] = process.argv.slice(2)

/** Changes against the interest alone, by checkpoint; NaN where too few papers are left. */
interface Run { found: number[], precision: number[], u4: number[], unrated: number[] }

const groups = new Map<string, Run[]>()
for (const set of readSets(screeningFolder())) {
  const runs = Array.from({ length: Number(starts) }, (_, start) => compare(set, randomOf(100 + start)))
  const [group] = set.name.split(' ') as [string]
  groups.set(group, [...groups.get(group) ?? [], ...runs])
}
printTable('Found in the first tenth of the held-out papers', 'found')
printTable('Average precision on the held-out papers', 'precision')
printTable('Average precision of u4 on the held-out papers', 'u4')
printTable('Found in the first tenth of the unrated papers', 'unrated')

function compare ({ papers, corpus, interest }: ScreeningSet, random: () => number): Run {
  const shuffled = papers.map(paper => ({ paper, key: random() })).sort((a, b) => a.key - b.key).map(({ paper }) => paper)
  const heldOut = shuffled.slice(0, Math.round(heldOutShare * papers.length))
  const isHeldOut = new Set(heldOut)
  const start = shuffled.find(paper => paper.included && !isHeldOut.has(paper))!
  const excluded = shuffled.find(paper => !paper.included && !isHeldOut.has(paper))!
  const alone = rank(papers, train({ interest, corpus, rated: [], background: papers.slice(0, backgroundSize) }), interest)
  const aloneHeldOut = alone.filter(paper => isHeldOut.has(paper))
  const u4 = new U4(papers)
  const run: Run = { found: [], precision: [], u4: [], unrated: [] }
  const rated = [start]
  for (const checkpoint of checkpoints) {
    for (;;) {
      const known = new Set(rated)
      const unrated = papers.filter(paper => !known.has(paper))
      const model = train({ interest, corpus, rated: [...rated].reverse().map(judge), background: unrated.slice(0, backgroundSize) })
      const others = rank(unrated.filter(paper => !isHeldOut.has(paper)), model, interest)
      if (rated.length < checkpoint && others.length > 0) {
        rated.push(...others.slice(0, Math.min(checkpoint - rated.length, batchSize(rated.length))))
        continue
      }
      const isComplete = rated.length === checkpoint
      const change = (measure: typeof foundShare, order: ScreenedPaper[], aloneOrder: ScreenedPaper[]) =>
        isComplete ? measure(order) - measure(aloneOrder) : NaN
      const learned = rank(heldOut, model, interest)
      const isOneSided = rated.every(({ included }) => included)
      const byU4 = u4.rank(isOneSided ? [...rated, excluded] : rated, heldOut, random)
      run.found.push(change(foundShare, learned, aloneHeldOut))
      run.precision.push(change(averagePrecision, learned, aloneHeldOut))
      run.u4.push(change(averagePrecision, byU4, aloneHeldOut))
      run.unrated.push(change(foundShare, others, alone.filter(paper => !known.has(paper) && !isHeldOut.has(paper))))
      break
    }
  }
  return run
}

/** The share of the included papers in the first tenth, of the most that it could have; NaN without any. */
function foundShare (order: ScreenedPaper[]): number {
  const shown = Math.max(1, Math.round(order.length * shownShare))
  const total = order.filter(({ included }) => included).length
  return order.slice(0, shown).filter(({ included }) => included).length / Math.min(shown, total)
}

function averagePrecision (order: ScreenedPaper[]): number {
  const ranks = order.flatMap(({ included }, at) => included ? [at + 1] : [])
  return mean(ranks.map((rank, at) => (at + 1) / rank))
}

/** Means of the sets and, in the last row, of these means; each with its standard error over runs or sets. */
function printTable (title: string, measure: keyof Run): void {
  process.stdout.write(`\n${title}, change against the interest alone, by votes\n\n`)
  line('set', ...checkpoints.map(String), 'mean')
  line(...Array.from({ length: checkpoints.length + 2 }, () => '---'))
  const rows: number[][] = []
  for (const [group, runs] of groups) {
    const columns = columnsOf(runs.map(run => run[measure]))
    rows.push(columns.map(meanOf))
    line(group, ...columns.map(withError))
  }
  line('mean', ...rows[0]!.map((_value, at) => withError(rows.map(row => row[at]!))))
}

/** The values of all runs at each checkpoint, and the means of each run. */
function columnsOf (rows: number[][]): number[][] {
  return [...checkpoints.map((_checkpoint, at) => rows.map(row => row[at]!)), rows.map(meanOf)]
}

function meanOf (values: number[]): number {
  return mean(values.filter(value => !Number.isNaN(value)))
}

function withError (values: number[]): string {
  const known = values.filter(value => !Number.isNaN(value))
  if (known.length === 0) return '–'
  const center = mean(known)
  const error = Math.sqrt(known.reduce((sum, value) => sum + (value - center) ** 2, 0) / Math.max(known.length - 1, 1) / known.length)
  return `${center >= 0 ? '+' : '−'}${Math.abs(center).toFixed(3)} ± ${error.toFixed(3)}`
}

function line (...cells: string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}
