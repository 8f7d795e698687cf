import { Type } from 'typebox'
import { maxListedRejections } from '../../../../schemas/library-import.js'
import { InvalidArguments } from '../../../errors/operation-errors.js'
import { examplesAdd } from '../../../operations/papers/examples-add.js'
import { libraryImport } from '../../../operations/papers/library-import.js'
import { libraryImportUndo } from '../../../operations/papers/library-import-undo.js'
import { libraryImportRejections } from '../../../operations/papers/library-import-rejections.js'
import { libraryImports } from '../../../operations/papers/library-imports.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import { fromText } from '../fields.js'
import { accountPage, action } from '../page.js'
import { formatPapers } from '../components/figures.js'
import { RejectionsPage } from './project-import/rejections.js'
import { ProjectImport, feeds, type Rejected } from './project-import/view.js'

/** Imports a person's own library into a project, and undoes imports. */
export const projectImportPage = accountPage({
  url: '/projects/:project_id/import',
  operations: [projectsGet, libraryImports, libraryImportRejections],
  query: libraryImports.input,
  async show (context, { project_id = '', offset }) {
    // Before anything is read.
    const input = libraryImports.check({ project_id, offset }, fromText)
    // First, so that a missing project has one message.
    const project = await projectsGet.run(context, { project_id })
    const imports = await libraryImports.run(context, input)
    const ofFailed = new Map<string, Rejected>()
    for (const { id } of imports.items.filter(({ state }) => state === 'failed' || state === 'interrupted')) {
      const { items, rejected_count } =
        await libraryImportRejections.run(context, { project_id: project.id, import_id: id, limit: maxListedRejections })
      ofFailed.set(id, { rejected: items, rejected_count })
    }
    return {
      title: `Import into ${project.name}`,
      project,
      content: <ProjectImport imports={imports} ofFailed={ofFailed} path={importOf(project.id)} />
    }
  },
  actions: {
    import: action({
      operations: [libraryImport],
      fields: Type.Object({ ...Type.Pick(libraryImport.input, ['file']).properties, learn: Type.Boolean() }),
      async run (context, { project_id, file, learn }) {
        // A form without a chosen file sends an empty one.
        if (file?.size === undefined || file.size === 0) throw new InvalidArguments('Choose a file that is not empty.')
        await libraryImport.run(context, { project_id, file, vote: learn === true ? 'upvote' : 'none' })
        return { to: importOf(project_id), notice: `${file.sentName ?? 'The file'} is being imported.` }
      }
    }),
    add: action({
      operations: [examplesAdd],
      fields: Type.Object({ papers: Type.Optional(Type.String()), learn: Type.Boolean() }),
      async run (context, { project_id, papers, learn }) {
        const lines = (papers ?? '').split('\n').map(line => line.trim()).filter(line => line !== '')
        await examplesAdd.run(context, { project_id, papers: lines, vote: learn === true ? 'upvote' : 'none' })
        return { to: importOf(project_id), notice: 'The papers are being added.' }
      }
    }),
    undo: action({
      operations: [libraryImportUndo],
      fields: Type.Pick(libraryImportUndo.input, ['import_id']),
      async run (context, { project_id, import_id }) {
        const { removed, feeds_removed } = await libraryImportUndo.run(context, { project_id, import_id })
        const undone = feeds_removed > 0 ? feeds(feeds_removed) : formatPapers(removed)
        return { to: importOf(project_id), notice: `Import undone: ${undone} removed.` }
      }
    })
  }
})

const rejectionsPageSize = 100

/** The records that an import rejected, with the reasons. */
export const projectImportRejectionsPage = accountPage({
  url: '/projects/:project_id/import/:import_id/rejected',
  operations: [projectsGet, libraryImportRejections],
  query: Type.Pick(libraryImportRejections.input, ['project_id', 'import_id', 'offset']),
  async show (context, { project_id = '', import_id, offset }) {
    // Before anything is read.
    const input = libraryImportRejections.check({ project_id, import_id, offset, limit: rejectionsPageSize }, fromText)
    const page = await libraryImportRejections.run(context, input)
    const project = await projectsGet.run(context, { project_id })
    const importsPath = importOf(project.id)
    return {
      title: `Rejected records in ${project.name}`,
      project,
      content: <RejectionsPage page={page} path={`${importsPath}/${input.import_id}/rejected`} importsPath={importsPath} />
    }
  }
})

const importOf = (projectId: string) => `/projects/${projectId}/import`
