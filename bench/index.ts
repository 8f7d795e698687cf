import { measureFetch } from './fetch.js'
import { measureHttp } from './http.js'
import { measureImport } from './import.js'
import { measurePages } from './pages.js'
import { measureReader } from './reader.js'
import { measureScore } from './score.js'
import { measureStart } from './start.js'

/* make bench [ONLY=http|start|import|fetch|score|pages|reader]; BENCH_DATABASE_URL adds PostgreSQL. docs/performance.md has the figures. */

const benchmarks = {
  start: measureStart,
  import: measureImport,
  fetch: measureFetch,
  score: measureScore,
  pages: measurePages,
  reader: measureReader,
  http: measureHttp
}
const only = process.env.ONLY

for (const [name, measure] of Object.entries(benchmarks)) {
  if (only !== undefined && only !== '' && only !== name) continue
  process.stdout.write(`\n${name}\n`)
  await measure()
}
