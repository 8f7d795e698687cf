import { europepmcStandIn } from '../test/support/stand-ins/europepmc.js'
import type { Publication } from '../test/support/stand-ins/papers.js'
import { pubmedStandIn } from '../test/support/stand-ins/pubmed.js'
import { postgresUrl, runCommand, temporaryDirectory } from './process.js'
import { reportBound } from './report.js'
import { textGenerator } from './text-generator.js'
import { measureCommand } from './measure-command.js'

const paperCount = 10_000

/** Papers of the last 25 days with abstracts of 160 words. */
function recentPapers (): Publication[] {
  const words = textGenerator()
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  return Array.from({ length: paperCount }, (_, at) => ({
    title: `Sleep ${words(11)}`,
    abstract: words(160),
    date: day((at % 25) + 1),
    pmid: String(45_000_000 + at),
    doi: `10.5555/fetch.${at}`
  }))
}

/**
 * Measures fetching and scoring at the rate limits of the sources, with stand-ins that respond immediately. Prints a table row for each
 * source and database.
 */
export async function measureFetch (): Promise<void> {
  const papers = recentPapers()
  for (const [source, setting, standIn] of [
    ['pubmed', 'PUBMED_URL', pubmedStandIn],
    ['europepmc', 'EUROPEPMC_URL', europepmcStandIn]
  ] as const) {
    const { url, close } = await standIn(undefined, papers)
    for (const kind of postgresUrl === undefined ? ['embedded'] : ['embedded', 'PostgreSQL']) {
      const environment: Record<string, string> = {
        DATA_DIR: temporaryDirectory(),
        [setting]: url,
        ...(kind === 'embedded' ? {} : { DATABASE_URL: postgresUrl!, JWT_SECRET: 'x'.repeat(32) })
      }
      const email = `fetch${Date.now()}@example.org`
      await runCommand(['user', 'create', '--email', email], environment)
      const { id: project } = await runCommand(
        ['project', 'create', '--email', email, '--name', 'Bench', '--interest', 'sleep', '--source', `${source}=sleep`],
        environment
      )
      const { seconds, secondThirdMb, lastThirdMb } = await measureCommand(['fetch', '--project', project, '--json'], environment)
      reportBound(`fetch and score ${paperCount.toLocaleString('en')} papers from ${source}, ${kind}`, seconds, 's', 300, 'at most')
      process.stdout.write(
        `| resident memory, second and last third | ${Math.round(secondThirdMb)} MB, ${Math.round(lastThirdMb)} MB | |\n`
      )
    }
    await close()
  }
}
