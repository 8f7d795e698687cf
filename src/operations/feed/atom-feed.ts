import { Type } from 'typebox'
import { findAtomProject, listFeed } from '../../../db/queries/feed.js'
import { atomFeedSize, FeedItem, publicExtract } from '../../../schemas/feed.js'
import { isUuid } from '../../../schemas/ids.js'
import { NotFound } from '../../errors/operation-errors.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { feedItemOf } from '../../papers/records.js'

const AtomInput = Type.Object({ project_id: Type.String(), token: Type.String() }, { additionalProperties: false })
const AtomResult = Type.Object({
  project: Type.Object({ id: Type.String(), name: Type.String(), interest_description: Type.String() }),
  updated_at: Type.String({ format: 'date-time' }),
  items: Type.Array(FeedItem)
})

/** A wrong token, a missing project and a malformed address look the same. */
export const atomFeedNotFound = () =>
  new NotFound('No feed at this address. Its token may have been replaced: get the new address with feed_atom_url.', {
    userMessage: 'No feed at this address. Its link may have been replaced: copy the new one from the Connect page.'
  })

/**
 * Returns the newest items of a project to anyone who has its Atom address.
 * @throws NotFound, the same for a wrong token and a missing project
 */
export const atomFeed = operation({
  name: 'atom_feed',
  title: 'Atom feed',
  description: `Returns the newest ${atomFeedSize} papers of a project.`,
  input: AtomInput,
  output: AtomResult,
  async handler ({ db, accounts: { feedTokens } }: Pick<ServiceContext, 'db' | 'accounts'>, { project_id, token }) {
    const id = project_id.toLowerCase()
    const project = isUuid(id) ? await findAtomProject(db, id) : undefined
    if (
      project === undefined ||
      !feedTokens.matches({ id: project.account_id, feed_token_version: project.feed_token_version }, project.id, token)
    ) {
      throw atomFeedNotFound()
    }
    const page = { limit: atomFeedSize, offset: 0, extract: publicExtract }
    const rows = await listFeed(db, project.account_id, { projectId: project.id }, page)
    const updated = new Date(Math.max(project.updated_at.getTime(), ...rows.map(({ ready_at }) => ready_at.getTime())))
    return {
      project: { id: project.id, name: project.name, interest_description: project.interest_description },
      updated_at: updated.toISOString(),
      items: rows.map(feedItemOf)
    }
  }
})
