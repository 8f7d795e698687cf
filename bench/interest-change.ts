import { Corpus } from '../src/relevance/corpus.js'
import type { Interest } from '../src/relevance/interest.js'
import { type RatedText, train } from '../src/relevance/model.js'
import { judge, mean, randomOf, rank, readSets, type ScreenedPaper, type ScreeningSet } from './screening-sets.js'

/*
 * Measures a change of interest on systematic reviews: node dist/bench/interest-change.js FOLDER [SEEDS]. A feed has the papers of two
 * reviews. A project with the interest of the first rates 50 papers, best first; then its interest changes to the second. The figures are
 * the shares of the second review's included papers in the first tenth of its papers: of a new project, and of the changed one, with former
 * votes weighed by agreement and counted in full; after the change, and after 20 more votes. "Reworded": the first interest
 * becomes another wording of itself, and the figures are those of the first review's other papers.
 */

const batchSize = 10
const backgroundSize = 1000
const [votesBefore, votesAfter] = [50, 20]

const [folder, seeds = '1'] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node dist/bench/interest-change.js FOLDER [SEEDS]')

const heads = ['new', 'changed', 'in full', 'new +20', 'changed +20', 'in full +20', 'reworded: in full', 'reworded', 'without votes']
const line = (...cells: Array<string | number>) =>
  process.stdout.write(`| ${cells.map(cell => typeof cell === 'number' ? cell.toFixed(3) : cell).join(' | ')} |\n`)
line('first to second', ...heads)
line(...Array.from({ length: heads.length + 1 }, () => '---'))
const sets = [...readSets(folder)]
const rows = sets.flatMap((first, at) => Array.from({ length: Number(seeds) }, (_, seed) => {
  const second = sets[(at + 1 + seed) % sets.length]!
  const row = measure(first, second, randomOf(7 + seed))
  line(`${first.name} to ${second.name}`, ...row)
  return row
}))
line('mean', ...heads.map((_head, at) => mean(rows.map(row => row[at]!))))

type Vote = RatedText & { paper: ScreenedPaper }

function measure (first: ScreeningSet, second: ScreeningSet, random: () => number): number[] {
  const papers = [...first.papers, ...second.papers].map(paper => ({ paper, order: random() }))
    .sort((a, b) => a.order - b.order).map(({ paper }) => paper)
  const corpus = new Corpus()
  for (const paper of papers) corpus.add(paper)
  const isFirst = new Set(first.papers)
  const isSecond = new Set(second.papers)

  const rank10 = (interest: Interest, votes: readonly Vote[], of: ReadonlySet<ScreenedPaper>, former?: Interest) => {
    const { unrated, model } = learn(interest, votes, former)
    return rank(unrated.filter(paper => of.has(paper)), model, interest)
  }
  const learn = (interest: Interest, votes: readonly Vote[], former?: Interest) => {
    const rated = new Set(votes.map(({ paper }) => paper))
    const unrated = papers.filter(paper => !rated.has(paper))
    const model = train({
      interest,
      corpus,
      rated: votes,
      background: unrated.slice(0, backgroundSize),
      former: former === undefined ? [] : [former]
    })
    return { unrated, model }
  }
  const rate = (count: number, interest: Interest, votes: Vote[], relevant: ReadonlySet<ScreenedPaper>, former?: Interest) => {
    let all = votes
    for (let rated = 0; rated < count; rated += batchSize) {
      const { unrated, model } = learn(interest, all, former)
      const next = rank(unrated, model, interest).slice(0, batchSize)
      const vote = (paper: ScreenedPaper): Vote => ({ ...judge({ ...paper, included: paper.included && relevant.has(paper) }), paper })
      all = [...next.reverse().map(vote), ...all]
    }
    return all
  }
  const found = (order: ScreenedPaper[]) => {
    const shown = order.slice(0, Math.max(Math.round(order.length / 10), 1))
    const total = order.filter(({ included }) => included).length
    return total === 0 ? 1 : shown.filter(({ included }) => included).length / Math.min(shown.length, total)
  }

  const votes = rate(votesBefore, first.interest, [], isFirst)
  const dated = votes.map(vote => ({ ...vote, former: 0 }))
  const { interest } = second
  const after = (own: Vote[], former?: Interest) =>
    found(rank10(interest, rate(votesAfter, interest, own, isSecond, former), isSecond, former))
  const reworded = { ...first.interest, interest_description: `Treatment of patients with ${first.interest.interest_description}` }
  return [
    found(rank10(interest, [], isSecond)),
    found(rank10(interest, dated, isSecond, first.interest)),
    found(rank10(interest, votes, isSecond)),
    after([]),
    after(dated, first.interest),
    after(votes),
    found(rank10(reworded, votes, isFirst)),
    found(rank10(reworded, dated, isFirst, first.interest)),
    found(rank10(reworded, [], new Set(first.papers.filter(paper => !votes.some(vote => vote.paper === paper)))))
  ]
}
