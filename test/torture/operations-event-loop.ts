import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { makePapers } from '../../bench/search/corpus.js'
import { widestQueries } from '../../bench/search/queries.js'
import { hostileQueries } from '../../bench/search/hostile.js'
import { renderInWorker } from '../../src/adapters/web/markdown/renderer.js'
import { buildApp } from '../../src/app.js'
import { readSettings } from '../../src/composition/settings.js'
import { OperationError } from '../../src/errors/operation-errors.js'
import { accountCreate } from '../../src/operations/accounts/account-create.js'
import { feedExport } from '../../src/operations/feed/feed-export.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { papersImport } from '../../src/operations/papers/papers-import.js'
import { newProjectPreview } from '../../src/operations/projects/new-project-preview.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { projectFetch } from '../../src/operations/projects/project-fetch.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { openService } from '../../src/service.js'
import { measureEventLoop } from '../support/event-loop.js'
import { feedServer } from './feed-server.js'
import { onBothKinds } from './operations-calls.js'
import { ms, report } from './report.js'
import { atEnd, environmentOf, temporaryDirectory } from './service.js'

const paperCount = Number(process.env.EVENT_LOOP_PAPERS ?? 100_000)
const [maxP999Ms, maxWorstMs] = [50, 200]
const mebibyte = 1024 * 1024

/** Measures the delay of the event loop of a service in this process while one account does whatever takes long. */
export const eventLoop = (): Promise<void> => onBothKinds(async (kind, environment) => {
  const feeds = await feedServer()
  const settings = readSettings(environmentOf({ ...environment, PRIVATE_ORIGINS: feeds.origin, JOBS: 'off' }))
  const silent = () => {}
  const service = await openService({ settings, log: { info: silent, warn: silent, error: silent }, name: 'torture', share: false })
  const app = await buildApp({ context: service.context, settings, logStream: { write: silent } })
  await app.ready()
  atEnd(async () => { await app.close(); await service.close() })
  const { id } = await accountCreate.run(service.context, { email: 'loop@example.org' })
  const context = { ...service.context, account: { id } }
  const sources = Array.from({ length: 10 }, (_each, at) => ({ name: 'feed', query: `${feeds.origin}/${at}` }))
  const { id: project_id } = await projectCreate.run(context, { name: 'Large', interest_description: 'Sleep and memory', sources })

  const measure = async (name: string, work: () => Promise<unknown>) => {
    const began = performance.now()
    const { p999, worst, worstCpu } = await measureEventLoop(work)
    report(`${kind}: ${name} (${ms(performance.now() - began)}), event-loop delay p99.9, worst, and CPU time at most`, `${maxP999Ms}, ${maxWorstMs} ms`, `${ms(p999)}, ${ms(worst)}, ${ms(worstCpu)}`, p999 <= maxP999Ms && worst <= maxWorstMs)
  }

  await measure('preview with ten feeds of 1.8 MB', () => newProjectPreview.run(context, { interest_description: 'Sleep', sources }))
  await measure('background fetch of ten feeds of 1.8 MB', () => projectFetch.run({ ...context, ignoreSchedule: true }, { project_id }))
  const file = join(temporaryDirectory(), 'papers.jsonl')
  await writePapers(file)
  await measure(`import of ${paperCount.toLocaleString('en')} papers`, () => papersImport.run(context, { project_id, files: [file] }))
  await measure('hostile searches', async () => {
    for (const q of [...widestQueries.map(({ q }) => q), ...hostileQueries(200)]) {
      await feedSearch.run(context, { project_id, q, limit: 100 }).catch(cause => { if (!(cause instanceof OperationError)) throw cause })
    }
  })
  await measure('learning and scoring', () => projectScore.run(context, { project_id }))
  await measure(`export of ${paperCount.toLocaleString('en')} papers`, async () => {
    const { parts } = await feedExport.run(context, { project_id, format: 'bibtex' })
    for await (const part of parts) if (part.length > 16 * mebibyte) throw new Error('A part of the export is too large.')
  })
  await measure('a full text of 2 MB', () => renderInWorker(`# A title\n\n${'Some *words* of a $x^2$ paragraph.\n\n'.repeat(57_000)}`, 'A title'))
  await measure('OpenAPI', async () => { await app.inject('/api/openapi.json') })
})

async function writePapers (path: string): Promise<void> {
  const file = createWriteStream(path)
  for (const paper of makePapers(paperCount)) if (!file.write(`${JSON.stringify(paper)}\n`)) await once(file, 'drain')
  file.end()
  await once(file, 'finish')
}
