import pLimit from 'p-limit'
import type { Db } from '../../../db/connection.js'
import { refreshStatistics } from '../../../db/queries/maintenance.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { findScoring, scheduleFirstScoring } from '../../../db/queries/relevance.js'
import { findLastFetch, isFetchDue, listSourceStates, markFetched } from '../../../db/queries/sources.js'
import { listExcerptSummaries } from '../../../db/queries/summaries.js'
import { findFirstUnselected, recordEntered } from '../../../db/queries/weekly-selection.js'
import { compactTally } from '../../../db/queries/tally.js'
import { minuteMs } from '../../../schemas/durations.js'
import { FetchResult, type SourceResult } from '../../../schemas/fetch.js'
import { ProjectInput } from '../../../schemas/project.js'
import { mondayOf } from '../../../schemas/utc-time.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { enqueueSummaries } from '../../jobs/new-jobs.js'
import { ingestFetched } from '../../papers/ingest-fetched.js'
import { entersFeedAtOnce, rescoringStart } from '../../relevance/interest.js'
import { learnedModel, minModelPapers } from '../../relevance/learned-model.js'
import { openProjectScoring } from '../../relevance/project-scoring.js'
import { type SignalReader, signalReader } from '../../relevance/signals.js'
import { tryToCompact } from '../../search/compaction.js'
import { indexPending } from '../../search/indexing.js'
import { fetchSource } from '../../sources/fetching/incremental-fetch.js'
import { selectWeeklyBest } from '../../relevance/weekly-selection.js'

/** Sources fetched concurrently; each waits for its own slots. */
const concurrentSources = 4
/**
 * Milliseconds after which a job begins no further source, and no further page of one: slow sources hold up the fetches of other accounts
 * no longer. What is left stays due, and follows in the account's next turn.
 */
const maxJobMs = 2 * minuteMs

/** The context of a fetch that reports its progress. */
export interface FetchContext extends Context {
  /** Fetches from every source, due or not, and to its end. */
  ignoreSchedule?: boolean
  /** Milliseconds after which nothing further begins, except the first source. */
  maxRunMs?: number
  /** Called after every page. */
  onProgress?: (progress: Pick<SourceResult, 'name' | 'query' | 'found' | 'entered'>) => void
}

/**
 * Fetches new papers of a project from its due sources, those that have been due for the longest time first. A failed source records its
 * error and does not stop the others. After an abort, or at the end of its time, the next run continues at the stored cursor.
 * @throws ProjectNotFound
 */
export const projectFetch = operation({
  name: 'project_fetch',
  title: 'Fetch new papers',
  description: 'Fetches from the due sources of a project and adds matching new papers to its feed.',
  input: ProjectInput,
  output: FetchResult,
  async handler (context: FetchContext, { project_id }) {
    const { db, account, now, ignoreSchedule = false, maxRunMs = ignoreSchedule ? Infinity : maxJobMs } = context
    await requireProject(context, project_id)
    const project = { id: project_id, account_id: account.id }
    const started = now()
    const lastFetch = await findLastFetch(db, account.id, project_id)
    const unselected = await findFirstUnselected(db, account.id, project_id)
    const states = (await listSourceStates(db, account.id, project_id)).filter(state => ignoreSchedule || isFetchDue(state, now()))
      .sort((one, other) => one.next_fetch_at.getTime() - other.next_fetch_at.getTime())
    const readSignals = signalCache(db, project)
    const openScoring = async () => await openProjectScoring(context, project_id, {
      withSignals: async (settings, records) => await (await readSignals(settings)).ofRecords(records),
      entersFeed: entersFeedAtOnce
    })
    const limit = pLimit(concurrentSources)
    const end = performance.now() + maxRunMs
    const isOver = () => performance.now() >= end
    const fetched = await Promise.all(states.map((state, at) => limit(async () => at > 0 && isOver()
      ? []
      : [await fetchSource({ ...context, isOver }, state, records => ingestFetched(context, { project, openScoring, records }))])))
    const sources = fetched.flat()
    // A fetch may end in the week after the one in which it, or one that was cut off, found the papers.
    const since = mondayOf(unselected !== null && unselected < started ? unselected : started)
    const others = await enterBestOfWeek(context, project, { since, sources })
    // Last, so that the next fetch knows if this one was cut off before.
    if (sources.some(({ error }) => error === null)) await markFetched(db, account.id, project_id, now())
    const entered = sources.reduce((sum, { entered }) => sum + entered, others)
    if (sources.length > 0) {
      // Also where nothing entered: a fetch that was cut off before may have left this to be done.
      await indexPending(searchStorage(db), project_id)
      await tryToCompact(context, searchStorage(db), project_id)
      await compactTally(db, project_id)
      await scheduleFirstScoring(db, account.id, project_id, { minPapers: minModelPapers, scoreAt: now() })
      await enqueueSummaries(context, project, await countUnwritten(context, project_id, lastFetch))
    }
    await refreshStatistics(db, entered)
    return { project_id, sources }
  }
})

/** @returns 1 if a paper that entered the feed since the last complete fetch waits for a written summary, else 0 */
async function countUnwritten ({ db, account, now, summaries }: FetchContext, projectId: string, lastFetch: Date | null): Promise<number> {
  if (summaries === undefined) return 0
  const earliest = rescoringStart(now())
  const since = lastFetch !== null && lastFetch > earliest ? lastFetch : earliest
  return (await listExcerptSummaries(db, account.id, projectId, since, [], 1)).length
}

/** Reads follows and liked papers once for all pages of a fetch, and again after a vote or a follow, which schedules a rescoring. */
function signalCache (db: Db, { id, account_id }: { id: string, account_id: string }) {
  let latest: { version: string, reader: Promise<SignalReader> } | undefined
  return async ({ scored_at, scoring_due_at }: { scored_at: Date | null, scoring_due_at: Date | null }): Promise<SignalReader> => {
    const version = `${scored_at?.getTime()} ${scoring_due_at?.getTime()}`
    if (latest?.version !== version) latest = { version, reader: signalReader(db, account_id, id) }
    const current = latest
    try {
      return await current.reader
    } catch (error) {
      if (latest === current) latest = undefined
      throw error
    }
  }
}

interface FetchedSources { since: Date, sources: SourceResult[] }

/**
 * Under a weekly limit, fetched papers wait among the candidates. Counts those that enter the feed now for the source that their records
 * name. @returns the number of those whose source was not fetched this time
 */
async function enterBestOfWeek (
  context: FetchContext,
  { id, account_id }: { id: string, account_id: string },
  { since, sources }: FetchedSources
): Promise<number> {
  const { db } = context
  const project = await findScoring(db, account_id, id)
  if (project === undefined || project.weekly_limit === 0) return 0
  const model = await learnedModel(db, account_id, id)
  const signals = await signalReader(db, account_id, id)
  const selected = await selectWeeklyBest(context, project, { model, signals, since, displacesSeen: false })
  for (const name of selected.sources) {
    const source = sources.find(each => each.name === name)
    if (source !== undefined) source.entered++
  }
  for (const { name, query, entered } of sources) await recordEntered(db, account_id, id, { name, query, entered })
  return selected.sources.filter(name => !sources.some(each => each.name === name)).length
}
