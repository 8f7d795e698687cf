import { estimateRecall, type Rating, samplesOf } from '../src/relevance/recall.js'
import { train } from '../src/relevance/model.js'
import { judge, mean, rank, randomOf, readSets, type ScreenedPaper, type ScreeningSet } from './screening-sets.js'

/*
 * Measures the estimate of recall on systematic reviews: node dist/bench/stopping.js FOLDER [STARTS]. Each start shuffles a set, upvotes
 * one included paper, and rates the papers with the highest scores by their labels until the estimate says that 95 % of the included
 * papers are rated. It learns again after ten votes, or after 8 % more. The statement holds if 95 % are rated by then.
 */

interface Stop { recall: number, rated: number }

const backgroundSize = 1000

const [folder, starts = '3'] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node dist/bench/stopping.js FOLDER [STARTS]')

const line = (...cells: Array<string | number>) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
line('set', 'papers', 'included', 'stops', 'stops that hold', 'recall at the stop', 'lowest', 'work saved')
line(...Array.from({ length: 8 }, () => '---'))
const all: Stop[] = []
for (const set of readSets(folder)) {
  const stops = Array.from({ length: Number(starts) }, (_, start) => screen(set, randomOf(100 + start)))
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

function screen ({ papers: all, corpus, interest }: ScreeningSet, random: () => number): Stop {
  const papers = all.map(paper => ({ paper, key: random() })).sort((a, b) => a.key - b.key).map(({ paper }) => paper)
  const included = papers.filter(paper => paper.included)
  const ratings: Rating[] = []
  const rated = new Set<ScreenedPaper>()
  const rate = (paper: ScreenedPaper) => {
    rated.add(paper)
    ratings.push({ isRelevant: paper.included, ratedAt: rated.size, addedAt: 0 })
  }
  rate(included[Math.floor(random() * included.length)]!)
  while (rated.size < papers.length) {
    const unrated = papers.filter(paper => !rated.has(paper))
    const model = train({ interest, corpus, judged: [...rated].reverse().map(judge), background: unrated.slice(0, backgroundSize) })
    for (const paper of rank(unrated, model, interest).slice(0, Math.max(10, Math.round(0.08 * rated.size)))) {
      rate(paper)
      const unratedSince = samplesOf(ratings).map(() => 0)
      if (estimateRecall({ ratings, unrated: papers.length - rated.size, unratedSince }).isReached) return stopAfter(ratings, papers)
    }
  }
  return stopAfter(ratings, papers)
}

function stopAfter (ratings: Rating[], papers: ScreenedPaper[]): Stop {
  return {
    recall: ratings.filter(({ isRelevant }) => isRelevant).length / papers.filter(({ included }) => included).length,
    rated: ratings.length / papers.length
  }
}
