import { findImportRejections } from '../../../db/queries/import-rejections.js'
import { LibraryImportRejections, LibraryImportRejectionsInput, maxKeptRejections } from '../../../schemas/library-import.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { NotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'
import { readPage, requireOffset } from '../read-page.js'

/** @throws InvalidArguments, and NotFound for an import that is missing, in another project or another account's */
export const libraryImportRejections = operation({
  name: 'library_import_rejections',
  title: 'List the rejected records of an import',
  description: 'Returns a page of the records that an import rejected, with the reasons.',
  input: LibraryImportRejectionsInput,
  output: LibraryImportRejections,
  scope: 'read',
  async handler ({ db, account }, { project_id, import_id, limit = defaultLimit, offset = 0 }) {
    requireOffset(offset, maxKeptRejections, 'rejected records')
    let rejected_count = 0
    const { rows, page } = await readPage({ limit, offset }, async page => {
      const found = await findImportRejections(db, account.id, { projectId: project_id, id: import_id }, page)
      if (found === undefined) throw missingImport()
      rejected_count = found.rejected_count
      return found.rejected
    })
    return { items: rows, rejected_count, ...page }
  }
})

const missingImport = () =>
  new NotFound('This import does not exist. GET /api/projects/{project_id}/imports lists the imports of a project.', {
    userMessage: 'This import doesn’t exist. The import page of the project lists its imports.'
  })
