import { listLibraryImports } from '../../../db/queries/library-imports.js'
import { importsPageSize, LibraryImports, LibraryImportsInput } from '../../../schemas/library-import.js'
import { operation } from '../operation.js'
import { readPage } from '../read-page.js'
import { requireProject } from '../require-project.js'

/** @throws ProjectNotFound */
export const libraryImports = operation({
  name: 'library_imports',
  title: 'List imports',
  description: 'Returns the imports into a project, newest first, with their progress, and what was rejected and why.',
  input: LibraryImportsInput,
  output: LibraryImports,
  scope: 'read',
  async handler ({ db, account }, { project_id, offset = 0 }) {
    await requireProject({ db, account }, project_id)
    const { rows, page } = await readPage({ limit: importsPageSize, offset }, async page =>
      await listLibraryImports(db, account.id, project_id, page))
    return {
      items: rows.map(({ id, file_name, vote, created_at, state, error, progress, result, feeds, undone_at, undo_pending }) => ({
        id,
        file_name,
        learned: vote !== null,
        created_at: created_at.toISOString(),
        state: result !== null ? 'done' as const : state ?? 'interrupted' as const,
        progress,
        error,
        result,
        feeds: feeds?.length ?? null,
        undone_at: undone_at?.toISOString() ?? null,
        undo_pending
      })),
      ...page
    }
  }
})
