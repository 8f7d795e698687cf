import type { Db } from '../../../db/connection.js'
import { isSourceDisabled } from '../../../db/queries/disabled-sources.js'
import { beginFetch, type FetchWindow, type SourceStateDetails, type StateKey, updateFetch } from '../../../db/queries/sources.js'
import type { SourceResult } from '../../../schemas/fetch.js'
import { fromDatabaseError } from '../../errors/database-errors.js'
import { wasDeleted } from '../../errors/deleted-records.js'
import { QuotaExceeded } from '../../errors/operation-errors.js'
import type { HttpClient } from '../../http/client.js'
import type { Log } from '../../observability/log.js'
import type { IngestResult, NumberedRecord } from '../../papers/valid-records.js'
import { reportFailure } from '../requests/fetch-failure.js'
import type { Requester } from '../requests/slot-queue.js'
import { findSource } from '../index.js'
import { prepareQuery } from './query.js'
import { type Source, type SourceContext, SourceError } from '../source.js'
import { dayMs, minuteMs } from '../../../schemas/durations.js'
import { dayAfter, dayOf } from '../../../schemas/utc-time.js'

/** When projects fetch from their sources. */
export interface FetchSchedule {
  /** Milliseconds between two fetches. */
  intervalMs: number
  /** Days that the first fetch covers. */
  days: number
}

/** The caller of a search, with a signal that ends it. Accounts take turns at the source's rate limit. */
export interface SourceCaller extends Requester { signal?: AbortSignal | undefined }

/** Dependencies that the composition root provides. */
export interface SourceServices {
  /** Requests of a source, within its rate limit. */
  readonly contextFor: (source: Source, caller?: SourceCaller) => SourceContext
  /** Fetches pages of papers: public addresses only, within the rate limit of the host. */
  readonly pages: HttpClient
  readonly fetching: FetchSchedule
  /** Milliseconds between two checks of a paper for notices; null: they are off. */
  readonly watchIntervalMs: number | null
}

/** Service and caller of a fetch. */
export interface SourceFetchContext {
  db: Db
  now: () => Date
  log: Log
  sources: SourceServices
  signal?: AbortSignal | undefined
  /** Whether the time of the fetch is over, after which it begins no further page. Default: no time limit. */
  isOver?: () => boolean
  /** Called after every page. */
  onProgress?: (progress: Pick<SourceResult, 'name' | 'query' | 'found' | 'entered'>) => void
}

/** Days that every source covers again: indexes add records late. */
const defaultOverlapDays = 3
/** Reasons of rejected records that a result lists. */
const maxRejections = 20
const [minBackoffMs, maxBackoffMs] = [5 * minuteMs, dayMs]

/**
 * Fetches new records from one source of a project and saves the cursor after every page, so that an interrupted fetch continues from
 * there. A failure of the source is a result like any other: the source's state keeps it, and the next fetch waits for a backoff. If the
 * account has no room for further papers, the fetch ends, and the state says so. A fetch whose time is over stays due.
 *
 * @param apply ingests one page of records
 */
export async function fetchSource (
  context: SourceFetchContext,
  key: StateKey,
  apply: (records: readonly NumberedRecord[]) => Promise<IngestResult>
): Promise<SourceResult> {
  const { db, now, signal, sources: { contextFor, fetching }, isOver = () => false, onProgress = () => {} } = context
  const { name, query: customQuery } = key
  const source = findSource(name)
  const result: SourceResult = { name, query: customQuery, found: 0, entered: 0, rejected: 0, rejections: [], error: null }
  const attempt = now()
  const begun = await beginFetch(db, key, state => ({
    last_attempt_at: attempt,
    ...planWindow(state, attempt, { days: fetching.days, overlapDays: source?.overlapDays ?? defaultOverlapDays })
  }))
  if (begun === undefined) return result
  const { window_from: from, window_to: to } = begun
  const fetch: Fetch = { context, key, attempt, result }
  try {
    const { source, query } = prepareQuery(key, begun.interest)
    const progress = progressIn(begun.cursor)
    let { shortfall } = progress
    for await (const { parsed, cursor, ...page } of source.search(contextFor(source, { signal, account: key.account_id }), {
      query,
      from,
      to,
      cursor: progress.cursor
    })) {
      shortfall = page.shortfall ?? shortfall
      const records: NumberedRecord[] = []
      for (const each of parsed) {
        if ('record' in each) records.push(each)
        else reject(result, each.reason)
      }
      const applied = await apply(records)
      for (const { reason } of applied.rejected) reject(result, reason)
      result.found += parsed.length
      result.entered += applied.created
      await updateFetch(db, key, attempt, {
        cursor: storedProgress(cursor, shortfall),
        papers_found: result.found,
        papers_entered: result.entered
      })
      onProgress(result)
      signal?.throwIfAborted()
      // The window stays open: the fetch continues in the next job, or when the source is enabled again.
      if (cursor !== null && (isOver() || await isSourceDisabled(db, name))) return result
    }
    await completeFetch(fetch, { to, shortfall })
  } catch (error) {
    // Cancelled, no database, a conflict in it, or the project deleted: not the source's failure.
    if (signal?.aborted === true || fromDatabaseError(error) !== undefined || wasDeleted(error)) throw error
    if (error instanceof QuotaExceeded) await postponeForQuota(fetch, error)
    else await recordFailure(fetch, error, begun.failures + 1)
  }
  return result
}

