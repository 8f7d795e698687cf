import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { Corpus } from '../src/relevance/corpus.js'
import { defaultThresholds } from '../schemas/project.js'
import type { Interest, ScoredText } from '../src/relevance/interest.js'
import { type Judged, train } from '../src/relevance/model.js'
import { scorer } from '../src/relevance/score.js'

/*
 * Measures how fast a project learns, on systematic reviews: node dist/bench/screening.js FOLDER [SEEDS]. A set is a CSV file (or .csv.gz) with title,
 * abstract and label_included; the words of its name are the interest. One included paper is upvoted. Then the ten papers with the highest scores are
 * rated by their labels and the model is retrained, until a tenth of the set is rated. The figure is the share of included papers found, of the
 * most that could be found by then, averaged over the papers that were upvoted first.
 */

interface ScreenedPaper extends ScoredText { paper_id: string, included: boolean }

const batchSize = 10
const ratedShare = 0.1
const backgroundSize = 2000

const [folder, seeds = '5'] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node dist/bench/screening.js FOLDER [SEEDS]')

const line = (...cells: Array<string | number>) => process.stdout.write(`| ${cells.map(cell => typeof cell === 'number' ? cell.toFixed(3) : cell).join(' | ')} |\n`)
line('set', 'papers', 'included', 'interest alone', 'learned', 'ratio')
line('---', '---', '---', '---', '---', '---')
const figures: Array<{ alone: number, learned: number }> = []
for (const name of readdirSync(folder).filter(name => /\.csv(\.gz)?$/.test(name)).sort()) {
  const papers = read(join(folder, name))
  const interest = interestOf(name)
  const alone = ranked(papers, interest)
  const included = papers.filter(({ included }) => included)
  const random = randomOf(7)
  const starts = Array.from({ length: Number(seeds) }, () => included[Math.floor(random() * included.length)]!)
  const learned = mean(starts.map(start => screen(papers, interest, start)))
  figures.push({ alone, learned })
  line(`${name.replace(/\.csv.*/, '')} (“${interest.interest_description}”)`, String(papers.length), String(included.length), alone, learned, learned / alone)
}
const [alone, learned] = [mean(figures.map(({ alone }) => alone)), mean(figures.map(({ learned }) => learned))]
line('mean', '', '', alone, learned, learned / alone)

function read (path: string): ScreenedPaper[] {
  const bytes = readFileSync(path)
  const rows = parse(path.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true, bom: true, relax_quotes: true, relax_column_count: true }) as Array<Record<string, string>>
  return rows.filter(({ title, abstract }) => title || abstract)
    .map(({ title = '', abstract, label_included }, at) => ({ paper_id: String(at), title, abstract: abstract || null, included: Number(label_included) === 1 }))
}

/** The interest of a set: "ProtonPumpInhibitors.csv" becomes "Proton Pump Inhibitors". */
function interestOf (name: string): Interest {
  return {
    interest_description: name.replace(/\.csv.*/, '').replace(/[_-]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2'),
    positive_keywords: [],
    negative_keywords: [],
    must_read_threshold: defaultThresholds.must_read_threshold
  }
}

/** Share of included papers found by the interest alone, in one ranking. */
function ranked (papers: ScreenedPaper[], interest: Interest): number {
  const score = scorer(interest)
  const shown = byScore(papers, paper => score(paper).relevance_score).slice(0, budgetOf(papers))
  return shown.filter(({ included }) => included).length / Math.min(shown.length, papers.filter(({ included }) => included).length)
}

/** Share of included papers found while learning from ratings. */
function screen (papers: ScreenedPaper[], interest: Interest, start: ScreenedPaper): number {
  const budget = budgetOf(papers)
  const rated = [start]
  const corpus = new Corpus()
  for (const paper of papers) corpus.add(paper)
  while (rated.length - 1 < budget) {
    const unrated = papers.filter(paper => !rated.includes(paper))
    const model = train({ interest, corpus, judged: rated.map(judge), background: unrated.slice(0, backgroundSize) })
    const score = scorer(interest, model)
    rated.push(...byScore(unrated, paper => score(paper).relevance_score).slice(0, Math.min(batchSize, budget - rated.length + 1)))
  }
  const shown = rated.slice(1)
  return shown.filter(({ included }) => included).length / Math.min(budget, papers.filter(({ included }) => included).length - 1)
}

function judge ({ included, ...paper }: ScreenedPaper): Judged {
  return { ...paper, vote: included ? 'upvote' : 'downvote', downvote_reason: included ? null : 'not_relevant' }
}

function budgetOf (papers: ScreenedPaper[]): number {
  return Math.round(papers.length * ratedShare)
}

function byScore (papers: ScreenedPaper[], score: (paper: ScreenedPaper) => number): ScreenedPaper[] {
  return papers.map(paper => ({ paper, score: score(paper) })).sort((a, b) => b.score - a.score).map(({ paper }) => paper)
}

function mean (values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Reproducible numbers from 0 to 1. @see Numerical Recipes, linear congruential generators */
function randomOf (seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
