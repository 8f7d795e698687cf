import { beginLibraryImport, deleteLibraryImport, finishLibraryImport } from '../../../db/queries/library-imports.js'
import { ownsProject } from '../../../db/queries/projects.js'
import { LibraryImport, LibraryImportInput, maxKeptRejections } from '../../../schemas/library-import.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { learningDueAt } from '../../relevance/learned-model.js'
import { formatNames } from '../../sources/formats/index.js'
import { operation } from '../operation.js'
import { papersImport } from './papers-import.js'

/** Imports a file that a person sent. Papers that the feed has keep their votes. @throws ProjectNotFound, InvalidArguments */
export const libraryImport = operation({
  name: 'library_import',
  title: 'Import a library',
  description:
    'Imports a file of your own library into a project, optionally with an upvote for each paper that it adds. It can be undone.',
  input: LibraryImportInput,
  output: LibraryImport,
  async handler (context, { project_id, file, learn = false }) {
    const { db, account, now } = context
    if (!await ownsProject(db, account.id, project_id)) throw new ProjectNotFound(project_id)
    const created_at = now()
    const file_name = readName(file.sentName)
    const vote = learn ? 'upvote' as const : null
    const id = await beginLibraryImport(db, { account_id: account.id, project_id, file_name, vote, created_at })
    const itemValues = { import_id: id, ...(learn ? { vote, voted_at: created_at } : {}) }
    const input = { project_id, files: [file.path] }
    const { rejected, ...counts } = await papersImport.run({ ...context, itemValues }, input).catch(async (cause: unknown) => {
      if (!(cause instanceof InvalidArguments)) throw cause
      // It is refused before anything is imported, with the path of a temporary file.
      await deleteLibraryImport(db, account.id, id)
      throw new InvalidArguments(`file is empty or has an unknown format. Formats: ${formatNames.join(', ')}.`, {
        userMessage: 'The file is empty or has an unknown format. Choose a RIS, BibTeX, nbib, CSL-JSON, PubMed XML or arXiv file.',
        cause
      })
    })
    const result = {
      ...counts,
      rejected_count: rejected.length,
      rejected: rejected.slice(0, maxKeptRejections).map(({ record, reason }) => ({ record, reason }))
    }
    await finishLibraryImport(db, account.id, id, { result, scoreAt: learn && counts.created > 0 ? learningDueAt(now()) : undefined })
    return { id, file_name, learned: learn, created_at: created_at.toISOString(), result, undone_at: null }
  }
})

/** People recognize an import by it: one line, without control and invisible characters. */
const readName = (name = ''): string =>
  name
    .slice(0, 1000)
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed() || 'Unnamed file'