/** The source's cursor as it is stored: with the shortfall before it, which no later page repeats. */
const storedProgress = (cursor: string | null, shortfall: string | undefined): string | null =>
  cursor === null || shortfall === undefined ? cursor : `${progressMark}${JSON.stringify({ cursor, shortfall })}`

function progressIn (stored: string | null): { cursor: string | null, shortfall: string | undefined } {
  if (stored?.startsWith(progressMark) !== true) return { cursor: stored, shortfall: undefined }
  return JSON.parse(stored.slice(progressMark.length)) as { cursor: string, shortfall: string }
}

/** Begins a stored cursor with a shortfall; no source has such cursors. */
const progressMark = 'after a shortfall: '

/** A fetch under way. */
interface Fetch { context: SourceFetchContext, key: StateKey, attempt: Date, result: SourceResult }

/** Closes the window of a fetch that read it to its end. */
async function completeFetch (
  { context: { db, now, sources: { fetching } }, key, attempt, result }: Fetch,
  { to, shortfall }: { to: string, shortfall: string | undefined }
): Promise<void> {
  if (shortfall !== undefined) result.rejections.unshift(shortfall)
  await updateFetch(db, key, attempt, {
    ...result.found === 0 ? { papers_found: 0, papers_entered: 0 } : {},
    fetched_through: to,
    window_from: null,
    window_to: null,
    cursor: null,
    failures: 0,
    last_error: shortfall ?? null,
    last_fault: null,
    last_fetched_at: now(),
    // An old window that a failure left open is followed at once by the window up to today.
    next_fetch_at: to < dayOf(attempt) ? now() : new Date(now().getTime() + fetching.intervalMs)
  })
}

/** Ends a fetch for whose papers the account has no room. */
async function postponeForQuota (
  { context: { db, now, sources: { fetching } }, key, attempt, result }: Fetch,
  { userMessage }: QuotaExceeded
): Promise<void> {
  result.rejections.unshift(userMessage)
  await updateFetch(db, key, attempt, {
    // The next fetches cover these days again, in case there is room by then.
    window_from: null,
    window_to: null,
    cursor: null,
    failures: 0,
    last_error: userMessage,
    last_fault: null,
    last_fetched_at: now(),
    next_fetch_at: new Date(now().getTime() + fetching.intervalMs)
  })
}

/** Records a failure of the source, and schedules the next attempt after a backoff. */
async function recordFailure (
  { context: { db, now, log }, key, attempt, result }: Fetch,
  error: unknown,
  failures: number
): Promise<void> {
  result.error = reportFailure(log, error, { name: key.name, source: findSource(key.name) })
  const { fault, retryAfter } = error instanceof SourceError ? error : {}
  await updateFetch(db, key, attempt, {
    failures,
    last_error: result.error,
    last_fault: fault ?? 'wrong_answer',
    next_fetch_at: new Date(now().getTime() + Math.max(backoff(failures), (retryAfter ?? 0) * 1000)),
    // After any other failure the cursor may be the cause: start again.
    ...(fault === 'unavailable' || fault === 'rate_limited' ? {} : { cursor: null })
  })
}

/**
 * The window of a fetch. Days after today are of a clock that ran ahead: when they were really fetched is unknown, so such a listing starts
 * again, and the days of a first fetch are covered again.
 */
function planWindow (
  { window_from, window_to, fetched_through, cursor }: Pick<SourceStateDetails, 'window_from' | 'window_to' | 'fetched_through' | 'cursor'>,
  now: Date,
  { days, overlapDays }: { days: number, overlapDays: number }
): Pick<FetchWindow, 'window_from' | 'window_to' | 'cursor'> {
  const today = dayOf(now)
  const from = window_from !== null && window_from <= today
    ? window_from
    : fetched_through !== null && fetched_through <= today
      ? dayAfter(dayOf(new Date(fetched_through)), -overlapDays)
      : dayAfter(today, -Math.max(days, fetched_through === null ? 0 : overlapDays))
  // A fetch that continues from a cursor must keep its window.
  return cursor === null || (window_to ?? today) > today
    ? { window_from: from, window_to: today, cursor: null }
    : { window_from: from, window_to: window_to ?? today, cursor }
}

function reject (result: SourceResult, reason: string): void {
  result.rejected++
  if (result.rejections.length < maxRejections) result.rejections.push(reason)
}

/** Milliseconds until the next attempt: twice as long after each failure in a row. */
const backoff = (failures: number) => Math.min(minBackoffMs * 2 ** Math.min(failures - 1, 20), maxBackoffMs)
