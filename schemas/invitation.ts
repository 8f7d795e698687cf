import { type Static, Type } from 'typebox'
import { EmailAddress } from './account.js'
import { count, time } from './fields.js'
import { Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'

/** Accounts that one link may create. */
const maxInvitationUses = 1000
/** Days that a link without an expiry of its own works. */
export const defaultInvitationDays = 7
/** Days that a link may work. */
export const maxInvitationDays = 366
/** Links that can work at a time. */
export const maxOpenInvitations = 500
/** Ended links that lists contain. */
export const maxEndedInvitations = 50

/** A new link. */
export const InvitationCreateInput = Type.Object({
  email: Type.Optional(Type.String({ ...EmailAddress, description: 'The only email address that can register with it. Default: any.' })),
  uses: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxInvitationUses,
      default: 1,
      description: 'Number of accounts that it can create; 1 for a link with an email address.'
    })
  ),
  expires_at: Type.Optional(
    Type.String({
      maxLength: 40,
      description: `RFC 3339 date or date-time at which it stops working, within ${maxInvitationDays} days. ` +
        `Default: in ${defaultInvitationDays} days.`
    })
  ),
  note: Type.Optional(Type.String({ maxLength: 200, description: 'For administrators, such as the person it is for.' })),
  mail: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether to mail the link to the email address. Needs a mail server.' })
  )
}, { additionalProperties: false })

/** States of a link. Only an open one creates accounts. */
const invitationStates = ['open', 'used', 'expired', 'revoked'] as const
export type InvitationState = typeof invitationStates[number]

/** A link that creates accounts. */
export const Invitation = Type.Object({
  id: Uuid,
  state: Words(invitationStates, { description: 'open: it works; used: it has no uses left; expired; revoked.' }),
  email: Nullable(Type.String(), 'The only email address that can register with it; null: any.'),
  note: Type.String({ description: 'Note of the administrator.' }),
  uses: Type.Integer({ description: 'Number of accounts that it can create.' }),
  used: Type.Integer({ description: 'Number of accounts that it has created.' }),
  created_by: Nullable(Type.String(), 'Email address of the administrator; null for the command line and deleted accounts.'),
  created_at: time(),
  expires_at: time(),
  last_used_at: Nullable(time(), 'When it last created an account.')
}, { description: 'A link that creates accounts.' })
export type Invitation = Static<typeof Invitation>

/** A new link with its address, which is shown once. */
export const InvitationCreated = Type.Object({
  ...Invitation.properties,
  url: Type.String({ description: 'Address of the link. It is shown only now.' }),
  mailed: Type.Boolean({ description: 'Whether the mail server accepted an email with the link.' }),
  mail_error: Nullable(Type.String(), 'Why the link could not be mailed; null if it was mailed or no email was requested.')
}, { description: 'The link with its address.' })

export const InvitationsListResult = Type.Object({
  items: Type.Array(Invitation, { description: `Open links, newest first, then the last ${maxEndedInvitations} ended ones.` }),
  open: count('Number of open links.'),
  mail: Type.Boolean({ description: 'Whether links can be mailed: the operator has configured a mail server.' })
})
export const InvitationInput = Type.Object(
  { invitation_id: Type.String({ format: 'uuid', description: "The link's UUID." }) },
  { additionalProperties: false }
)

/** Whom a link is for. */
export const InvitationStateResult = Type.Object({
  state: Words([...invitationStates, 'unknown'], { description: 'State of the link; unknown: no link has this token.' }),
  email: Nullable(Type.String(), 'The only email address that can register with it; null: any.')
})

/** Why a link cannot be used. */
export const invitationProblems: Readonly<Record<InvitationState | 'unknown', string>> = {
  open: 'This invitation link cannot be used.',
  used: 'This invitation link was used already.',
  expired: 'This invitation link has expired.',
  revoked: 'This invitation link was revoked.',
  unknown: 'This invitation link does not exist. Check that its address is complete.'
}
