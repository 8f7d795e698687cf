import { runImportBatch } from '../../db/queries/import.js'
import type { Db } from '../../db/connection.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Relevance } from '../../schemas/relevance.js'
import { ingest } from './ingest.js'
import { importedFiles } from './ownership.js'
import { ingestValid, type IngestResult, type NumberedRecord } from './valid-records.js'

export interface ImportContext { db: Db, account: { id: string }, now: () => Date }

export interface ImportedBatch {
  projectId: string
  /** Called in the transaction before anything else: the settings that papers are scored by must not change until they are in. */
  scorerIn: (transaction: Db) => Promise<(paper: PaperRecord) => Relevance>
  records: readonly NumberedRecord[]
}

/**
 * Puts records that a person imports into a project's feed, all of them in one transaction. They match the account's own papers, which they
 * complete, and shared ones, which stay as they are: one user's text is not another's.
 */
export const ingestImported = ({ db, account, now }: ImportContext, { projectId, scorerIn, records }: ImportedBatch): Promise<IngestResult> =>
  ingestValid(records, valid => runImportBatch(db, account.id, async transaction => {
    const score = await scorerIn(transaction)
    const placement = { origin: 'import' as const, relevanceOf: score, entersFeed: () => true }
    return await ingest(transaction, { project: { id: projectId, account_id: account.id }, policy: importedFiles, placement, now }, valid)
  }))
