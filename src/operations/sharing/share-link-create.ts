import { findProjectName } from '../../../db/queries/projects.js'
import { createShareLink } from '../../../db/queries/share-links.js'
import { maxShareLinks, ShareLinkCreated, ShareLinkCreateInput } from '../../../schemas/sharing.js'
import { visibleText } from '../../../schemas/visible-text.js'
import { shareTokens } from '../../accounts/link-tokens.js'
import { shareLinkOf } from '../../accounts/records.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { readExpiry } from '../../input/read-time.js'
import { checkedTags } from '../../papers/item-state.js'
import { operation } from '../operation.js'

/** @throws ProjectNotFound, InvalidArguments */
export const shareLinkCreate = operation({
  name: 'share_link_create',
  title: 'Create a share link',
  description:
    'Creates a link that shows the papers of a project, or of one of its tags, to anyone who has it: a page, an Atom feed and ' +
    'references, without votes, notes and scores. Its address is shown once.',
  input: ShareLinkCreateInput,
  output: ShareLinkCreated,
  async handler ({ db, account, now, baseUrl }, { project_id, title = '', tag, all_projects = false, expires_at }) {
    const project = await findProjectName(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    const shownTag = checkedTags(tag === undefined ? [] : [tag])[0] ?? null
    if (all_projects && shownTag === null) {
      throw new InvalidArguments('all_projects needs a tag. Name one, or leave all_projects out.', {
        userMessage: 'Choose a tag: a link without one shows a single project.'
      })
    }
    const expiresAt = expires_at === undefined ? null : readExpiry('expires_at', expires_at, now())
    const { token, hash } = shareTokens.mint()
    const created = await createShareLink(db, account.id, {
      project_id,
      title: visibleText(title.toWellFormed()).replace(/\s+/gu, ' ').trim() || project.name,
      tag: shownTag,
      all_projects,
      token_hash: hash,
      created_at: now(),
      expires_at: expiresAt
    }, maxShareLinks)
    if (created === undefined) throw new ProjectNotFound(project_id)
    if (created === 'full') throw new InvalidArguments(`The project has ${maxShareLinks} share links, the maximum. Revoke one first.`)
    return {
      ...shareLinkOf(created, now()),
      url: `${baseUrl()}/shared?token=${token}`,
      atom_url: `${baseUrl()}/api/shared/atom?token=${token}`
    }
  }
})
