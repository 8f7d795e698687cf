import type { Corpus } from '../src/relevance/corpus.js'
import type { Interest, ScoredText } from '../src/relevance/interest.js'
import { train } from '../src/relevance/model.js'
import { scorer } from '../src/relevance/score.js'
import { judge, mean, randomOf, rank, readSets, type ScreenedPaper, screeningFolder } from './screening-sets.js'

/*
 * Measures how fast a project learns, on systematic reviews: SCREENING_DIR=FOLDER node dist/bench/screening.js [SEEDS]. A set is a CSV file
 * (or .csv.gz) with title, abstract and label_included; the words of its name are the interest. One included paper is upvoted. Then the ten
 * papers with the highest scores are rated by their labels and the model is retrained, until a tenth of the set is rated. The figures are
 * the shares of included papers found, of the most that could be found by then, averaged over the papers that were upvoted first. "Interest
 * alone" is the order without votes. Predictions of votes that were not learned from show how well scores are calibrated.
 */

const batchSize = 10
const ratedShare = 0.1
const backgroundSize = 1000

/** Shares of a set that are rated when the included papers are counted. */
const checkpoints = [0.01, 0.02, 0.05, ratedShare]
/** Votes from which on predictions are checked. */
const minCalibrationVotes = 50

const [seeds = '5'] = process.argv.slice(2)

const line = (...cells: Array<string | number>) =>
  process.stdout.write(`| ${cells.map(cell => typeof cell === 'number' ? cell.toFixed(3) : cell).join(' | ')} |\n`)
line(
  'set',
  'papers',
  'included',
  'interest alone at 10 %',
  ...checkpoints.map(share => `learned at ${100 * share} %`),
  'CPU ms per training'
)
line(...Array.from({ length: 9 }, () => '---'))
const figures: Array<{ alone: number[], learned: number[] }> = []
const predictions: Prediction[] = []
const nextPredictions: Prediction[] = []
for (const { name, papers, interest, corpus } of readSets(screeningFolder())) {
  const alone = foundAt(
    rank(papers, train({ interest, corpus, rated: [], background: papers.slice(0, backgroundSize) }), interest),
    papers
  )
  const included = papers.filter(({ included }) => included)
  const random = randomOf(7)
  const cpu: number[] = []
  const runs = Array.from({ length: Number(seeds) }, () =>
    screen({ papers, corpus, interest, start: included[Math.floor(random() * included.length)]!, cpu })
  )
  const learned = means(runs)
  figures.push({ alone, learned })
  line(
    `${name} (“${interest.interest_description}”)`,
    String(papers.length),
    String(included.length),
    alone.at(-1)!,
    ...learned,
    Math.round(mean(cpu)).toString()
  )
}
const [alone, learned] = [means(figures.map(({ alone }) => alone)), means(figures.map(({ learned }) => learned))]
line('mean', '', '', alone.at(-1)!, ...learned, '')
process.stdout.write(
  `Interest alone at ${checkpoints.map(share => `${100 * share} %`).join(', ')}: ${alone.map(value => value.toFixed(3)).join(', ')}\n`
)
describeCalibration(`votes held out of at least ${minCalibrationVotes}`, predictions)
describeCalibration(`the next ${batchSize} votes after at least ${minCalibrationVotes}`, nextPredictions)

/** Shares of included papers found at each checkpoint, of the most that can be found by then. */
function foundAt (order: ScreenedPaper[], papers: ScreenedPaper[], known = 0): number[] {
  const total = papers.filter(({ included }) => included).length - known
  return checkpoints.map(share => {
    const shown = order.slice(0, Math.max(Math.round(papers.length * share), 1))
    return shown.filter(({ included }) => included).length / Math.min(shown.length, total)
  })
}

/** Shares of included papers found while learning from ratings. */
function screen ({
  papers,
  corpus,
  interest,
  start,
  cpu
}: {
  papers: ScreenedPaper[]
  corpus: Corpus
  interest: Interest
  start: ScreenedPaper
  cpu: number[]
}): number[] {
  const budget = budgetOf(papers)
  const rated = [start]
  const isRated = new Set(rated)
  let isChecked = false
  while (rated.length - 1 < budget) {
    const unrated = papers.filter(paper => !isRated.has(paper))
    const background = unrated.slice(0, backgroundSize)
    const began = process.cpuUsage().user
    const model = train({ interest, corpus, rated: [...rated].reverse().map(judge), background })
    cpu.push((process.cpuUsage().user - began) / 1000)
    const next = rank(unrated, model, interest).slice(0, Math.min(batchSize, budget - rated.length + 1))
    if (rated.length > minCalibrationVotes) {
      const score = scorer(interest, model)
      nextPredictions.push(...next.map(paper => ({ score: score(paper).relevance_score, included: paper.included })))
      if (!isChecked) predictions.push(...heldOut(rated, { interest, corpus, background }))
      isChecked = true
    }
    for (const paper of next) isRated.add(paper)
    rated.push(...next)
  }
  return foundAt(rated.slice(1), papers, 1)
}

interface Prediction { score: number, included: boolean }

/** Predicts each vote from those of the other four fifths. */
function heldOut (rated: ScreenedPaper[], learning: { interest: Interest, corpus: Corpus, background: ScoredText[] }): Prediction[] {
  return Array.from({ length: 5 }, (_, fold) => {
    const model = train({ ...learning, rated: rated.filter((_paper, at) => at % 5 !== fold).reverse().map(judge) })
    const score = scorer(learning.interest, model)
    return rated.filter((_paper, at) => at % 5 === fold).map(paper => ({ score: score(paper).relevance_score, included: paper.included }))
  }).flat()
}

/** Prints the expected calibration error and the reliability of ten ranges of scores. */
function describeCalibration (name: string, predictions: Prediction[]): void {
  const bins = Array.from({ length: 10 }, (_, bin) => predictions.filter(({ score }) => Math.min(Math.floor(score * 10), 9) === bin))
    .filter(bin => bin.length > 0)
    .map(bin => ({
      count: bin.length,
      predicted: mean(bin.map(({ score }) => score)),
      observed: bin.filter(({ included }) => included).length / bin.length
    }))
  const error = bins.reduce((sum, { count, predicted, observed }) => sum + count * Math.abs(predicted - observed), 0) / predictions.length
  process.stdout.write(`Expected calibration error over ${name} (${predictions.length}): ${error.toFixed(3)}\n`)
  for (const { count, predicted, observed } of bins) {
    process.stdout.write(`  predicted ${predicted.toFixed(2)}, observed ${observed.toFixed(2)}, votes ${count}\n`)
  }
}

function budgetOf (papers: ScreenedPaper[]): number {
  return Math.round(papers.length * ratedShare)
}

function means (rows: number[][]): number[] {
  return rows[0]!.map((_value, at) => mean(rows.map(row => row[at]!)))
}
