import { train } from '../src/relevance/model.js'
import { scorer } from '../src/relevance/score.js'
import { judge, mean, randomOf, readSets, type ScreenedPaper, screeningFolder, type ScreeningSet } from './screening-sets.js'

/*
 * Measures scores after downvotes alone: SCREENING_DIR=FOLDER node dist/bench/downvotes-alone.js. Papers are shown best first, ten at a
 * time, and it learns again after each ten.
 *
 * "Nothing relevant": a feed of the excluded papers alone, all of which are downvoted until 110 are. Since none is relevant, the mean score
 * is the error: of 50 votes, each predicted from the other four fifths ("held out"), of the papers shown next, from these votes on, and of
 * all unrated papers. "Stated" is the error in `reliability`.
 * "Passed over": a feed of all papers. Readers downvote the excluded papers that they are shown (with "half", each with a probability of a
 * half, seed 5) and leave the included ones without a vote, until 50 are downvoted or 200 were shown. "Must-reads" are the included papers
 * with at least 0.6, in parentheses the excluded ones without a vote.
 */

const [batchSize, firstVotes, lastVotes, folds, maxShown] = [10, 50, 110, 5, 200]
const backgroundSize = 1000
const [mustRead, enters] = [0.6, 0.1]
const checkpoints = [0, 10, 20, 50]

/** The scores that a model gives, and the error that it states. */
interface Learned { score: (paper: ScreenedPaper) => number, error: number | undefined }

const line = (...cells: Array<string | number>) =>
  process.stdout.write(`| ${cells.map(cell => typeof cell === 'number' ? cell.toFixed(3) : cell).join(' | ')} |\n`)
const sets = [...readSets(screeningFolder())]
const after = `after ${checkpoints.join(', ')}`
line('nothing relevant', 'held out', 'shown next', 'stated', 'all unrated', `shown next ${after}`, 'must-reads', 'from 0.1 up')
line(...Array.from({ length: 8 }, () => '---'))
for (const set of sets) rejectAll(set)
for (const share of [1, 0.5]) {
  const columns = checkpoints.map(votes => `must-reads after ${votes}`)
  line(`passed over${share < 1 ? ', half' : ''}`, ...columns, 'mean score of the included', 'of the excluded')
  line(...Array.from({ length: 7 }, () => '---'))
  for (const set of sets) passOver(set, share)
}

function learn ({ interest, corpus }: ScreeningSet, rated: readonly ScreenedPaper[], unrated: readonly ScreenedPaper[]): Learned {
  const votes = [...rated].reverse().map(judge)
  const model = train({ interest, corpus, rated: votes, background: unrated.slice(0, backgroundSize) })
  const score = scorer(interest, model)
  return { score: paper => score(paper).relevance_score, error: model.reliability?.error }
}

function bestOf (papers: readonly ScreenedPaper[], scores: ReadonlyMap<ScreenedPaper, number>): ScreenedPaper[] {
  return [...papers].sort((a, b) => scores.get(b)! - scores.get(a)!).slice(0, batchSize)
}

function rejectAll (set: ScreeningSet): void {
  const papers = set.papers.filter(({ included }) => !included)
  const rated: ScreenedPaper[] = []
  const [heldOut, shownNext, next, mustReads, entering] = [[], [], [], [], []] as [number[], number[], number[], number[], number[]]
  let [meanScore, stated] = [0, 0]
  while (rated.length < lastVotes && rated.length < papers.length) {
    const known = new Set(rated)
    const unrated = papers.filter(paper => !known.has(paper))
    const { score, error } = learn(set, rated, unrated)
    const scores = new Map(unrated.map(paper => [paper, score(paper)]))
    const best = bestOf(unrated, scores)
    const shareFrom = (least: number) => unrated.filter(paper => scores.get(paper)! >= least).length / unrated.length
    if (checkpoints.includes(rated.length)) {
      next.push(mean(best.map(paper => scores.get(paper)!)))
      mustReads.push(shareFrom(mustRead))
      entering.push(shareFrom(enters))
    }
    if (rated.length >= firstVotes) shownNext.push(...best.map(paper => scores.get(paper)!))
    if (rated.length === firstVotes) {
      [meanScore, stated] = [mean([...scores.values()]), error!]
      for (let fold = 0; fold < folds; fold++) {
        const others = learn(set, rated.filter((_paper, at) => at % folds !== fold), unrated)
        heldOut.push(...rated.filter((_paper, at) => at % folds === fold).map(others.score))
      }
    }
    rated.push(...best)
  }
  const all = (values: number[]) => values.map(value => value.toFixed(3)).join(', ')
  const [held, shown] = [heldOut, shownNext].map(scores => mean(scores!)) as [number, number]
  line(set.name, held, shown, stated, meanScore, all(next), all(mustReads), all(entering))
}

function passOver (set: ScreeningSet, share: number): void {
  const random = randomOf(5)
  const rated: ScreenedPaper[] = []
  const shown = new Set<ScreenedPaper>()
  const found: string[] = []
  let means: [number, number] = [0, 0]
  for (let votes = 0; ; votes = rated.length) {
    const known = new Set(rated)
    const unrated = set.papers.filter(paper => !known.has(paper))
    const { score } = learn(set, rated, unrated)
    const scores = new Map(unrated.map(paper => [paper, score(paper)]))
    if (found.length < checkpoints.length && votes >= checkpoints[found.length]!) {
      const count = (included: boolean) => unrated.filter(paper => paper.included === included && scores.get(paper)! >= mustRead).length
      found.push(`${count(true)} (${count(false)})`)
      const meanOf = (included: boolean) => mean(unrated.filter(paper => paper.included === included).map(paper => scores.get(paper)!))
      means = [meanOf(true), meanOf(false)]
    }
    if (votes >= firstVotes || shown.size >= maxShown) break
    const seen = bestOf(unrated.filter(paper => !shown.has(paper)), scores)
    for (const paper of seen) {
      shown.add(paper)
      if (!paper.included && (share === 1 || random() < share)) rated.push(paper)
    }
    if (seen.length === 0) break
  }
  while (found.length < checkpoints.length) found.push('–')
  line(set.name, ...found, ...means)
}
