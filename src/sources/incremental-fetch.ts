import { beginLook, type StateKey, updateLook } from '../../db/queries/sources.js'
import type { SourceResult } from '../../schemas/project.js'
import { SourceError } from './source.js'
import { findSource } from './index.js'
import type { FetchContext } from '../operations/projects/project-fetch.js'
import type { IngestResult, NumberedRecord } from '../papers/valid-records.js'
import { questionFor } from './query.js'
import { fromDatabaseError } from '../errors/database-errors.js'
import { wasDeleted } from '../errors/still-exists.js'

const minute = 60_000
const day = 24 * 60 * minute
/** Days that are looked at again: indexes add records late. */
const overlap = 3
/** Reasons that are kept of a walk's rejections. */
const shownRejections = 20
const longestDelay = day

/**
 * Walks over what is new at one source and notes page by page how far it came, so that a walk that breaks off goes on from there.
 * A failure of the source is a result like another: it stands in the state, and the next look comes after a delay that grows with each.
 */
export async function walkSource (
  context: FetchContext,
  key: StateKey,
  apply: (records: readonly NumberedRecord[]) => Promise<IngestResult>
): Promise<SourceResult> {
  const { db, now, log, signal, sources: { contextFor, fetching }, onProgress = () => {} } = context
  const { name, query: ownQuery } = key
  const known = findSource(name)
  const result: SourceResult = { name, query: ownQuery, found: 0, entered: 0, rejected: 0, rejections: [], error: null }
  const attempt = now()
  const today = dateOf(attempt)
  const look = await beginLook(db, key, ({ window_from, window_to, fetched_through, cursor }) => ({
    last_attempt_at: attempt,
    window_from: window_from ?? (fetched_through === null ? daysBefore(attempt, fetching.days) : daysBefore(new Date(fetched_through), known?.overlap ?? overlap)),
    // Only a walk that goes on in the middle is bound to the window that it began with.
    window_to: cursor === null ? today : window_to ?? today
  }))
  if (look === undefined) return result
  const { window_from: from, window_to: to } = look
  try {
    const { source, query } = questionFor(key, look.interest)
    let shortfall: string | undefined
    for await (const { readings, cursor, ...page } of source.search(contextFor(source, signal), { query, from, to, cursor: look.cursor })) {
      shortfall = page.shortfall ?? shortfall
      const records: NumberedRecord[] = []
      for (const reading of readings) {
        if ('record' in reading) records.push(reading)
        else reject(result, reading.reason)
      }
      const applied = await apply(records)
      for (const { reason } of applied.rejected) reject(result, reason)
      result.found += readings.length
      result.entered += applied.created
      await updateLook(db, key, attempt, { cursor, papers_found: result.found, papers_entered: result.entered })
      onProgress(result)
      signal?.throwIfAborted()
    }
    if (shortfall !== undefined) result.rejections.unshift(shortfall)
    await updateLook(db, key, attempt, {
      ...result.found === 0 ? { papers_found: 0, papers_entered: 0 } : {},
      fetched_through: to,
      window_from: null,
      window_to: null,
      cursor: null,
      failures: 0,
      last_error: shortfall ?? null,
      last_fetched_at: now(),
      // A window that a failure had left behind is followed by the one up to today.
      next_fetch_at: to < today ? now() : new Date(now().getTime() + fetching.interval)
    })
  } catch (error) {
    // Stopped from outside, without a database, taken back by it, or without its project: nothing of this is the source's doing.
    if (signal?.aborted === true || fromDatabaseError(error) !== undefined || wasDeleted(error)) throw error
    if (!(error instanceof SourceError)) log.error({ err: error, source: name, project: key.project_id }, 'An answer of a source could not be dealt with.')
    const { fault, retryAfter } = error instanceof SourceError ? error : { fault: undefined, retryAfter: undefined }
    result.error = error instanceof SourceError ? error.message : `${known?.title ?? name} gave something that could not be dealt with; the log has the details.`
    const failures = look.failures + 1
    await updateLook(db, key, attempt, {
      failures,
      last_error: result.error,
      next_fetch_at: new Date(now().getTime() + Math.max(delayAfter(failures), (retryAfter ?? 0) * 1000)),
      // A cursor may have run out, and a question that was wrong is asked anew from its beginning.
      ...(fault === 'unavailable' || fault === 'rate_limited' ? {} : { cursor: null })
    })
  }
  return result
}

function reject (result: SourceResult, reason: string): void {
  result.rejected++
  if (result.rejections.length < shownRejections) result.rejections.push(reason)
}

/** Five minutes, then twice as long after each failure in a row, a day at most. */
const delayAfter = (failures: number) => Math.min(5 * minute * 2 ** Math.min(failures - 1, 20), longestDelay)
const dateOf = (time: Date) => time.toISOString().slice(0, 10)
const daysBefore = (time: Date, days: number) => dateOf(new Date(time.getTime() - days * day))
