/* make bench [ONLY=http|start|import|fetch|score|pages|reader]; BENCH_DATABASE_URL adds PostgreSQL. docs/performance.md has the figures. */

/** Some benchmarks use what the tests share, which loads tap; its time limit of 30 s for a process would end them. */
process.env.TAP_TIMEOUT = '0'

const benchmarks = {
  start: async () => { await (await import('./start.js')).measureStart() },
  import: async () => { await (await import('./import.js')).measureImport() },
  fetch: async () => { await (await import('./fetch.js')).measureFetch() },
  score: async () => { await (await import('./score.js')).measureScore() },
  pages: async () => { await (await import('./pages.js')).measurePages() },
  reader: async () => { await (await import('./reader.js')).measureReader() },
  http: async () => { await (await import('./http.js')).measureHttp() }
}
const only = process.env.ONLY

for (const [name, measure] of Object.entries(benchmarks)) {
  if (only !== undefined && only !== '' && only !== name) continue
  process.stdout.write(`\n${name}\n`)
  await measure()
}

export {}
