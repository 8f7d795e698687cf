import { findZoteroAccount, findZoteroSync, pauseEnd } from '../../../db/queries/zotero.js'
import { JobQueued } from '../../../schemas/job.js'
import { ProjectInput } from '../../../schemas/project.js'
import { Forbidden, NotFound, RateLimited } from '../../errors/operation-errors.js'
import { zoteroJob } from '../../jobs/new-jobs.js'
import { storedKeyRejected } from '../../zotero/errors.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'

/**
 * @throws ProjectNotFound, NotFound if the project does not sync, Forbidden if Zotero rejected the key, RateLimited while it asks for a
 * pause
 */
export const zoteroSyncQueue = operation({
  name: 'zotero_sync_queue',
  title: 'Sync with Zotero now',
  description: 'Queues a sync of a project with Zotero now, ahead of schedule.',
  input: ProjectInput,
  output: JobQueued,
  async handler ({ db, queue, account, now, trace }, { project_id }) {
    await requireProject({ db, account }, project_id)
    const connection = await findZoteroAccount(db, account.id)
    const sync = await findZoteroSync(db, account.id, project_id)
    if (connection === undefined || sync === undefined) {
      throw new NotFound('The project does not sync with Zotero. Set it up with PUT /api/projects/{project_id}/zotero.', {
        userMessage: 'This project does not sync with Zotero yet. Choose a collection first.'
      })
    }
    if (connection.rejected_at !== null) throw new Forbidden(storedKeyRejected)
    const pausedUntil = pauseEnd(connection, now())
    if (pausedUntil !== null) {
      throw new RateLimited(Math.ceil((pausedUntil.getTime() - now().getTime()) / 1000), 'Zotero asked Litfeed to slow down.')
    }
    const { id, created } = await queue.enqueue(zoteroJob({ id: project_id, account_id: account.id }), { trace })
    return { job_id: id, created }
  }
})
