import { undoLibraryImport } from '../../../db/queries/import-undo.js'
import { LibraryImportReference, LibraryImportUndone } from '../../../schemas/library-import.js'
import { NotFound } from '../../errors/operation-errors.js'
import { reclaimSpace } from '../../imports/reclaim-space.js'
import { learningDueAt } from '../../relevance/learned-model.js'
import { operation } from '../operation.js'

/** @throws NotFound for an import that is missing, another account's, or undone */
export const libraryImportUndo = operation({
  name: 'library_import_undo',
  title: 'Undo an import',
  description:
    'Removes the papers, journal feeds and votes that an import added to a project, and stops it if it runs. What the project had ' +
    'before stays, as do papers that a source or another import found too or that you rated, saved, tagged or annotated, and votes that ' +
    'changed since.',
  input: LibraryImportReference,
  output: LibraryImportUndone,
  async handler (context, { project_id, import_id }) {
    const { db, account, now } = context
    const removed = await undoLibraryImport(db, account.id, {
      projectId: project_id,
      id: import_id,
      now: now(),
      scoreAt: learningDueAt(now())
    })
    if (removed === undefined) {
      throw new NotFound(
        'This import does not exist, or it was undone already. GET /api/projects/{project_id}/imports lists the imports of a project.',
        { userMessage: 'This import doesn’t exist, or it was undone already. Open the page again.' }
      )
    }
    await reclaimSpace(context, 'import')
    return { removed: removed.items, feeds_removed: removed.feeds }
  }
})
