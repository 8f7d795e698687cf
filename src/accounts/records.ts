import type { InvitationDetails } from '../../db/queries/invitations.js'
import type { KeyDetails } from '../../db/queries/keys.js'
import type { ShareLinkDetails } from '../../db/queries/share-links.js'
import type { Account } from '../../schemas/account.js'
import type { Invitation, InvitationState } from '../../schemas/invitation.js'
import type { Key } from '../../schemas/key.js'
import type { ShareLink } from '../../schemas/sharing.js'
import { maskKey } from './keys.js'

/** Normalizes an email address for storage: trims it and converts it to lower case. */
export const normalizeEmail = (written: string): string => written.trim().toLowerCase()

type AccountRow = Pick<Account, 'id' | 'email' | 'administrator' | 'time_zone'> & { disabled_at: Date | null, created_at: Date }

/** Maps a row to the published account. */
export const accountOf = ({ id, email, administrator, disabled_at, time_zone, created_at }: AccountRow): Account =>
  ({ id, email, administrator, disabled_at: disabled_at?.toISOString() ?? null, time_zone, created_at: created_at.toISOString() })

/** Maps a row to the published key. */
export const keyOf = ({
  id,
  name,
  prefix,
  scope,
  project_ids,
  expires_at,
  created_at,
  last_used_at,
  client_name,
  client_version
}: KeyDetails): Key => ({
  id,
  name,
  prefix,
  masked: maskKey(prefix),
  scope,
  project_ids,
  expires_at: expires_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
  last_client: client_name === null ? null : { name: client_name, version: client_version }
})

/** The state of an invitation link. A link that was revoked stays revoked when it expires. */
export function invitationStateOf (
  { revoked_at, uses, used, expires_at }: Pick<InvitationDetails, 'revoked_at' | 'uses' | 'used' | 'expires_at'>,
  now: Date
): InvitationState {
  if (revoked_at !== null) return 'revoked'
  if (used >= uses) return 'used'
  return expires_at <= now ? 'expired' : 'open'
}

/** Maps a row to the published invitation link. */
export const invitationOf = (link: InvitationDetails, now: Date): Invitation => ({
  id: link.id,
  state: invitationStateOf(link, now),
  email: link.email,
  note: link.note,
  uses: link.uses,
  used: link.used,
  created_by: link.created_by,
  created_at: link.created_at.toISOString(),
  expires_at: link.expires_at.toISOString(),
  last_used_at: link.last_used_at?.toISOString() ?? null
})

/** Maps a row to the published share link. */
export const shareLinkOf = (
  { id, title, tag, all_projects, created_at, expires_at, last_opened_at }: ShareLinkDetails,
  now: Date
): ShareLink => ({
  id,
  title,
  tag,
  all_projects,
  created_at: created_at.toISOString(),
  expires_at: expires_at?.toISOString() ?? null,
  expired: expires_at !== null && expires_at <= now,
  last_opened_at: last_opened_at?.toISOString() ?? null
})
