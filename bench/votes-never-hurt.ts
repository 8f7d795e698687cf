import { train } from '../src/relevance/model.js'
import { judge, mean, randomOf, rank, readSets, type ScreenedPaper, type ScreeningSet, screeningFolder } from './screening-sets.js'

/*
 * Compares the order after each number of votes with that of the interest alone: SCREENING_DIR=FOLDER node dist/bench/votes-never-hurt.js
 * [VOTES] [STARTS]. Each start upvotes one included paper and then rates the paper with the highest score by its label, one after another.
 * After each vote, the figure is the share of the included papers that are not rated yet in the first tenth of the unrated papers, minus
 * that by the interest alone. Seed 7 draws the starts.
 */

const shownShare = 0.1
const backgroundSize = 1000
const [votes = '50', starts = '2'] = process.argv.slice(2)

const line = (...cells: Array<string | number>) =>
  process.stdout.write(`| ${cells.map(cell => typeof cell === 'number' ? cell.toFixed(3) : cell).join(' | ')} |\n`)
line('set', 'mean', 'worst mean of a number of votes', 'after', 'worst single start', 'after')
line(...Array.from({ length: 6 }, () => '---'))
const means: number[] = []
for (const set of readSets(screeningFolder())) {
  const included = set.papers.filter(paper => paper.included)
  const draw = randomOf(7)
  const runs = Array.from({ length: Number(starts) }, () => differences(set, included[Math.floor(draw() * included.length)]!))
  const byVotes = Array.from({ length: Math.min(...runs.map(run => run.length)) }, (_, at) => mean(runs.map(run => run[at]!)))
  const worst = Math.min(...byVotes)
  const worstRun = runs.reduce((a, b) => Math.min(...a) <= Math.min(...b) ? a : b)
  means.push(mean(byVotes))
  line(
    set.name, mean(byVotes), worst, `${byVotes.indexOf(worst) + 1} votes`, Math.min(...worstRun), `${worstRun.indexOf(Math.min(...worstRun)) + 1} votes`
  )
}
line('mean', mean(means), '', '', '', '')

/** The differences after 1, 2, 3 … votes, until no included paper is unrated. */
function differences ({ papers, corpus, interest }: ScreeningSet, start: ScreenedPaper): number[] {
  const alone = rank(papers, train({ interest, corpus, rated: [], background: papers.slice(0, backgroundSize) }), interest)
  const rated = [start]
  const found: number[] = []
  while (rated.length <= Number(votes)) {
    const known = new Set(rated)
    const unrated = papers.filter(paper => !known.has(paper))
    const left = unrated.filter(({ included }) => included).length
    if (left === 0) break
    const model = train({ interest, corpus, rated: [...rated].reverse().map(judge), background: unrated.slice(0, backgroundSize) })
    const order = rank(unrated, model, interest)
    const shown = Math.max(1, Math.round(unrated.length * shownShare))
    const share = (ranked: ScreenedPaper[]) => ranked.slice(0, shown).filter(({ included }) => included).length / Math.min(shown, left)
    found.push(share(order) - share(alone.filter(paper => !known.has(paper))))
    rated.push(order[0]!)
  }
  return found
}
