import { measureFetch } from './fetch.js'
import { measureHttp } from './http.js'
import { measureImport } from './import.js'
import { measurePages } from './pages.js'
import { measureScore } from './score.js'
import { measureStart } from './start.js'

/* make bench [ONLY=http|start|import|fetch|score|pages]; BENCH_DATABASE_URL adds PostgreSQL. docs/performance.md records the figures. */

const benchmarks = {
  start: measureStart,
  import: measureImport,
  fetch: measureFetch,
  score: measureScore,
  pages: measurePages,
  http: measureHttp
}
const only = process.env.ONLY

for (const [name, measure] of Object.entries(benchmarks)) {
  if (only !== undefined && only !== '' && only !== name) continue
  process.stdout.write(`\n${name}\n`)
  await measure()
}
