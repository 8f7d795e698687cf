import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { Corpus } from '../src/relevance/corpus.js'
import { defaultThresholds } from '../schemas/project.js'
import type { Interest, ScoredText } from '../src/relevance/interest.js'
import type { RatedText, Model } from '../src/relevance/model.js'
import { scorer } from '../src/relevance/score.js'

/** A paper of a systematic review, with its decision. */
export interface ScreenedPaper extends ScoredText { paper_id: string, included: boolean }

/** A systematic review. */
export interface ScreeningSet { name: string, papers: ScreenedPaper[], interest: Interest, corpus: Corpus }

/** Reads the reviews of a folder: CSV files (or .csv.gz) with title, abstract and label_included, whose name is the interest. */
export function * readSets (folder: string): Iterable<ScreeningSet> {
  for (const name of readdirSync(folder).filter(name => /\.csv(\.gz)?$/.test(name)).sort()) {
    const papers = read(join(folder, name))
    const corpus = new Corpus()
    for (const paper of papers) corpus.add(paper)
    yield { name: name.replace(/\.csv.*/, ''), papers, interest: interestOf(name), corpus }
  }
}

function read (path: string): ScreenedPaper[] {
  const bytes = readFileSync(path)
  const rows = parse(path.endsWith('.gz') ? gunzipSync(bytes) : bytes, {
    columns: true,
    bom: true,
    relax_quotes: true,
    relax_column_count: true
  }) as Array<Record<string, string>>
  return rows
    .filter(({ title, abstract }) => title || abstract)
    .map(({ title = '', abstract, label_included }, at) => ({
      paper_id: String(at),
      title,
      abstract: abstract || null,
      included: Number(label_included) === 1
    }))
}

/** The interest of a set: "ProtonPumpInhibitors.csv" becomes "Proton Pump Inhibitors". */
function interestOf (name: string): Interest {
  return {
    interest_description: name
      .replace(/\.csv.*/, '')
      .replace(/[_-]+/g, ' ')
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2'),
    positive_keywords: [],
    negative_keywords: [],
    must_read_threshold: defaultThresholds.must_read_threshold
  }
}

/** Best first. */
export function rank (papers: ScreenedPaper[], model: Model, interest: Interest): ScreenedPaper[] {
  const score = scorer(interest, model)
  return byScore(papers, paper => score(paper).relevance_score)
}

/** The vote that a paper's decision makes. */
export function judge ({ included, ...paper }: ScreenedPaper): RatedText {
  return { ...paper, vote: included ? 'upvote' : 'downvote', downvote_reason: included ? null : 'not_relevant' }
}

function byScore (papers: ScreenedPaper[], score: (paper: ScreenedPaper) => number): ScreenedPaper[] {
  return papers.map(paper => ({ paper, score: score(paper) })).sort((a, b) => b.score - a.score).map(({ paper }) => paper)
}

export function mean (values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Reproducible numbers from 0 to 1. @see Numerical Recipes, linear congruential generators */
export function randomOf (seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
