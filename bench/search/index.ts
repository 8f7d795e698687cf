import { weights } from '../../src/search/bm25.js'
import { postgresUrl } from '../process.js'
import { type BenchPaper, makePapers, readPapers } from './corpus.js'
import { addPapers, createProject } from './bench-project.js'
import { runFts5 } from './fts5.js'
import { measureGrowth } from './growth.js'
import { hostileQueries, measureHostile } from './hostile.js'
import { measureQueries, quantile } from './measure.js'
import { measureCorpus } from './statistics.js'
import { openBench } from './open.js'
import { measureRanking } from './ranking.js'
import { type BenchQuery, makeQueries, widestQueries } from './queries.js'

/*
 * make bench-search: compares the search with SQLite FTS5 on the same papers and queries. BENCH_PAPERS is the number of generated papers,
 * BENCH_CORPUS a file of JSON lines with real papers. BENCH_DATABASE_URL adds PostgreSQL. BENCH_GROWTH lists sizes of a growing project
 * (10000,100000,1000000) to measure it and a small project at. BENCH_COLLECTIONS is a folder of test collections for the ranking.
 */

const paperCount = Number(process.env.BENCH_PAPERS ?? 100_000)
const rounds = 3
const corpus = process.env.BENCH_CORPUS
const read = corpus === undefined ? undefined : await readPapers(corpus, paperCount)
const papers = (): Iterable<BenchPaper> => read ?? makePapers(paperCount)

measureCorpus(papers())
if (process.env.BENCH_COLLECTIONS !== undefined) await measureRanking(process.env.BENCH_COLLECTIONS)

const queries = makeQueries([...papers()])
const { took: fts5 } = await runFts5(papers(), queries, rounds, Object.values(weights))
const table = [['SQLite FTS5', fts5]] as Array<[string, number[][]]>
for (const kind of postgresUrl === undefined ? ['embedded'] : ['PostgreSQL', 'embedded']) {
  const service = await openBench(kind)
  const began = performance.now()
  const filled = await createProject(service.context)
  const rates = await addPapers(filled, papers())
  const median = (some: readonly number[]) => Math.round(quantile(some, 0.5))
  process.stdout.write(
    `${kind}: ${paperCount} papers added and indexed in ${Math.round((performance.now() - began) / 1000)} s; papers per second in the first and last batches: ${median(rates.slice(0, 10))}, ${median(rates.slice(-10))}\n`
  )
  table.push([kind, await measureQueries(filled, queries, rounds)])
  // Others between them: the thread remembers the matches of a few searches.
  const widest = await measureQueries(filled, [...widestQueries, ...queries.slice(0, 10)], rounds)
  process.stdout.write(
    `${kind}: the widest allowed queries, maximum of ${rounds} rounds: ${widestQueries.map(({ kind }, at) => `${kind} ${Math.max(...widest[at]!).toFixed(0)} ms`).join(', ')}\n`
  )
  const { answered, refused, took, slowest } = await measureHostile(filled, hostileQueries(5000))
  process.stdout.write(
    `${kind}: 5,000 hostile queries: ${answered} answered, ${refused} refused as invalid, none failed; p50 ${quantile(took, 0.5).toFixed(1)} ms, p99 ${quantile(took, 0.99).toFixed(0)} ms, max ${Math.max(...took).toFixed(0)} ms for ${JSON.stringify(slowest)}\n`
  )
  await service.close()
}
print(table, queries)
if (process.env.BENCH_GROWTH !== undefined) await measureGrowth(process.env.BENCH_GROWTH.split(',').map(Number))

function print (table: ReadonlyArray<[string, number[][]]>, queries: readonly BenchQuery[]): void {
  const line = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
  line(['ms, p50 / p95 / max', ...table.map(([name]) => name)])
  line(['---', ...table.map(() => '---')])
  const kinds = ['all', ...new Set(queries.map(({ kind }) => kind))]
  for (const kind of kinds) {
    const of = (took: number[][]) => took.filter((_each, at) => kind === 'all' || queries[at]!.kind === kind).flat()
    line([kind, ...table.map(([, took]) => [0.5, 0.95, 1].map(share => quantile(of(took), share).toFixed(1)).join(' / '))])
  }
}
