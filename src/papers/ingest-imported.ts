import { runImportBatch } from '../../db/queries/import.js'
import type { Db } from '../../db/connection.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Relevance } from '../../schemas/relevance.js'
import { type ArrivingPaper, ingest, type Placement } from './ingest.js'
import { importedFiles } from './ownership.js'
import { addCounts, ingestValid, type IngestResult, type NumberedRecord } from './valid-records.js'

/** Services that an import uses. */
export interface ImportContext { db: Db, account: { id: string }, now: () => Date }

/** Scores papers by the settings and the model that a project had at one moment. */
export interface ProjectScoring {
  score: (papers: readonly PaperRecord[]) => Promise<Relevance[]>
  /** Called first in a transaction, to lock the settings. @returns false if they have changed */
  lock: (transaction: Db) => Promise<boolean>
}

/** Records of imported files, and the project that they enter. */
export interface ImportedBatch {
  projectId: string
  /** Called before each transaction, and again if the settings have changed since. */
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
 */
export const ingestImported = (
  { db, account, now }: ImportContext,
  { projectId, openScoring, records, values = {}, onStored }: ImportedBatch
): Promise<IngestResult> =>
  ingestValid(records, async (valid, { before, last }) => {
    const project = { id: projectId, account_id: account.id }
    for (;;) {
      const { score, lock } = await openScoring()
      const relevances = await score(valid)
      const byRecord = new Map(valid.map((record, at) => [record, relevances[at]!]))
      const placement = { origin: 'import' as const, relevancesOf: scorerOfArriving(byRecord, score), entersFeed: () => true, values }
      const counts = await runImportBatch(db, account.id, async transaction => {
        if (!await lock(transaction)) return undefined
        const counts = await ingest(transaction, { project, policy: importedFiles, placement, now }, valid)
        await onStored?.(transaction, addCounts(before, counts), last)
        return counts
      })
      if (counts !== undefined) return counts
    }
  })

/** Only papers with other texts than their records are scored in the transaction: those that were stored before. */
function scorerOfArriving (byRecord: ReadonlyMap<PaperRecord, Relevance>, score: ProjectScoring['score']): Placement['relevancesOf'] {
  return async (arriving: readonly ArrivingPaper[]) => {
    const others = arriving.filter(({ paper, record }) => paper.title !== record.title || paper.abstract !== record.abstract)
    const relevances = others.length === 0 ? [] : await score(others.map(({ paper }) => paper))
    const byPaper = new Map(others.map(({ paper }, at) => [paper, relevances[at]!]))
    return arriving.map(({ paper, record }) => byPaper.get(paper) ?? byRecord.get(record)!)
  }
}
