import { indexDocument } from '../../src/search/document.js'
import type { LoadedSegment } from '../../src/search/corpus.js'
import type { Matches } from '../../src/search/matches.js'
import { type EntryPattern, Match, planQuery } from '../../src/search/query-plan.js'
import { buildSegment } from '../../src/search/segment-writer.js'
import { tokenize } from '../../src/search/tokenizer.js'

/* The scores of results as docs/search.md states them, computed for every document, to compare with the ranking that reads postings. */

export interface Doc {
  number: number
  id: string
  readyAt: number
  title: string
  authors: string
  summary: string
  abstract: string
  identifier: string
}

export const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const entriesOf = ({ title, authors, summary, abstract, identifier }: Doc) =>
  indexDocument({ title, authors: [{ name: authors }], summary, abstract, identifiers: [identifier] })
const frequency = (counts: number) => 3 * (counts & 3) + 1.5 * ((counts >> 2) & 1) + 0.2 * ((counts >> 3) & 3) + ((counts >> 5) & 7)
const idf = (total: number, documentFrequency: number) => Math.log(1 + (total - documentFrequency + 0.5) / (documentFrequency + 0.5))
const norm = (length: number, average: number) => 1.6 * (1 - 0.75 + 0.75 * (length + 40) / (average + 40))
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
const averageLength = (indexed: ReadonlyArray<{ length: number }>) => sum(indexed.map(({ length }) => length)) / indexed.length

/** Scores of documents by id, and the sum of the idf of the query's terms. */
export interface ExhaustiveScores { scores: Map<string, { score: number, hasAllTerms: boolean }>, queryWeight: number }

/** Scores each document that has any of the terms. */
export function scoreAll (docs: readonly Doc[], q: string): ExhaustiveScores {
  const plan = planQuery(tokenize(q))
  const indexed = docs.map(doc => ({ doc, ...entriesOf(doc) }))
  const average = averageLength(indexed)
  const isKnown = ({ prefixes = [] }: Partial<EntryPattern>) => indexed.some(({ entries }) => prefixes.some(word => entries.has(word)))
  const terms = plan.terms.map(patterns => patterns.map(pattern => {
    const { match, prefixes } = isKnown(pattern.preferred ?? {}) ? pattern.preferred! : pattern
    const found = indexed.map(({ entries, length }) => {
      const matching = [...entries]
        .map(([entry, counts]) => ({ kind: prefixes.some(prefix => entry.startsWith(prefix)) ? match(entry) : Match.none, counts }))
        .filter(({ kind }) => kind !== Match.none)
      const whole = sum(matching.filter(({ kind }) => kind !== Match.prefix)
        .map(({ kind, counts }) => (kind === Match.whole ? 1 : 0.9) * frequency(counts)))
      const prefix = sum(matching.filter(({ kind }) => kind === Match.prefix).map(({ counts }) => 0.25 * frequency(counts)))
      const half = norm(length, average)
      return { has: matching.length > 0, exact: matching.some(({ kind }) => kind !== Match.inflection), whole, prefix, half }
    })
    const weight = idf(docs.length, found.filter(({ has }) => has).length)
    const scored = found.map(({ whole, prefix, half, ...rest }) =>
      ({ ...rest, score: weight * (whole > 0 ? whole / (whole + half) : prefix / (prefix + half)) }))
    return { weight, found: scored }
  }))
  const scores = new Map(indexed.flatMap(({ doc, entries }, index) => {
    const has = terms.map(patterns => patterns.every(({ found }) => found[index]!.has))
    const exact = terms.map(patterns => patterns.every(({ found }) => found[index]!.exact))
    if (!has.includes(true)) return []
    const score = sum(terms.map((patterns, term) => has[term]! ? sum(patterns.map(({ found }) => found[index]!.score)) : 0)) +
      (entries.has(plan.identifier) ? 10_000 : 0)
    return [[doc.id, { score, hasAllTerms: !exact.includes(false) }] as const]
  }))
  return { scores, queryWeight: sum(terms.flat().map(({ weight }) => weight)) }
}

/**
 * The score that an expansion adds to each document. @param weights of the best matches, by id
 * @param queryWeight the sum of the terms' idf
 */
export function scoreExpansion (docs: readonly Doc[], best: ReadonlyMap<string, number>, queryWeight: number): Map<string, number> {
  const indexed = docs.map(doc => ({ doc, ...entriesOf(doc) }))
  const average = averageLength(indexed)
  const saturated = (counts: number, length: number) => frequency(counts) / (frequency(counts) + norm(length, average))
  const means = new Map<string, number>()
  for (const doc of docs.filter(({ id }) => best.has(id))) {
    const { entries, length } = entriesOf({ ...doc, authors: '', identifier: '' })
    for (const [entry, counts] of entries) means.set(entry, (means.get(entry) ?? 0) + best.get(doc.id)! * saturated(counts, length))
  }
  const chosen = [...means]
    .map(([entry, mean]) => ({ entry, mean, documentFrequency: indexed.filter(({ entries }) => entries.has(entry)).length }))
    .filter(({ entry, documentFrequency }) =>
      entry.length >= 3 && !/^\d+$/.test(entry) && documentFrequency >= 2 && documentFrequency <= docs.length / 2)
    .map(({ entry, mean, documentFrequency }) => ({ entry, weight: mean * idf(docs.length, documentFrequency) }))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, 20)
  const scale = queryWeight / 2 / sum(chosen.map(({ weight }) => weight))
  return new Map(indexed.map(({ doc, entries, length }) =>
    [doc.id, sum(chosen.map(({ entry, weight }) => entries.has(entry) ? scale * weight * saturated(entries.get(entry)!, length) : 0))]))
}

/** The index of these documents, in this many segments at most. */
export function segmentsOf (docs: readonly Doc[], pieces: number): LoadedSegment[] {
  const size = Math.ceil(docs.length / pieces)
  return Array.from({ length: pieces }, (_each, piece) => docs.slice(piece * size, (piece + 1) * size))
    .filter(part => part.length > 0)
    .map(part => {
      const { documents, blocks, words } = buildSegment(
        part.map(doc => ({ number: doc.number, id: doc.id, readyAt: new Date(doc.readyAt), ...entriesOf(doc) }))
      )
      return { documents, words, blocks: () => blocks }
    })
}

/** The documents of a query by their positions, with their scores. */
export const scoresOf = ({ docs, scores }: Pick<Matches, 'docs' | 'scores'>): Map<number, number> =>
  new Map([...scores].map((score, index) => [docs?.[index] ?? index, score] as const).filter(([, score]) => score !== 0))
