import { ImportInput, ImportResult } from '../../../schemas/import.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { toImportResult } from '../../imports/import-counts.js'
import { inspectFile } from '../../imports/file-format.js'
import { type BatchProgress, importFiles } from '../../imports/import-files.js'

/** Bounds memory if a large file has the wrong format. */
const maxListedRejections = 100_000

/** The context of an import that reports its progress. */
export interface ImportContext extends Context {
  /** Called after each batch, with the bytes read of all files. */
  onProgress?: (progress: BatchProgress) => void
}

/**
 * Imports files of bibliographic records into a project's feed, and the journal feeds of OPML files into its sources. A missing file or an
 * unknown format fails before anything is imported; after that, an invalid record is reported and the others are imported.
 *
 * @throws ProjectNotFound, InvalidArguments, QuotaExceeded
 */
export const papersImport = operation({
  name: 'papers_import',
  title: 'Import papers',
  description: 'Imports files of bibliographic records into a project\'s feed. Existing papers are updated, not duplicated.',
  input: ImportInput,
  output: ImportResult,
  async handler (context: ImportContext, { project_id, files: paths, format: formatName }) {
    await requireProject(context, project_id)
    const files = await Promise.all(paths.map(async path => await inspectFile(path, { formatName })))
    const counts = await importFiles(context, {
      projectId: project_id,
      files,
      maxRejections: maxListedRejections,
      onBatch: (_db, progress) => context.onProgress?.(progress)
    })
    return toImportResult(counts, paths.at(-1)!)
  }
})
