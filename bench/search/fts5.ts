import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { summaryOf } from '../../src/relevance/summary.js'
import { temporaryDirectory } from '../process.js'
import type { BenchPaper } from './corpus.js'
import { isLiked, isMustRead } from './fill.js'
import type { BenchQuery } from './queries.js'

const script = fileURLToPath(new URL('../../../bench/search/fts5.py', import.meta.url))

/** What SQLite FTS5 takes on the same papers and queries, in milliseconds: for each query, every round. Needs python3 with sqlite3. */
export async function runFts5 (papers: Iterable<BenchPaper>, queries: readonly BenchQuery[], rounds: number): Promise<number[][]> {
  const folder = temporaryDirectory()
  const file = createWriteStream(join(folder, 'papers.jsonl'))
  let at = 0
  for (const paper of papers) {
    const line = JSON.stringify({ ...paper, summary: summaryOf(paper.abstract), must_read: isMustRead(at) ? 1 : 0, vote: isLiked(at) ? 'upvote' : null })
    if (!file.write(`${line}\n`)) await once(file, 'drain')
    at++
  }
  file.end()
  await once(file, 'finish')
  writeFileSync(join(folder, 'queries.jsonl'), queries.map(query => JSON.stringify(query)).join('\n'))
  const child = spawn('python3', [script, join(folder, 'papers.jsonl'), join(folder, 'queries.jsonl'), join(folder, 'papers.sqlite'), String(rounds)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const took: number[][] = queries.map(() => [])
  for await (const line of createInterface({ input: child.stdout })) {
    const { at, took: milliseconds } = JSON.parse(line) as { at: number, took: number }
    took[at]!.push(milliseconds)
  }
  return took
}
