import { type RatedText, train } from '../src/relevance/model.js'
import { scorer } from '../src/relevance/score.js'
import { judge, mean, randomOf, readSets, type ScreeningSet, screeningFolder } from './screening-sets.js'

/*
 * Measures imported examples: SCREENING_DIR=FOLDER node dist/bench/imported-examples.js [SEEDS]. Half of the included papers of a set,
 * at most 30, are not rated, upvoted in the feed, or imported with upvotes. The figures are those of the other papers: the mean score,
 * which should be near the share of included ones, the share of must-reads, and the share of the included papers in the first tenth. Seeds
 * are 7, 8 and so on.
 */

const maxImported = 30
const shownShare = 0.1
const backgroundSize = 1000
const [seeds = '1'] = process.argv.slice(2)
const ways = ['without votes', 'as votes on the feed', 'imported'] as const

const line = (...cells: Array<string | number>) =>
  process.stdout.write(`| ${cells.map(cell => typeof cell === 'number' ? cell.toFixed(3) : cell).join(' | ')} |\n`)
line('set', 'votes', 'mean score', 'share included', 'must-reads', 'found in a tenth')
line(...Array.from({ length: 6 }, () => '---'))
const all = ways.map(() => [] as number[][])
for (const set of readSets(screeningFolder())) {
  const runs = Array.from({ length: Number(seeds) }, (_, seed) => measure(set, randomOf(7 + seed)))
  for (const [at, way] of ways.entries()) {
    const row = meansOf(runs.map(run => run[at]!))
    all[at]!.push(row)
    line(set.name, way, ...row)
  }
}
for (const [at, way] of ways.entries()) line('mean', way, ...meansOf(all[at]!))

/** The figures of each way. */
function measure ({ papers, corpus, interest }: ScreeningSet, random: () => number): number[][] {
  const included = papers.filter(paper => paper.included).map(paper => ({ paper, key: random() })).sort((a, b) => a.key - b.key)
  const imported = included.slice(0, Math.min(Math.floor(included.length / 2), maxImported)).map(({ paper }) => paper)
  const others = papers.filter(paper => !imported.includes(paper))
  return ways.map(way => {
    const rated: RatedText[] = way === 'without votes' ? [] : imported.map(paper => ({ ...judge(paper), isSeed: way === 'imported' }))
    const score = scorer(interest, train({ interest, corpus, rated, background: others.slice(0, backgroundSize) }))
    const scored = others.map(paper => ({ ...score(paper), included: paper.included }))
      .sort((a, b) => b.relevance_score - a.relevance_score)
    const shown = scored.slice(0, Math.max(1, Math.round(scored.length * shownShare)))
    const total = scored.filter(({ included }) => included).length
    return [
      mean(scored.map(({ relevance_score }) => relevance_score)),
      total / scored.length,
      scored.filter(({ relevance_class }) => relevance_class === 'must_read').length / scored.length,
      shown.filter(({ included }) => included).length / Math.min(shown.length, total)
    ]
  })
}

function meansOf (rows: number[][]): number[] {
  return rows[0]!.map((_value, at) => mean(rows.map(row => row[at]!)))
}
