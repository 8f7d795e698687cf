import pLimit from 'p-limit'
import { refreshStatistics } from '../../../db/queries/import.js'
import { ownsProject } from '../../../db/queries/projects.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { listSourceStates, markFetched } from '../../../db/queries/sources.js'
import { compactTally } from '../../../db/queries/tally.js'
import { FetchResult, ProjectInput, type SourceResult } from '../../../schemas/project.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { enqueueSummaries } from '../../jobs/new-jobs.js'
import { type FetchContext as IngestContext, ingestFetched } from '../../papers/ingest-fetched.js'
import { entersFeed } from '../../relevance/interest.js'
import { learnedModel } from '../../relevance/learned-model.js'
import { compact } from '../../search/compaction.js'
import { indexPending } from '../../search/indexing.js'
import { fetchSource } from '../../sources/incremental-fetch.js'

/** Sources that are looked at together; each waits for its own turns. */
const sourcesAtOnce = 4
/** After so many new papers the planner is told. */
const manyPapers = 1000

export interface FetchContext extends Context {
  signal?: AbortSignal
  /** Looks at every source, whether its time has come or not. */
  atOnce?: boolean
  /** Told after every page. */
  onProgress?: (progress: Pick<SourceResult, 'name' | 'query' | 'found' | 'entered'>) => void
}

/**
 * Looks for new papers of a project at each of its sources. One that fails says so in its state and stops no other; an operation that
 * ends early goes on where it was the next time. @throws ProjectNotFound
 */
export const projectFetch = operation({
  name: 'project_fetch',
  title: 'Fetch new papers',
  description: 'Looks at the sources of a project whose time has come, and puts what is new into its feed.',
  input: ProjectInput,
  output: FetchResult,
  async handler (context: FetchContext, { project_id }) {
    const { db, account, now, relevance, atOnce = false } = context
    if (!await ownsProject(db, account.id, project_id)) throw new ProjectNotFound(project_id)
    const project = { id: project_id, account_id: account.id }
    const states = (await listSourceStates(db, account.id, project_id)).filter(state => atOnce || state.next_fetch_at <= now())
    const ingestContext: IngestContext = { db, now, entersFeed, score: async (scoring, records) => await relevance.score(scoring, await learnedModel(db, project_id), records) }
    const limit = pLimit(sourcesAtOnce)

    const sources = await Promise.all(states.map(state => limit(() => fetchSource(context, state, records => ingestFetched(ingestContext, { project, records })))))
    if (sources.some(({ error }) => error === null)) await markFetched(db, account.id, project_id, now())
    const entered = sources.reduce((sum, { entered }) => sum + entered, 0)
    if (entered > 0) {
      await indexPending(searchStorage(db), project_id)
      await compact(searchStorage(db), project_id)
      await compactTally(db, project_id)
    }
    if (entered > manyPapers) await refreshStatistics(db)
    await enqueueSummaries(context, project, entered)
    return { project_id, sources }
  }
})
