import { Type } from 'typebox'
import type { Db } from '../../../db/connection.js'
import {
  deleteOldImports,
  finishLibraryImport,
  findLibraryImport,
  type LibraryImportDetails,
  lockLibraryImport,
  readImportParts,
  removeImportFile,
  saveImportedFeeds,
  saveImportProgress
} from '../../../db/queries/library-imports.js'
import { minuteMs } from '../../../schemas/durations.js'
import { ImportResult } from '../../../schemas/import.js'
import { maxKeptImports, maxKeptRejections } from '../../../schemas/library-import.js'
import { InvalidArguments, QuotaExceeded } from '../../errors/operation-errors.js'
import { PermanentFailure } from '../../jobs/failures.js'
import { learningDueAt } from '../../relevance/learned-model.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { countsOf, type ImportCounts, storedCounts, toImportResult } from '../../imports/import-counts.js'
import { inspectFile } from '../../imports/file-format.js'
import { type BatchProgress, importFiles } from '../../imports/import-files.js'
import { reclaimSpace } from '../../imports/reclaim-space.js'

const undone = () => new PermanentFailure('The import was undone.')

/** Slow sources and long files hold up the imports of other accounts no longer; the rest continues in another attempt. */
const maxTurnMs = 2 * minuteMs

/**
 * Runs an import that was queued. Another attempt continues where the last one stopped. Removes the file in the end.
 * @throws PermanentFailure if it was undone, its file is removed or unreadable, or the account would own too many papers
 */
export const libraryImportRun = operation({
  name: 'library_import_run',
  title: 'Run an import',
  description: 'Imports a stored file into a project.',
  input: Type.Object({ import_id: Type.String({ format: 'uuid' }) }, { additionalProperties: false }),
  output: ImportResult,
  async handler (context: Context, { import_id }) {
    const { db, account } = context
    const imported = await findLibraryImport(db, account.id, import_id)
    if (imported === undefined) throw new PermanentFailure('The import no longer exists.')
    // An attempt that finished it may have stopped before its job was done.
    if (imported.result !== null) return toImportResult(countsOf(imported.result, imported.file_name), imported.file_name)
    if (imported.undone_at !== null) throw undone()
    if (imported.pending_bytes === 0) throw new PermanentFailure('The file is no longer stored. Import it again.')
    try {
      const counts = await run(context, imported)
      await reclaimSpace(context, 'import')
      // Not only in maintenance: many imports may end in an hour.
      await deleteOldImports(db, account.id, maxKeptImports)
      return toImportResult(counts, imported.file_name)
    } catch (cause) {
      // A retry cannot do what this attempt could not.
      const isFinal = cause instanceof InvalidArguments || cause instanceof QuotaExceeded
      const error = isFinal ? new PermanentFailure(cause.message, { cause }) : cause
      if (error instanceof PermanentFailure) {
        await removeImportFile(db, account.id, import_id)
        await reclaimSpace(context, 'import')
      }
      throw error
    }
  }
})

async function run (context: Context, imported: LibraryImportDetails): Promise<ImportCounts> {
  const { db, account, files, now, signal } = context
  const { id, project_id, file_name, vote, visible_projects, feeds, created_at, pending_bytes } = imported
  const learns = ({ created }: ImportCounts) => vote !== null && created > 0
  const file = await files.create(pending_bytes)
  try {
    for await (const bytes of readImportParts(db, account.id, id)) await file.append(bytes)
    if (file.size < pending_bytes) throw undone()
    const counts = await importFiles(context, {
      projectId: project_id,
      files: [await inspect(file.path, file_name)],
      maxRejections: maxKeptRejections,
      visibleProjects: visible_projects,
      // All feeds of a file are added in one transaction: another attempt reads and counts them again.
      start: feeds === null && imported.counts !== null ? countsOf(imported.counts, file_name) : undefined,
      itemValues: { import_id: id, ...(vote === null ? {} : { vote, vote_import_id: id, voted_at: created_at, seen_at: created_at }) },
      lock: async transaction => await requireWanted(transaction, account.id, id),
      addedFeeds: feeds ?? [],
      async onFeeds (transaction, added) {
        await requireWanted(transaction, account.id, id)
        await saveImportedFeeds(transaction, account.id, id, added)
      },
      onBatch: async (transaction, progress, counts) => {
        const scoreAt = learns(counts) ? learningDueAt(now()) : undefined
        await saveImportProgress(transaction, account.id, id, { progress: progressOf(progress), counts: storedCounts(counts), scoreAt })
      },
      maxTurnMs,
      signal
    })
    const scoreAt = learns(counts) ? learningDueAt(now()) : undefined
    await finishLibraryImport(db, account.id, id, { result: storedCounts(counts), scoreAt })
    return counts
  } finally {
    await file.remove()
  }
}

async function inspect (path: string, name: string) {
  try {
    return await inspectFile(path, { name })
  } catch (cause) {
    if (cause instanceof InvalidArguments) throw new PermanentFailure('The file is empty or has an unknown format.', { cause })
    throw cause
  }
}

async function requireWanted (transaction: Db, accountId: string, id: string): Promise<void> {
  if (!await lockLibraryImport(transaction, accountId, id)) throw undone()
}

const progressOf = ({ bytes, totalBytes, read }: BatchProgress) => ({ bytes, total_bytes: totalBytes, read })
