import { ExamplesAddInput, LibraryImportQueued } from '../../../schemas/library-import.js'
import { operation } from '../operation.js'
import { PaperListFile } from '../../imports/paper-list-file.js'
import { libraryImport } from './library-import.js'

/** @throws ProjectNotFound, QuotaExceeded, RateLimited */
export const examplesAdd = operation({
  name: 'examples_add',
  title: 'Add example papers',
  description: 'Looks papers up by their identifiers or titles, adds them to a project and, by default, upvotes them. It runs as an ' +
    'import: its result says which papers were not found and why, and it can be undone.',
  input: ExamplesAddInput,
  output: LibraryImportQueued,
  scope: 'act',
  handler: (context, { project_id, papers, vote = 'upvote' }) =>
    libraryImport.run(context, { project_id, file: new PaperListFile('Listed papers', papers), vote })
})
