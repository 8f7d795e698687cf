import { feedSearch } from '../../src/operations/feed/feed-search.js'
import type { BenchProject } from './bench-project.js'
import type { BenchQuery } from './queries.js'

/** Runs each query as feed_search. @returns milliseconds of each round, by query, after one warm-up round */
export async function measureQueries (
  { context, projectId }: BenchProject,
  queries: readonly BenchQuery[],
  rounds: number
): Promise<number[][]> {
  const took: number[][] = queries.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [at, { kind, ...query }] of queries.entries()) {
      const began = performance.now()
      await feedSearch.run(context, { project_id: projectId, ...query })
      if (round > 0) took[at]!.push(performance.now() - began)
    }
  }
  return took
}

/** The value that this share of all values does not exceed. */
export function quantile (values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
