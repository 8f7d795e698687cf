import { postgresUrl } from '../process.js'
import { makePapers } from './corpus.js'
import { addPapers, createProject } from './bench-project.js'
import { measureQueries, quantile } from './measure.js'
import { openBench } from './open.js'
import { makeQueries } from './queries.js'

const smallProjectSize = 1000

/**
 * Measures the same queries in a growing project and in a small project of the same database. Prints a table row for each size. @param
 * sizes papers, ascending
 */
export async function measureGrowth (sizes: readonly number[]): Promise<void> {
  const service = await openBench(postgresUrl === undefined ? 'embedded' : 'PostgreSQL')
  const queries = makeQueries([...makePapers(smallProjectSize)])
  const [small, large] = [await createProject(service.context), await createProject(service.context)]
  await addPapers(small, makePapers(smallProjectSize))
  let size = 0
  process.stdout.write(
    '| papers of the large project | p50 / p95 ms in it | p50 / p95 ms in a project of 1,000 papers |\n| --- | --- | --- |\n'
  )
  for (const next of sizes) {
    await addPapers(large, makePapers(next - size, size + 1))
    size = next
    const of = async (project: typeof small) => {
      const took = (await measureQueries(project, queries, 1)).flat()
      return `${quantile(took, 0.5).toFixed(1)} / ${quantile(took, 0.95).toFixed(1)}`
    }
    process.stdout.write(`| ${size.toLocaleString('en')} | ${await of(large)} | ${await of(small)} |\n`)
  }
  await service.close()
}
