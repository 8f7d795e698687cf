import { train } from '../src/relevance/model.js'
import { judge, mean, randomOf, rank, readSets, type ScreenedPaper, type ScreeningSet, screeningFolder } from './screening-sets.js'
import { U4 } from './u4.js'

/*
 * Compares Litfeed's learning with ELAS u4 of ASReview on the same starts: SCREENING_DIR=FOLDER node dist/bench/screeners.js [STARTS]. Both
 * know one included paper; u4 also one excluded paper, drawn at random, since it learns from nothing else. Then each rates the ten papers
 * that it ranks first, by their labels, and learns again, until a tenth of the set is rated. The figures are the shares of the other
 * included papers found, of the most that could be found by then. Seed 7 draws the starts.
 */

const batchSize = 10
const backgroundSize = 1000
const checkpoints = [0.01, 0.02, 0.05, 0.1]
const [starts = '2'] = process.argv.slice(2)

type Ranker = (rated: readonly ScreenedPaper[], unrated: readonly ScreenedPaper[]) => ScreenedPaper[]

const line = (...cells: Array<string | number>) =>
  process.stdout.write(`| ${cells.map(cell => typeof cell === 'number' ? cell.toFixed(3) : cell).join(' | ')} |\n`)
line('set', ...['Litfeed', 'u4'].flatMap(name => checkpoints.map(share => `${name}, ${100 * share} %`)))
line(...Array.from({ length: 1 + 2 * checkpoints.length }, () => '---'))
const all: number[][] = []
for (const set of readSets(screeningFolder())) {
  const u4 = new U4(set.papers)
  const draw = randomOf(7)
  const [included, excluded] = [true, false].map(kind => set.papers.filter(paper => paper.included === kind))
  const runs = Array.from({ length: Number(starts) }, (_, run) => {
    const start = included![Math.floor(draw() * included!.length)]!
    const random = randomOf(100 + run)
    const irrelevant = excluded![Math.floor(random() * excluded!.length)]!
    return [
      ...screen(set, start, litfeed(set)),
      ...screen(set, start, (rated, unrated) => u4.rank(rated.length === 1 ? [...rated, irrelevant] : rated, unrated, random))
    ]
  })
  all.push(meansOf(runs))
  line(set.name, ...all.at(-1)!)
}
line('mean', ...meansOf(all))

function litfeed ({ corpus, interest }: ScreeningSet): Ranker {
  return (rated, unrated) => {
    const model = train({ interest, corpus, rated: [...rated].reverse().map(judge), background: unrated.slice(0, backgroundSize) })
    return rank([...unrated], model, interest)
  }
}

function screen ({ papers }: ScreeningSet, start: ScreenedPaper, ranker: Ranker): number[] {
  const budget = Math.round(papers.length * checkpoints.at(-1)!)
  const rated = [start]
  while (rated.length - 1 < budget) {
    const known = new Set(rated)
    const next = ranker(rated, papers.filter(paper => !known.has(paper)))
    rated.push(...next.slice(0, Math.min(batchSize, budget - rated.length + 1)))
  }
  const total = papers.filter(({ included }) => included).length - 1
  return checkpoints.map(share => {
    const shown = rated.slice(1, 1 + Math.max(Math.round(papers.length * share), 1))
    return shown.filter(({ included }) => included).length / Math.min(shown.length, total)
  })
}

function meansOf (rows: number[][]): number[] {
  return rows[0]!.map((_value, at) => mean(rows.map(row => row[at]!)))
}
