import { estimateRecall, type Rating, samplesOf } from '../src/relevance/recall.js'
import { train } from '../src/relevance/model.js'
import { scorer } from '../src/relevance/score.js'
import { judge, mean, randomOf, readSets, type ScreenedPaper, type ScreeningSet, screeningFolder } from './screening-sets.js'

/*
 * Measures the estimate of recall on systematic reviews: SCREENING_DIR=FOLDER node dist/bench/stopping.js [STARTS] [WEEKS] [ORDER]. Each
 * start shuffles a set, upvotes one included paper, and rates the papers with the highest scores by their labels until the estimate says
 * that 95 % of the included papers are rated. With WEEKS, as many equal parts of the set are added one after another, and each is
 * screened until the estimate says so for what was added by then. It learns again after ten votes, or after 8 % more. The statement
 * holds if 95 % are rated by then. Seeds are 100, 101 and so on.
 *
 * With ORDER, papers are rated worst first, at random, by file (as the set lists them), best-worst (the best 30 %, then the worst) or
 * mixed (each batch in one of the first four orders, drawn at random), and it learns again after 20 votes, or after 20 % more.
 */

interface Stop { recall: number, rated: number }

const backgroundSize = 1000

const orders = ['best', 'worst', 'random', 'file'] as const
const [starts = '3', weeks = '1', order = 'best'] = process.argv.slice(2)
const batch = order === 'best' ? { least: 10, share: 0.08 } : { least: 20, share: 0.2 }

const line = (...cells: Array<string | number>) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
line('set', 'papers', 'included', 'stops', 'stops that hold', 'recall at the stop', 'lowest', 'work saved')
line(...Array.from({ length: 8 }, () => '---'))
const all: Stop[] = []
for (const set of readSets(screeningFolder())) {
  const stops = Array.from({ length: Number(starts) }, (_, start) => screen(set, randomOf(100 + start))).flat()
  all.push(...stops)
  line(
    set.name,
    set.papers.length,
    set.papers.filter(({ included }) => included).length,
    ...figuresOf(stops)
  )
}
line('all', '', '', ...figuresOf(all))

function figuresOf (stops: Stop[]): Array<string | number> {
  const recalls = stops.map(({ recall }) => recall)
  return [
    stops.length,
    recalls.filter(recall => recall >= 0.95).length,
    mean(recalls).toFixed(3),
    Math.min(...recalls).toFixed(3),
    `${Math.round(100 * (1 - mean(stops.map(({ rated }) => rated))))} %`
  ]
}

/** The stops of all weeks. A week whose papers are all rated without a statement has none. */
function screen ({ papers: all, corpus, interest }: ScreeningSet, random: () => number): Stop[] {
  const shuffled = all.map(paper => ({ paper, key: random() })).sort((a, b) => a.key - b.key).map(({ paper }) => paper)
  const ratings: Rating[] = []
  const rated = new Set<ScreenedPaper>()
  const addedAt = new Map<ScreenedPaper, number>()
  const stops: Stop[] = []
  let time = 0
  const positions = new Map(all.map((paper, at) => [paper, at]))
  const rate = (paper: ScreenedPaper, weight: number | null = null) => {
    rated.add(paper)
    ratings.push({ isRelevant: paper.included, ratedAt: ++time, addedAt: addedAt.get(paper)!, weight })
  }
  const size = Math.ceil(shuffled.length / Number(weeks))
  for (let week = 1; week <= Number(weeks); week++) {
    time++
    const papers = shuffled.slice(0, week * size)
    for (const paper of papers.slice((week - 1) * size)) addedAt.set(paper, time)
    const included = papers.filter(paper => paper.included)
    if (rated.size === 0 && included.length === 0) continue
    if (rated.size === 0) rate(included[Math.floor(random() * included.length)]!)
    if (!stopInWeek(papers)) continue
    stops.push({ recall: included.filter(paper => rated.has(paper)).length / included.length, rated: rated.size / papers.length })
  }
  return stops

  /** Rates papers until the estimate says that enough are rated. */
  function stopInWeek (papers: ScreenedPaper[]): boolean {
    const isReached = () => {
      const unrated = papers.filter(paper => !rated.has(paper))
      const unratedSince = samplesOf(ratings).map(({ startsAt }) => unrated.filter(paper => addedAt.get(paper)! >= startsAt).length)
      return estimateRecall({ ratings, unrated: unrated.length, unratedSince }).isReached
    }
    while (!isReached()) {
      const unrated = papers.filter(paper => !rated.has(paper))
      if (unrated.length === 0) return false
      const model = train({ interest, corpus, rated: [...rated].reverse().map(judge), background: unrated.slice(0, backgroundSize) })
      const score = scorer(interest, model)
      const scores = new Map(unrated.map(paper => [paper, score(paper).relevance_score]))
      const size = Math.max(batch.least, Math.round(batch.share * rated.size))
      for (const paper of inOrder(unrated, scores, rated.size / papers.length).slice(0, size)) {
        rate(paper, Math.min(1, scores.get(paper)! / mean(unrated.filter(each => !rated.has(each)).map(each => scores.get(each)!))))
        if (isReached()) return true
      }
    }
    return true
  }

  /** The unrated papers in the order in which they are rated. @param share that was rated */
  function inOrder (unrated: ScreenedPaper[], scores: ReadonlyMap<ScreenedPaper, number>, share: number): ScreenedPaper[] {
    const bestWorst = share < 0.3 ? 'best' : 'worst'
    const name = order === 'mixed' ? orders[Math.floor(random() * orders.length)] : order === 'best-worst' ? bestWorst : order
    if (name === 'random') return unrated
    const keys = name === 'file' ? positions : scores
    const sign = name === 'best' ? -1 : 1
    return unrated.sort((a, b) => sign * (keys.get(a)! - keys.get(b)!))
  }
}
