import { deleteShareLink } from '../../../db/queries/share-links.js'
import { NoResult } from '../../../schemas/empty.js'
import { ShareLinkReference } from '../../../schemas/sharing.js'
import { NotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** @throws NotFound */
export const shareLinkDelete = operation({
  name: 'share_link_delete',
  title: 'Revoke a share link',
  description: 'Revokes a share link. Its page, Atom feed and references stop working at once.',
  input: ShareLinkReference,
  output: NoResult,
  async handler ({ db, account }, { project_id, link_id }) {
    if (!await deleteShareLink(db, account.id, project_id, link_id)) {
      throw new NotFound('This share link does not exist. GET /api/projects/{project_id}/share-links lists them.', {
        userMessage: 'This link doesn’t exist. It may have been revoked already.'
      })
    }
    return {}
  }
})
