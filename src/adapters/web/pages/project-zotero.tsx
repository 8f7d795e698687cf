import { Type } from 'typebox'
import type { ZoteroCollection, ZoteroLibrary } from '../../../../schemas/zotero.js'
import { OperationError } from '../../../errors/operation-errors.js'
import type { Context } from '../../../operations/context.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import { zoteroCollections } from '../../../operations/zotero/zotero-collections.js'
import { zoteroConnect } from '../../../operations/zotero/zotero-connect.js'
import { zoteroDisconnect } from '../../../operations/zotero/zotero-disconnect.js'
import { zoteroGet } from '../../../operations/zotero/zotero-get.js'
import { zoteroLibraries } from '../../../operations/zotero/zotero-libraries.js'
import { zoteroProjectClear } from '../../../operations/zotero/zotero-project-clear.js'
import { zoteroProjectGet } from '../../../operations/zotero/zotero-project-get.js'
import { zoteroProjectSet } from '../../../operations/zotero/zotero-project-set.js'
import { zoteroSyncQueue } from '../../../operations/zotero/zotero-sync-queue.js'
import { accountPage, action } from '../page.js'
import { type Offer, ProjectZotero } from './project-zotero/view.js'

/** Connects the account with Zotero, and sets what a project syncs. */
export const projectZoteroPage = accountPage({
  url: '/projects/:project_id/zotero',
  operations: [projectsGet, zoteroGet, zoteroProjectGet, zoteroLibraries, zoteroCollections],
  query: Type.Object({
    ...projectsGet.input.properties,
    library: zoteroCollections.input.properties.library,
    // The page refreshes the state of a sync without asking Zotero.
    refresh: Type.Optional(Type.String())
  }),
  async show (context, { project_id = '', library, refresh }) {
    // Before anything is read.
    if (library !== undefined) zoteroCollections.check({ library })
    const project = await projectsGet.run(context, { project_id })
    const [connection, { sync }] = await Promise.all([zoteroGet.run(context, {}), zoteroProjectGet.run(context, { project_id })])
    const isOpen = connection.connected && connection.key_rejected_at === null && connection.paused_until === null
    const offer = isOpen && refresh !== 'true' ? await readOffer(context, library ?? sync?.library) : undefined
    return {
      title: `Zotero and ${project.name}`,
      project,
      content: <ProjectZotero project={project} connection={connection} sync={sync} offer={offer} />
    }
  },
  actions: {
    connect: action({
      operations: [projectsGet, zoteroConnect],
      fields: zoteroConnect.input,
      async run (context, { project_id, api_key }) {
        const input = zoteroConnect.check({ api_key: api_key ?? '' })
        await projectsGet.run(context, { project_id })
        const { username } = await zoteroConnect.run(context, input)
        return { to: zoteroOf(project_id), notice: `Connected with Zotero as ${username}.` }
      }
    }),
    disconnect: action({
      operations: [projectsGet, zoteroDisconnect],
      fields: Type.Object({}),
      async run (context, { project_id }) {
        await projectsGet.run(context, { project_id })
        await zoteroDisconnect.run(context, {})
        return { to: zoteroOf(project_id), notice: 'Disconnected from Zotero. The key was deleted.' }
      }
    }),
    save: action({
      operations: [zoteroProjectSet, zoteroSyncQueue],
      fields: Type.Pick(zoteroProjectSet.input, ['library', 'collections', 'learn', 'target']),
      async run (context, { project_id, library, collections, learn, target }) {
        await zoteroProjectSet.run(context, { project_id, library, collections, learn, target })
        await zoteroSyncQueue.run(context, { project_id })
        return { to: zoteroOf(project_id), notice: 'Saved. The sync starts now.' }
      }
    }),
    sync: action({
      operations: [zoteroSyncQueue],
      fields: Type.Object({}),
      async run (context, { project_id }) {
        await zoteroSyncQueue.run(context, { project_id })
        return { to: zoteroOf(project_id) }
      }
    }),
    stop: action({
      operations: [zoteroProjectClear],
      fields: Type.Object({}),
      async run (context, { project_id }) {
        await zoteroProjectClear.run(context, { project_id })
        return { to: zoteroOf(project_id), notice: 'This project no longer syncs with Zotero. Its papers stay.' }
      }
    })
  }
})

const zoteroOf = (projectId: string) => `/projects/${projectId}/zotero`

/** Reads the libraries and collections that can be synced. A failure is part of the page, which shows the last sync without it. */
async function readOffer (context: Context, chosen: string | undefined): Promise<Offer> {
  let libraries: ZoteroLibrary[] = []
  let collections: ZoteroCollection[] = []
  try {
    libraries = (await zoteroLibraries.run(context, {})).items
    const library = libraries.find(each => each.library === chosen) ?? libraries[0]
    if (library !== undefined) collections = (await zoteroCollections.run(context, { library: library.library })).items
    return { libraries, library, collections, problem: undefined }
  } catch (error) {
    if (!(error instanceof OperationError)) throw error
    return { libraries, library: undefined, collections, problem: error.userMessage }
  }
}
