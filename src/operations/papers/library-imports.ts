import { listLibraryImports } from '../../../db/queries/library-imports.js'
import { LibraryImports } from '../../../schemas/library-import.js'
import { ProjectInput } from '../../../schemas/project.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'

const maxListed = 20

/** @throws ProjectNotFound */
export const libraryImports = operation({
  name: 'library_imports',
  title: 'List imports',
  description: 'Returns the newest imports into a project with their progress, and what was rejected and why.',
  input: ProjectInput,
  output: LibraryImports,
  scope: 'read',
  async handler ({ db, account }, { project_id }) {
    await requireProject({ db, account }, project_id)
    const rows = await listLibraryImports(db, account.id, project_id, maxListed)
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
      }))
    }
  }
})
