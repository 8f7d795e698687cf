import { runImportBatch } from '../../db/queries/import.js'
import type { Db } from '../../db/connection.js'
import type { Caller } from '../../db/caller.js'
import { type Ingest, ingest, type Placement } from './ingest.js'
import { importedFiles } from './ownership.js'
import { type ProjectScoring, storeScored } from './store-scored.js'
import { addCounts, ingestValid, type IngestResult, type NumberedRecord } from './valid-records.js'

/** Services that an import uses. */
export interface ImportContext extends Caller {
  /** Papers that the account may own. */
  maxPapers: number
  now: () => Date
  signal?: AbortSignal | undefined
}

/** Records of imported files, and the project that they enter. */
export interface ImportedBatch {
  projectId: string
  /** The projects whose own papers the records may match; default: all of the account. */
  visibleProjects?: Ingest['visibleProjects']
  /** Called before each transaction, and again if the settings or the model have changed since. */
  openScoring: () => Promise<ProjectScoring>
  records: readonly NumberedRecord[]
  /** Further values of the items that enter the feed. */
  values?: Placement['values']
  /**
   * Called at the end of each transaction. @param result of all records up to the last of the transaction, together with those that do not
   * match the schema, also later ones
   */
  onStored?: ((transaction: Db, result: IngestResult, last: NumberedRecord) => Promise<void>) | undefined
}

/**
 * Puts records that a person imports into a project's feed, in one transaction unless they are very large. They match the account's own
 * papers, which they complete, and shared ones, which stay as they are: one user's text is not another's.
 * @throws QuotaExceeded if the account would own too many papers
 */
export const ingestImported = (
  { db, account, maxPapers, now, signal }: ImportContext,
  { projectId, visibleProjects, openScoring, records, values = {}, onStored }: ImportedBatch
): Promise<IngestResult> =>
  ingestValid(records, async (valid, { before, last }) => await storeScored(
    { openScoring, inTransaction: async run => await runImportBatch(db, account.id, run), signal },
    valid,
    async (transaction, { relevancesOf, entersFeed }) => {
      const counts = await ingest(transaction, {
        project: { id: projectId, account_id: account.id },
        visibleProjects,
        policy: importedFiles,
        placement: { origin: 'import', relevancesOf, entersFeed, values },
        maxPapers,
        now
      }, valid)
      await onStored?.(transaction, addCounts(before, counts), last)
      return counts
    }
  ))
