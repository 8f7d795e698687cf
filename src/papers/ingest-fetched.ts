import { isDeepStrictEqual } from 'node:util'
import { runImportBatch, runSharedBatch } from '../../db/queries/import.js'
import { findScoring, lockScoring } from '../../db/queries/relevance.js'
import type { Db } from '../../db/connection.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Relevance } from '../../schemas/relevance.js'
import { requireRecord } from '../errors/deleted-records.js'
import { type ArrivingPaper, ingest, type Placement } from './ingest.js'
import { isFromJournalFeed } from './merge.js'
import { journalFeeds, sources } from './ownership.js'
import { ingestValid, type IngestResult, type NumberedRecord } from './valid-records.js'

/** The settings by which a project's papers are scored. */
type Scoring = NonNullable<Awaited<ReturnType<typeof findScoring>>>

/** Services that ingesting fetched records uses. */
export interface FetchContext {
  db: Db
  now: () => Date
  /** Scores records by a project's settings and learned model. */
  score: (project: Scoring, records: readonly PaperRecord[]) => Promise<Relevance[]>
  entersFeed: (relevance: Relevance, project: Scoring) => boolean
}

/** Fetched records, and the project that they are for. */
export interface FetchedBatch {
  project: { id: string, account_id: string }
  /** All from one source. */
  records: readonly NumberedRecord[]
  /** How new items enter the feed: those that a person asked for stay whatever their score. Default: fetch. */
  origin?: 'import' | 'fetch'
  /** Further values of the items that enter the feed. */
  values?: Placement['values']
  /** Called in the transaction, after the project was locked; throws to store nothing. */
  lock?: ((transaction: Db) => Promise<void>) | undefined
}

/**
 * Puts fetched records that match into the project's feed, and notes the others as its candidates. Sources' papers are shared; a journal
 * feed's belong to its reader. Records are scored by the settings that the project has when they are stored: a change of them waits, or
 * has the records scored again.
 */
export const ingestFetched = (
  { db, now, score, entersFeed }: FetchContext,
  { project: { id, account_id }, records, origin = 'fetch', values = {}, lock }: FetchedBatch
): Promise<IngestResult> =>
  ingestValid(records, async valid => {
    const [policy, inBatch] = valid.some(isFromJournalFeed) ? [journalFeeds, runImportBatch] : [sources, runSharedBatch]
    for (;;) {
      const project = requireRecord(await findScoring(db, account_id, id))
      const relevances = await score(project, valid)
      const byRecord = new Map(valid.map((record, at) => [record, relevances[at]!]))
      const placement = {
        origin,
        values,
        relevancesOf: (arriving: readonly ArrivingPaper[]) => arriving.map(({ record }) => byRecord.get(record)!),
        entersFeed: (relevance: Relevance) => entersFeed(relevance, project)
      }
      const counts = await inBatch(db, account_id, async transaction => {
        const { settings_changed_at } = requireRecord(await lockScoring(transaction, account_id, id))
        if (!isDeepStrictEqual(settings_changed_at, project.settings_changed_at)) return undefined
        await lock?.(transaction)
        return await ingest(transaction, { project, policy, placement, now }, valid)
      })
      if (counts !== undefined) return counts
    }
  })
