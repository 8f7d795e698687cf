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
 * How fast a feed learns, on systematic reviews: node dist/bench/screening.js FOLDER [SEEDS]. A set is a CSV file (or .csv.gz) with title, abstract
 * and label_included; its name, taken apart into words, is the interest. One kept paper is liked; then papers are shown by score in tens, each
 * rated by its label, the model learned anew in between, until a tenth of the set is rated. The figure is the kept papers shown, of the most
 * that could have been shown by then, averaged over the papers that were liked first.
 */

interface Screened extends ScoredText { paper_id: string, kept: boolean }

const batch = 10
const part = 0.1
const backgroundSize = 2000

const [folder, seeds = '5'] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node dist/bench/screening.js FOLDER [SEEDS]')

const line = (...cells: Array<string | number>) => process.stdout.write(`| ${cells.map(cell => typeof cell === 'number' ? cell.toFixed(3) : cell).join(' | ')} |\n`)
line('set', 'papers', 'kept', 'interest alone', 'learned', 'ratio')
line('---', '---', '---', '---', '---', '---')
const figures: Array<{ alone: number, learned: number }> = []
for (const name of readdirSync(folder).filter(name => /\.csv(\.gz)?$/.test(name)).sort()) {
  const papers = read(join(folder, name))
  const interest = interestOf(name)
  const alone = ranked(papers, interest)
  const kept = papers.filter(({ kept }) => kept)
  const random = randomOf(7)
  const starts = Array.from({ length: Number(seeds) }, () => kept[Math.floor(random() * kept.length)]!)
  const learned = mean(starts.map(start => screen(papers, interest, start)))
  figures.push({ alone, learned })
  line(`${name.replace(/\.csv.*/, '')} (“${interest.interest_description}”)`, String(papers.length), String(kept.length), alone, learned, learned / alone)
}
const [alone, learned] = [mean(figures.map(({ alone }) => alone)), mean(figures.map(({ learned }) => learned))]
line('mean', '', '', alone, learned, learned / alone)

function read (path: string): Screened[] {
  const bytes = readFileSync(path)
  const rows = parse(path.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true, bom: true, relax_quotes: true, relax_column_count: true }) as Array<Record<string, string>>
  return rows.filter(({ title, abstract }) => title || abstract)
    .map(({ title = '', abstract, label_included }, at) => ({ paper_id: String(at), title, abstract: abstract || null, kept: Number(label_included) === 1 }))
}

/** "ProtonPumpInhibitors.csv" is about proton pump inhibitors. */
function interestOf (name: string): Interest {
  return {
    interest_description: name.replace(/\.csv.*/, '').replace(/[_-]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2'),
    positive_keywords: [],
    negative_keywords: [],
    must_read_threshold: defaultThresholds.must_read_threshold
  }
}

/** Kept papers among the best of one ranking. */
function ranked (papers: Screened[], interest: Interest): number {
  const score = scorer(interest)
  const shown = byScore(papers, paper => score(paper).relevance_score).slice(0, budgetOf(papers))
  return shown.filter(({ kept }) => kept).length / Math.min(shown.length, papers.filter(({ kept }) => kept).length)
}

function screen (papers: Screened[], interest: Interest, start: Screened): number {
  const budget = budgetOf(papers)
  const rated = [start]
  const corpus = new Corpus()
  for (const paper of papers) corpus.add(paper)
  while (rated.length - 1 < budget) {
    const unrated = papers.filter(paper => !rated.includes(paper))
    const model = train({ interest, corpus, judged: rated.map(judge), background: unrated.slice(0, backgroundSize) })
    const score = scorer(interest, model)
    rated.push(...byScore(unrated, paper => score(paper).relevance_score).slice(0, Math.min(batch, budget - rated.length + 1)))
  }
  const shown = rated.slice(1)
  return shown.filter(({ kept }) => kept).length / Math.min(budget, papers.filter(({ kept }) => kept).length - 1)
}

function judge ({ kept, ...paper }: Screened): Judged {
  return { ...paper, vote: kept ? 'upvote' : 'downvote', downvote_reason: kept ? null : 'not_relevant' }
}

function budgetOf (papers: Screened[]): number {
  return Math.round(papers.length * part)
}

function byScore (papers: Screened[], score: (paper: Screened) => number): Screened[] {
  return papers.map(paper => ({ paper, score: score(paper) })).sort((a, b) => b.score - a.score).map(({ paper }) => paper)
}

function mean (values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Repeatable numbers from 0 to 1. @see Numerical Recipes, linear congruential generators */
function randomOf (seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
