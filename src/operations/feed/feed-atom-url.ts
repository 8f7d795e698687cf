import { findAccount } from '../../../db/queries/accounts.js'
import { FeedAtomUrlResult } from '../../../schemas/feed.js'
import { ProjectInput } from '../../../schemas/project.js'
import { atomUrl } from '../../accounts/feed-tokens.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'

/** @throws ProjectNotFound */
export const feedAtomUrl = operation({
  name: 'feed_atom_url',
  title: 'Get an Atom feed address',
  description: [
    'Returns the address of a project\'s Atom feed.',
    'It contains a private token: show it only to the user.',
    'Example: {"project_id": "0b54c2ab-…"}'
  ].join(' '),
  input: ProjectInput,
  output: FeedAtomUrlResult,
  scope: 'read',
  async handler ({ db, account, key, accounts: { feedTokens }, baseUrl }, { project_id }) {
    await requireProject({ db, account }, project_id)
    const owner = requireRecord(await findAccount(db, account.id))
    // The account's token opens every feed, so a limited key gets one for this feed alone.
    const token = key == null || key.projectIds === null ? feedTokens.mint(owner) : feedTokens.mint(owner, project_id)
    return { project_id, url: atomUrl(baseUrl(), project_id, token) }
  }
})
