import { openService } from '../../src/service.js'
import { readSettings } from '../../src/settings.js'
import { postgresUrl, temporaryDirectory } from '../process.js'
import { type BenchPaper, makePapers, readPapers } from './corpus.js'
import { fill } from './fill.js'
import { runFts5 } from './fts5.js'
import { measureQueries, quantile } from './measure.js'
import { type BenchQuery, makeQueries } from './queries.js'

/*
 * make bench-search: the search against SQLite FTS5, on the same papers and queries, in one run. BENCH_PAPERS says how many papers,
 * BENCH_CORPUS names a file of JSON lines with real ones; with BENCH_DATABASE_URL, PostgreSQL is measured too.
 */

const count = Number(process.env.BENCH_PAPERS ?? 100_000)
const rounds = 3
const corpus = process.env.BENCH_CORPUS
const read = corpus === undefined ? undefined : await readPapers(corpus, count)
const papers = (): Iterable<BenchPaper> => read ?? makePapers(count)

const queries = makeQueries([...papers()])
const fts5 = await runFts5(papers(), queries, rounds)
const table = [['SQLite FTS5', fts5]] as Array<[string, number[][]]>
for (const kind of postgresUrl === undefined ? ['embedded'] : ['PostgreSQL', 'embedded']) {
  const settings = readSettings({ DATA_DIR: temporaryDirectory(), JWT_SECRET: 'x'.repeat(32), ...(kind === 'embedded' ? {} : { DATABASE_URL: postgresUrl! }) })
  const silent = () => {}
  const service = await openService({ settings, log: { info: silent, warn: silent, error: silent }, name: 'bench', share: false })
  const began = performance.now()
  const filled = await fill(service.context, papers())
  process.stdout.write(`${kind}: ${count} papers put in and indexed in ${Math.round((performance.now() - began) / 1000)} s\n`)
  table.push([kind, await measureQueries(filled, queries, rounds)])
  await service.close()
}
print(table, queries)

function print (table: ReadonlyArray<[string, number[][]]>, queries: readonly BenchQuery[]): void {
  const line = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
  line(['ms, p50 / p95 / worst', ...table.map(([name]) => name)])
  line(['---', ...table.map(() => '---')])
  const kinds = ['all', ...new Set(queries.map(({ kind }) => kind))]
  for (const kind of kinds) {
    const of = (took: number[][]) => took.filter((_each, at) => kind === 'all' || queries[at]!.kind === kind).flat()
    line([kind, ...table.map(([, took]) => [0.5, 0.95, 1].map(share => quantile(of(took), share).toFixed(1)).join(' / '))])
  }
}
