import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { summaryOf } from '../../src/papers/summary.js'
import { temporaryDirectory } from '../process.js'
import type { BenchPaper } from './corpus.js'
import { isLiked, isMustRead } from './bench-project.js'
import type { BenchQuery } from './queries.js'

const script = fileURLToPath(new URL('../../../bench/search/fts5.py', import.meta.url))

/** Results of SQLite FTS5. */
export interface Fts5Run {
  /** Milliseconds of each round, by query. */
  took: number[][]
  /** Positions of the papers found, by query. */
  found: number[][]
}

/**
 * Runs queries on SQLite FTS5: every term is a prefix, joined by OR, ordered by bm25. Needs python3 with sqlite3.
 * @param weights of the columns title, authors, summary, abstract
 */
export async function runFts5 (
  papers: Iterable<Pick<BenchPaper, 'title' | 'abstract' | 'authors'>>,
  queries: ReadonlyArray<Omit<BenchQuery, 'kind'>>,
  rounds: number,
  weights: readonly number[]
): Promise<Fts5Run> {
  const folder = temporaryDirectory()
  const file = createWriteStream(join(folder, 'papers.jsonl'))
  let at = 0
  for (const paper of papers) {
    const line = JSON.stringify({
      ...paper,
      summary: weights[2] === 0 ? '' : summaryOf(paper.abstract),
      must_read: isMustRead(at) ? 1 : 0,
      vote: isLiked(at) ? 'upvote' : null
    })
    if (!file.write(`${line}\n`)) await once(file, 'drain')
    at++
  }
  file.end()
  await once(file, 'finish')
  writeFileSync(join(folder, 'queries.jsonl'), queries.map(query => JSON.stringify(query)).join('\n'))
  const child = spawn(
    'python3',
    [
      script,
      join(folder, 'papers.jsonl'),
      join(folder, 'queries.jsonl'),
      join(folder, 'papers.sqlite'),
      String(rounds),
      weights.join(', ')
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] }
  )
  const run: Fts5Run = { took: queries.map(() => []), found: [] }
  for await (const line of createInterface({ input: child.stdout })) {
    const { at, took, found } = JSON.parse(line) as { at: number, took: number, found: number[] }
    run.took[at]!.push(took)
    run.found[at] = found
  }
  return run
}
