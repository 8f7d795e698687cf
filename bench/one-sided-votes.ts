import { train } from '../src/relevance/model.js'
import { scorer } from '../src/relevance/score.js'
import { judge, mean, randomOf, readSets, type ScreenedPaper, screeningFolder, type ScreeningSet } from './screening-sets.js'

/*
 * Measures scores after votes of one kind: SCREENING_DIR=FOLDER node dist/bench/one-sided-votes.js. People who only upvote do not say which
 * papers they passed over, so their scores should stay as low as the share of papers that matter. Seed 5 draws the papers.
 */

/** Votes on included and on excluded papers, and on the first papers of a random order, all upvoted. */
const cases: ReadonlyArray<{ name: string, included?: number, excluded?: number, anyUpvoted?: number }> = [
  { name: 'no votes' },
  { name: '5 upvotes', included: 5 },
  { name: '20 upvotes', included: 20 },
  { name: '12 upvotes, 4 downvotes', included: 12, excluded: 4 },
  { name: '12 upvotes, 12 downvotes', included: 12, excluded: 12 },
  { name: '60 upvotes of any papers', anyUpvoted: 60 }
]
const backgroundSize = 1000
const mustRead = 0.6

interface Measured { meanScore: number, included: number, mustReads: number, recall: number }

const line = (...cells: Array<string | number>) =>
  process.stdout.write(`| ${cells.map(cell => typeof cell === 'number' ? cell.toFixed(3) : cell).join(' | ')} |\n`)
line('votes', 'mean score of unrated papers', 'share of included ones', 'share of must-reads', 'included papers among these')
line(...Array.from({ length: 5 }, () => '---'))
const sets = [...readSets(screeningFolder())]
for (const { name, ...votes } of cases) {
  const measured = sets.map(set => measure(set, votes))
  const meanOf = (key: keyof Measured) => mean(measured.map(each => each[key]))
  line(name, meanOf('meanScore'), meanOf('included'), meanOf('mustReads'), meanOf('recall'))
}

function measure (
  { papers, corpus, interest }: ScreeningSet,
  { included = 0, excluded = 0, anyUpvoted = 0 }: Omit<(typeof cases)[number], 'name'>
): Measured {
  const draw = randomOf(5)
  const order = papers.map(paper => ({ paper, key: draw() })).sort((a, b) => a.key - b.key).map(({ paper }) => paper)
  const rated = new Set<ScreenedPaper>([
    ...order.filter(paper => paper.included).slice(0, included),
    ...order.filter(paper => !paper.included).slice(0, excluded),
    ...order.slice(0, anyUpvoted)
  ])
  const unrated = order.filter(paper => !rated.has(paper))
  const votes = [...rated].map(paper => judge(anyUpvoted > 0 ? { ...paper, included: true } : paper))
  const model = rated.size === 0 ? null : train({ interest, corpus, rated: votes, background: unrated.slice(0, backgroundSize) })
  const score = scorer(interest, model)
  const scored = unrated.map(paper => ({ score: score(paper).relevance_score, target: paper.included ? 1 : 0 }))
  const mustReads = scored.filter(each => each.score >= mustRead)
  const sumOf = (some: typeof scored) => some.reduce((sum, { target }) => sum + target, 0)
  return {
    meanScore: mean(scored.map(each => each.score)),
    included: sumOf(scored) / scored.length,
    mustReads: mustReads.length / scored.length,
    recall: sumOf(mustReads) / Math.max(sumOf(scored), 1)
  }
}
