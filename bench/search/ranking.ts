import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { indexDocument } from '../../src/search/document.js'
import { planQuery } from '../../src/search/query-plan.js'
import { chooseExpansion, countEntries, minExpandedTerms, selectExpansionDocuments } from '../../src/search/query-expansion.js'
import { addExpansion, findMatches, selectItems } from '../../src/search/ranking.js'
import { findBlocks } from '../../src/search/segment.js'
import type { ItemText } from '../../src/search/storage.js'
import { buildSegment } from '../../src/search/segment-writer.js'
import { hyphenatedNames, tokenize } from '../../src/search/tokenizer.js'
import { summaryOf } from '../../src/papers/summary.js'
import { runFts5 } from './fts5.js'

interface Text { id: string, title?: string, text: string }

const cutoff = 10

/**
 * Measures nDCG@10 on test collections and prints a table row for each, compared with FTS5 with equal columns and with the title weighted
 * 2. A collection is a folder with docs.jsonl.gz {id, title, text}, queries.jsonl.gz {id, text} and qrels.tsv.gz (query, document, grade).
 */
export async function measureRanking (folder: string): Promise<void> {
  process.stdout.write('| nDCG@10 | queries | Litfeed | FTS5 | FTS5, title weighted 2 |\n| --- | --- | --- | --- | --- |\n')
  for (const name of readdirSync(folder).sort()) {
    const lines = (file: string) => gunzipSync(readFileSync(join(folder, name, file))).toString().split('\n').filter(line => line !== '')
    const papers = lines('docs.jsonl.gz').map(line => JSON.parse(line) as Text)
    const grades = new Map<string, Map<string, number>>()
    for (const [query, document, grade] of lines('qrels.tsv.gz').map(line => line.split('\t') as [string, string, string])) {
      if (!grades.has(query)) grades.set(query, new Map())
      if (Number(grade) > 0) grades.get(query)!.set(document, Number(grade))
    }
    const queries = lines('queries.jsonl.gz')
      .map(line => JSON.parse(line) as Text)
      .filter(({ id }) => (grades.get(id)?.size ?? 0) > 0)
    const mean = (found: ReadonlyArray<readonly string[]>) =>
      (found.reduce((sum, ids, at) => sum + ndcg(ids, grades.get(queries[at]!.id)!), 0) / queries.length).toFixed(4)
    const fts5 = async (weights: number[]) => {
      const { found } = await runFts5(
        papers.map(({ title = '', text }) => ({ title, abstract: text, authors: [] })),
        queries.map(({ text }) => ({ q: text, limit: cutoff, offset: 0 })),
        1,
        weights
      )
      return mean(found.map(places => places.slice(0, cutoff).map(place => papers[place]!.id)))
    }
    process.stdout.write(
      `| ${name} | ${queries.length} | ${mean(runLitfeed(papers, queries))} | ${await fts5([1, 1, 0, 1])} | ${await fts5([2, 1, 0, 1])} |\n`
    )
  }
}

function runLitfeed (papers: readonly Text[], queries: readonly Text[]): string[][] {
  const texts = new Map<string, ItemText & { name: string }>()
  const { documents, words, blocks } = buildSegment(papers.map(({ id: name, title = '', text }, number) => {
    const itemId = randomUUID()
    const own = { title, summary: summaryOf(text), abstract: text }
    texts.set(itemId, { itemId, name, ...own })
    return { number, id: itemId, readyAt: new Date(0), ...indexDocument({ ...own, authors: [], identifiers: [] }) }
  }))
  const directory = blocks.map(({ entries }) => entries[0]!)
  const segment = {
    documents,
    words,
    blocks: (prefix: string) => {
      const { from, to } = findBlocks(directory, prefix)
      return blocks.slice(from, to)
    }
  }
  return queries.map(({ text }) => {
    const terms = [...new Set(tokenize(text))]
    let matches = findMatches({ plan: planQuery(terms, { compounds: hyphenatedNames(text) }), segments: [segment], tombstones: [] })
    const best = terms.length < minExpandedTerms ? [] : selectExpansionDocuments(matches)
    if (best.length > 0) {
      const counts = countEntries(best, best.map(({ id }) => texts.get(id)!), matches.corpus.averageLength)
      matches = addExpansion(matches, chooseExpansion(matches.corpus, counts, matches.queryWeight))
    }
    return selectItems(matches, [], { limit: cutoff, offset: 0 }).map(({ id }) => texts.get(id)!.name)
  })
}

/** Normalized discounted cumulative gain of the first ten. */
function ndcg (ids: readonly string[], grades: ReadonlyMap<string, number>): number {
  const sum = (all: number[]) => all.slice(0, cutoff).reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0)
  return sum(ids.map(id => grades.get(id) ?? 0)) / sum([...grades.values()].sort((a, b) => b - a))
}
