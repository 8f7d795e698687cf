import { findAccount } from '../../../db/queries/accounts.js'
import { ownsProject } from '../../../db/queries/projects.js'
import { FeedAtomUrlResult } from '../../../schemas/feed.js'
import { ProjectInput } from '../../../schemas/project.js'
import { atomUrl } from '../../accounts/feed-tokens.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** @throws ProjectNotFound */
export const feedAtomUrl = operation({
  name: 'feed_atom_url',
  title: 'Get the address of a project\'s Atom feed',
  description: [
    'Gives the address of a project\'s Atom feed (its newest 50 papers), for a feed reader or a reference manager.',
    'Use it when the user wants to subscribe outside of this conversation; to read the papers yourself, use feed_get.',
    'The address holds a private token: give it to the user alone.',
    'Example: {"project_id": "0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11"}'
  ].join(' '),
  input: ProjectInput,
  output: FeedAtomUrlResult,
  async handler ({ db, account, accounts: { feedTokens }, baseUrl }, { project_id }) {
    if (!await ownsProject(db, account.id, project_id)) throw new ProjectNotFound(project_id)
    return { project_id, url: atomUrl(baseUrl(), project_id, feedTokens.mint((await findAccount(db, account.id))!)) }
  }
})
