import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

/** The folder of reviews that the environment names. */
export function screeningFolder (): string {
  const folder = process.env.SCREENING_DIR
  if (folder === undefined) throw new Error('Set SCREENING_DIR to a folder of reviews')
  return folder
}

/**
 * Reads the reviews of a folder: CSV files (or .csv.gz) with title, abstract and label_included, whose name is the interest. SETS=regexp
 * selects some. Folders are test collections of search, whose queries are interests: QUERIES of each (5), with PAPERS papers (800).
 */
export function * readSets (folder: string): Iterable<ScreeningSet> {
  for (const name of readdirSync(folder).filter(name => new RegExp(process.env.SETS ?? '').test(name)).sort()) {
    if (/\.csv(\.gz)?$/.test(name)) yield setOf(name.replace(/\.csv.*/, ''), read(join(folder, name)), wordsOf(name))
    else if (existsSync(join(folder, name, 'qrels.tsv.gz'))) yield * readQueries(join(folder, name), name)
  }
}

function setOf (name: string, papers: ScreenedPaper[], interest_description: string): ScreeningSet {
  const corpus = new Corpus()
  for (const paper of papers) corpus.add(paper)
  const { must_read_threshold } = defaultThresholds
  return { name, papers, corpus, interest: { interest_description, positive_keywords: [], negative_keywords: [], must_read_threshold } }
}

interface Text { id: string, title?: string, text: string }

/** Queries with 10 to 150 relevant documents, each with these and others, drawn at random with seed 11. */
function * readQueries (folder: string, collection: string): Iterable<ScreeningSet> {
  const lines = (file: string) => gunzipSync(readFileSync(join(folder, file))).toString().split('\n').filter(line => line !== '')
  const documents = lines('docs.jsonl.gz').map(line => JSON.parse(line) as Text)
  const relevant = new Map<string, Set<string>>()
  for (const [query, document, grade] of lines('qrels.tsv.gz').map(line => line.split('\t') as [string, string, string])) {
    if (Number(grade) > 0) relevant.set(query, (relevant.get(query) ?? new Set()).add(document))
  }
  const random = randomOf(11)
  const shuffled = <T>(all: readonly T[]) =>
    all.map(each => ({ each, key: random() })).sort((a, b) => a.key - b.key).map(({ each }) => each)
  const queries = lines('queries.jsonl.gz').map(line => JSON.parse(line) as Text)
    .filter(({ id }) => { const { size } = relevant.get(id) ?? new Set(); return size >= 10 && size <= 150 })
  for (const { id: query, text: interest } of shuffled(queries).slice(0, Number(process.env.QUERIES ?? 5))) {
    const wanted = relevant.get(query)!
    let others = Number(process.env.PAPERS ?? 800) - wanted.size
    const kept = shuffled(documents).filter(({ id }) => wanted.has(id) || others-- > 0)
    const papers = kept.map(({ id, title = '', text }, at) =>
      ({ paper_id: String(at), title, abstract: text || null, included: wanted.has(id) }))
    yield setOf(`${collection} ${query}`, papers, interest)
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
const wordsOf = (name: string): string => name
  .replace(/\.csv.*/, '')
  .replace(/[_-]+/g, ' ')
  .replace(/([a-z])([A-Z])/g, '$1 $2')
  .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')

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
