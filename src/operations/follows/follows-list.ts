import { listFollows } from '../../../db/queries/follows.js'
import { FollowsResult } from '../../../schemas/follow.js'
import { ProjectInput } from '../../../schemas/project.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { followOf } from './follow-create.js'

/** @throws ProjectNotFound */
export const followsList = operation({
  name: 'follows_list',
  title: 'List follows',
  description: 'Returns the authors, journals and institutions that a project follows.',
  input: ProjectInput,
  output: FollowsResult,
  scope: 'read',
  async handler ({ db, account }, { project_id }) {
    await requireProject({ db, account }, project_id)
    return { items: (await listFollows(db, account.id, project_id)).map(followOf) }
  }
})
