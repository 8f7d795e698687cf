import { runImportBatch } from '../../db/queries/import.js'
import type { Db } from '../../db/connection.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Relevance } from '../../schemas/relevance.js'
import { ingest, type Placement } from './ingest.js'
import { importedFiles } from './ownership.js'
import { addCounts, ingestValid, type IngestResult, type NumberedRecord } from './valid-records.js'

/** Services that an import uses. */
export interface ImportContext { db: Db, account: { id: string }, now: () => Date }

/** Records of imported files, and the project that they enter. */
export interface ImportedBatch {
  projectId: string
  /** Called first in the transaction, to lock the settings that papers are scored by. */
  scorerIn: (transaction: Db) => Promise<(paper: PaperRecord) => Relevance>
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
 */
export const ingestImported = (
  { db, account, now }: ImportContext,
  { projectId, scorerIn, records, values = {}, onStored }: ImportedBatch
): Promise<IngestResult> =>
  ingestValid(records, (valid, { before, last }) =>
    runImportBatch(db, account.id, async transaction => {
      const score = await scorerIn(transaction)
      const placement = { origin: 'import' as const, relevanceOf: score, entersFeed: () => true, values }
      const project = { id: projectId, account_id: account.id }
      const counts = await ingest(transaction, { project, policy: importedFiles, placement, now }, valid)
      await onStored?.(transaction, addCounts(before, counts), last)
      return counts
    })
  )
