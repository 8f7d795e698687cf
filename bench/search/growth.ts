import { postgresUrl } from '../process.js'
import { makePapers } from './corpus.js'
import { emptyProject, fill } from './fill.js'
import { measureQueries, quantile } from './measure.js'
import { openBench } from './open.js'
import { makeQueries } from './queries.js'

const smallSize = 1000

/** What the same queries take while one project grows, in it and in a small one beside it. @param sizes rising */
export async function measureGrowth (sizes: readonly number[]): Promise<void> {
  const service = await openBench(postgresUrl === undefined ? 'embedded' : 'PostgreSQL')
  const queries = makeQueries([...makePapers(smallSize)])
  const [small, large] = [await emptyProject(service.context), await emptyProject(service.context)]
  await fill(small, makePapers(smallSize))
  let size = 0
  process.stdout.write('| papers of the large project | p50 / p95 ms in it | p50 / p95 ms in a project of 1,000 beside it |\n| --- | --- | --- |\n')
  for (const next of sizes) {
    await fill(large, makePapers(next - size, size + 1))
    size = next
    const of = async (project: typeof small) => {
      const took = (await measureQueries(project, queries, 1)).flat()
      return `${quantile(took, 0.5).toFixed(1)} / ${quantile(took, 0.95).toFixed(1)}`
    }
    process.stdout.write(`| ${size.toLocaleString('en')} | ${await of(large)} | ${await of(small)} |\n`)
  }
  await service.close()
}
