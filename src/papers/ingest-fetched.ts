import { runImportBatch, runSharedBatch } from '../../db/queries/import.js'
import type { Db } from '../../db/connection.js'
import { type Ingest, ingest, type Placement } from './ingest.js'
import { isFromJournalFeed } from './same-work.js'
import { journalFeeds, sources } from './ownership.js'
import { type ProjectScoring, storeScored } from './store-scored.js'
import { ingestValid, type IngestResult, type NumberedRecord } from './valid-records.js'

/** Services that ingesting fetched records uses. */
export interface FetchContext { db: Db, maxPapers: number, now: () => Date, signal?: AbortSignal | undefined }

/** Fetched records, and the project that they are for. */
export interface FetchedBatch {
  project: { id: string, account_id: string }
  /** The projects whose own papers the records may match; default: all of the account. */
  visibleProjects?: Ingest['visibleProjects']
  /** Called before each transaction, and again if the settings or the model have changed since. */
  openScoring: () => Promise<ProjectScoring>
  /** All from one source. */
  records: readonly NumberedRecord[]
  /** How new items enter the feed: those that a person asked for stay whatever their score. Default: fetch. */
  origin?: 'import' | 'fetch'
  /** What found the papers. Default: the source that their records name. */
  foundBy?: Placement['foundBy']
  /** Further values of the items that enter the feed. */
  values?: Placement['values']
}

/**
 * Puts fetched records that match into the project's feed, and notes the others as its candidates. Sources' papers are shared; a journal
 * feed's belong to its reader. @throws QuotaExceeded if the reader would own too many papers
 */
export const ingestFetched = (
  { db, maxPapers, now, signal }: FetchContext,
  { project, visibleProjects, openScoring, records, origin = 'fetch', foundBy, values = {} }: FetchedBatch
): Promise<IngestResult> =>
  ingestValid(records, async valid => {
    const [policy, inBatch] = valid.some(isFromJournalFeed) ? [journalFeeds, runImportBatch] : [sources, runSharedBatch]
    return await storeScored(
      { openScoring, inTransaction: async run => await inBatch(db, project.account_id, run), signal },
      valid,
      async (transaction, { relevancesOf, entersFeed }) => await ingest(transaction, {
        project,
        visibleProjects,
        policy,
        placement: { origin, relevancesOf, entersFeed, foundBy, values },
        maxPapers,
        now
      }, valid)
    )
  })
