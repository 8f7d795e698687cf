import { europepmcStandIn } from '../test/support/stand-ins/europepmc.js'
import type { Publication } from '../test/support/stand-ins/papers.js'
import { pubmedStandIn } from '../test/support/stand-ins/pubmed.js'
import { postgresUrl, runCommand, temporaryDirectory } from './process.js'
import { reportBound } from './report.js'
import { texts } from './texts.js'
import { watchCommand } from './watch.js'

const count = 10_000

/** What came in lately: abstracts of 160 words. */
function newPapers (): Publication[] {
  const words = texts()
  const day = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  return Array.from({ length: count }, (_, at) => ({ title: `Sleep ${words(11)}`, abstract: words(160), date: day(at % 25 + 1), pmid: String(45_000_000 + at), doi: `10.5555/fetch.${at}` }))
}

/** Fetches and scores at the pace that the sources ask for, from a stand-in that answers at once. */
export async function measureFetch (): Promise<void> {
  const papers = newPapers()
  for (const [source, setting, standIn] of [['pubmed', 'PUBMED_URL', pubmedStandIn], ['europepmc', 'EUROPEPMC_URL', europepmcStandIn]] as const) {
    const { url, close } = await standIn(undefined, papers)
    for (const kind of postgresUrl === undefined ? ['embedded'] : ['embedded', 'PostgreSQL']) {
      const environment: Record<string, string> = { DATA_DIR: temporaryDirectory(), [setting]: url, ...(kind === 'embedded' ? {} : { DATABASE_URL: postgresUrl!, JWT_SECRET: 'x'.repeat(32) }) }
      const email = `fetch${Date.now()}@example.org`
      await runCommand(['user', 'create', '--email', email], environment)
      const { id: project } = await runCommand(['project', 'create', '--email', email, '--name', 'Bench', '--interest', 'sleep', '--source', `${source}=sleep`], environment)
      const { seconds, early, late } = await watchCommand(['fetch', '--project', project, '--json'], environment)
      reportBound(`fetch and score ${count.toLocaleString('en')} papers from ${source}, ${kind}`, seconds, 's', 300, 'at most')
      process.stdout.write(`| memory of that, second and last third | ${Math.round(early)} MB, ${Math.round(late)} MB | |\n`)
    }
    await close()
  }
}
