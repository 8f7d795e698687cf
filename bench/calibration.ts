import { train } from '../src/relevance/model.js'
import { scorer } from '../src/relevance/score.js'
import { judge, mean, randomOf, readSets, type ScreenedPaper, type ScreeningSet, screeningFolder } from './screening-sets.js'

/*
 * Measures whether scores are probabilities: SCREENING_DIR=FOLDER node dist/bench/calibration.js [STARTS]. Each start upvotes one included
 * paper and rates the ten papers with the highest scores by their labels, until 111 papers are rated. After 51 votes, each of these is
 * predicted from the other four fifths ("held out"); then the scores of each next ten papers are compared with their labels ("shown
 * next"). Errors are expected calibration errors in ten bins. "Chance" is the mean error of correct scores with as few votes. "Too high" is
 * the mean score of all unrated papers after 51 votes, minus the share of included ones. Queries of a collection count together. Seed 7
 * draws the starts.
 */

const [firstVotes, lastVotes, batchSize, folds, bins, draws] = [51, 111, 10, 5, 10, 200]
const backgroundSize = 1000
const [starts = '2'] = process.argv.slice(2)

interface Prediction { score: number, included: boolean }
interface Measured { heldOut: Prediction[], shownNext: Prediction[], tooHigh: number[] }

const line = (...cells: Array<string | number>) =>
  process.stdout.write(`| ${cells.map(cell => typeof cell === 'number' ? cell.toFixed(3) : cell).join(' | ')} |\n`)
line('set', 'held out: error (chance), votes', 'shown next: error (chance), votes', 'too high')
line(...Array.from({ length: 4 }, () => '---'))
const groups = new Map<string, Measured>()
for (const set of readSets(screeningFolder())) {
  const included = set.papers.filter(paper => paper.included)
  const draw = randomOf(7)
  const runs = Array.from({ length: Number(starts) }, () => measure(set, included[Math.floor(draw() * included.length)]!))
  const [group] = set.name.split(' ') as [string]
  groups.set(group, join([...groups.has(group) ? [groups.get(group)!] : [], ...runs]))
}
for (const [group, measured] of groups) print(group, measured)
print('all', join([...groups.values()]))

function measure ({ papers, corpus, interest }: ScreeningSet, start: ScreenedPaper): Measured {
  const rated = [start]
  const measured: Measured = { heldOut: [], shownNext: [], tooHigh: [] }
  const learn = (known: ScreenedPaper[], background: ScreenedPaper[]) =>
    scorer(interest, train({ interest, corpus, rated: [...known].reverse().map(judge), background: background.slice(0, backgroundSize) }))
  const predict = (score: ReturnType<typeof learn>, of: ScreenedPaper[]): Prediction[] =>
    of.map(paper => ({ score: score(paper).relevance_score, included: paper.included }))
  while (rated.length < lastVotes) {
    const known = new Set(rated)
    const unrated = papers.filter(paper => !known.has(paper))
    const predictions = predict(learn(rated, unrated), unrated)
    const best = [...unrated.keys()].sort((a, b) => predictions[b]!.score - predictions[a]!.score).slice(0, batchSize)
    if (rated.length === firstVotes) {
      measured.tooHigh.push(mean(predictions.map(({ score, included }) => score - Number(included))))
      for (let fold = 0; fold < folds; fold++) {
        const others = learn(rated.filter((_paper, at) => at % folds !== fold), unrated)
        measured.heldOut.push(...predict(others, rated.filter((_paper, at) => at % folds === fold)))
      }
    }
    if (rated.length >= firstVotes) measured.shownNext.push(...best.map(at => predictions[at]!))
    rated.push(...best.map(at => unrated[at]!))
  }
  return measured
}

function join (all: Measured[]): Measured {
  return {
    heldOut: all.flatMap(({ heldOut }) => heldOut),
    shownNext: all.flatMap(({ shownNext }) => shownNext),
    tooHigh: all.flatMap(({ tooHigh }) => tooHigh)
  }
}

function print (name: string, { heldOut, shownNext, tooHigh }: Measured): void {
  line(name, describe(heldOut), describe(shownNext), mean(tooHigh))
}

function describe (predictions: Prediction[]): string {
  const random = randomOf(11)
  const chance = Array.from({ length: draws }, () =>
    calibrationError(predictions.map(({ score }) => ({ score, included: random() < score }))))
  return `${calibrationError(predictions).toFixed(3)} (${mean(chance).toFixed(3)}), ${predictions.length}`
}

/** The expected calibration error: the mean distance between scores and shares of included papers, over bins of equal width. */
function calibrationError (predictions: Prediction[]): number {
  const differences = new Float64Array(bins)
  for (const { score, included } of predictions) differences[Math.min(Math.floor(score * bins), bins - 1)]! += score - Number(included)
  return differences.reduce((sum, difference) => sum + Math.abs(difference), 0) / predictions.length
}
