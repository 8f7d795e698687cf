import { findZoteroSyncStatus } from '../../../db/queries/zotero.js'
import { ProjectInput } from '../../../schemas/project.js'
import { ZoteroProjectResult } from '../../../schemas/zotero.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'

/** @throws ProjectNotFound */
export const zoteroProjectGet = operation({
  name: 'zotero_project_get',
  title: 'Get a project\'s sync with Zotero',
  description: 'Returns the sync settings of a project, the counts of papers synced, and the last error.',
  input: ProjectInput,
  output: ZoteroProjectResult,
  async handler ({ db, account }, { project_id }) {
    await requireProject({ db, account }, project_id)
    const sync = await findZoteroSyncStatus(db, account.id, project_id)
    if (sync === undefined) return { sync: null }
    const { library, library_name, collections, learn, target, counts, syncing, last_error } = sync
    return {
      sync: {
        library,
        library_name,
        collections,
        learn,
        target,
        imported: counts.imported ?? 0,
        sent: counts.sent ?? 0,
        refused: counts.refused ?? 0,
        syncing: Boolean(syncing),
        next_sync_at: sync.next_sync_at.toISOString(),
        last_synced_at: sync.last_synced_at?.toISOString() ?? null,
        last_error
      }
    }
  }
})
