import { Type } from 'typebox'
import { findAccount } from '../../../db/queries/accounts.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { NoInput } from '../../../schemas/empty.js'
import { atomUrl } from '../../accounts/feed-tokens.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { operation } from '../operation.js'

/** Like feed_atom_url, for every project. */
export const feedAtomUrls = operation({
  name: 'feed_atom_urls',
  title: 'Get the addresses of all Atom feeds',
  description: 'Returns the address of the Atom feed of each project of the account.',
  input: NoInput,
  output: Type.Object({ items: Type.Array(Type.Object({ project_id: Type.String(), name: Type.String(), url: Type.String() })) }),
  async handler ({ db, account, accounts: { feedTokens }, baseUrl }) {
    const [owner, projects] = await Promise.all([findAccount(db, account.id), listProjectNames(db, account.id)])
    const token = feedTokens.mint(requireRecord(owner))
    return { items: projects.map(({ id, name }) => ({ project_id: id, name, url: atomUrl(baseUrl(), id, token) })) }
  }
})
