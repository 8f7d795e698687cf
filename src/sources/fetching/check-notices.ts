import { dayMs, hourMs } from '../../../schemas/durations.js'
import type { Db } from '../../../db/connection.js'
import { DataRefused, ForeignKeyViolation } from '../../../db/errors.js'
import { saveLinks } from '../../../db/queries/citations.js'
import { isSourceDisabled, listDisabledSources } from '../../../db/queries/disabled-sources.js'
import {
  type WatchedPaper, hasDuePaper, listPapersToCheck, markChecked, markCheckFailed, saveNotices
} from '../../../db/queries/notice-checks.js'
import { saveOpenCopies } from '../../../db/queries/open-copies.js'
import type { Log } from '../../observability/log.js'
import { reportFailure } from '../requests/fetch-failure.js'
import { checkWithForms } from './check-forms.js'
import type { SourceServices } from './incremental-fetch.js'
import { sources } from '../index.js'
import { type NoticeSource, type Source, SourceError } from '../source.js'

interface CheckContext { db: Db, now: () => Date, log: Log, sources: SourceServices, signal?: AbortSignal | undefined }

const maxDelayMs = dayMs
/** Batches of one source in one run; the next run continues. */
const maxBatches = 50
/** Requests that are spent on finding the papers which make a batch fail. */
const maxSplits = 32

/**
 * Failed requests in a row after which the source itself is wrong, not its papers: finding the first of a batch takes one for each halving,
 * and its neighbors may be wrong too.
 */
const maxFailuresInRow = (batchSize: number) => Math.ceil(Math.log2(batchSize)) + 3

/** Result of a run. */
export interface NoticeCheck { checked: number, failing: string[] }

type WatchedSource = Source & { notices: NoticeSource }

/** The sources that report notices and are not disabled. */
async function listWatched (db: Db): Promise<WatchedSource[]> {
  const disabled = (await listDisabledSources(db)).map(({ name }) => name)
  return sources.filter((source): source is WatchedSource => source.notices !== undefined && !disabled.includes(source.name))
}

/** Whether a source has to be asked about a paper now. */
export async function hasPapersToCheck (
  { db, now, sources: { watchIntervalMs } }: Pick<CheckContext, 'db' | 'now' | 'sources'>
): Promise<boolean> {
  if (watchIntervalMs === null) return false
  for (const { name, notices: { identifiers, dois } } of await listWatched(db)) {
    if (await hasDuePaper(db, { source: name, identifiers, dois, now: now() })) return true
  }
  return false
}

/**
 * Asks every source about the papers that accounts watch, in batches, and saves what it states: notices, what the papers cite, and where
 * everyone can read them. A source that fails delays its own checks and no other's; what it stated before stays.
 */
export async function checkNotices (context: CheckContext): Promise<NoticeCheck> {
  const { db, sources: { watchIntervalMs } } = context
  if (watchIntervalMs === null) return { checked: 0, failing: [] }
  const watched = await listWatched(db)
  const results = await Promise.all(watched.map(async source => await checkSource(context, source, watchIntervalMs)))
  return {
    checked: results.reduce((sum, { checked }) => sum + checked, 0),
    failing: watched.filter((_source, at) => results[at]!.failed).map(({ name }) => name)
  }
}

/** The error of a source; one whose statements cannot be stored or linked has sent a wrong answer. */
function failureOf (error: unknown): SourceError | undefined {
  if (error instanceof SourceError) return error
  // A paper that was merged or deleted meanwhile is not the source's fault.
  if (error instanceof ForeignKeyViolation) return undefined
  return error instanceof DataRefused || error instanceof URIError
    ? new SourceError('wrong_answer', 'The answer has characters that cannot be stored.', { cause: error })
    : undefined
}

async function checkSource (
  context: CheckContext,
  source: WatchedSource,
  intervalMs: number
): Promise<{ checked: number, failed: boolean }> {
  const { db, now, log, signal, sources: { contextFor } } = context
  const { name, notices: { identifiers, dois, batchSize, statedAs } } = source
  const sourceContext = { ...contextFor(source, { signal }), log }
  let checked = 0
  let failed = false
  let splits = 0
  let failuresInRow = 0
  /** @returns whether the source can be asked further */
  const checkBatch = async (papers: readonly WatchedPaper[]): Promise<boolean> => {
    const ids = papers.map(({ id }) => id)
    try {
      const checkedPapers = await checkWithForms(source.notices, sourceContext, papers)
      await saveNotices(db, checkedPapers, statedAs.map(origin => origin.name), now())
      await saveLinks(db, checkedPapers, now())
      await saveOpenCopies(db, checkedPapers, now())
      await markChecked(db, name, ids, { now: now(), next: new Date(now().getTime() + intervalMs) })
      checked += papers.length
      failuresInRow = 0
      return true
    } catch (error) {
      const failure = failureOf(error)
      if (signal?.aborted === true || failure === undefined) throw error
      // One paper's identifier or record may make the answer unusable for all: halves find it.
      failuresInRow++
      const mayBeOnePaper = (failure.fault === 'bad_query' || failure.fault === 'wrong_answer') &&
        splits < maxSplits && failuresInRow < maxFailuresInRow(batchSize)
      if (mayBeOnePaper && papers.length > 1) {
        splits += 2
        const half = Math.ceil(papers.length / 2)
        return await checkBatch(papers.slice(0, half)) && await checkBatch(papers.slice(half))
      }
      reportFailure(log, failure, { name, source })
      failed = true
      const delayMs = Math.max(hourMs, (failure.retryAfter ?? 0) * 1000)
      await markCheckFailed(db, name, ids, { now: now(), delayMs, maxDelayMs: Math.max(maxDelayMs, delayMs) })
      return mayBeOnePaper
    }
  }
  // Listed once, because the query reads what all accounts watch.
  const due = await listPapersToCheck(db, { source: name, identifiers, dois, now: now(), limit: maxBatches * batchSize })
  for (let from = 0; from < due.length; from += batchSize) {
    if (await isSourceDisabled(db, name) || !await checkBatch(due.slice(from, from + batchSize))) break
    signal?.throwIfAborted()
  }
  return { checked, failed }
}
