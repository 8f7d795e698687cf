import { randomUUID } from 'node:crypto'
import { createInvitation, type InvitationDetails } from '../../../db/queries/invitations.js'
import {
  defaultInvitationDays, InvitationCreated, InvitationCreateInput, maxInvitationDays, maxOpenInvitations
} from '../../../schemas/invitation.js'
import { visibleText } from '../../../schemas/visible-text.js'
import { invitationTokens } from '../../accounts/link-tokens.js'
import { invitationOf, normalizeEmail } from '../../accounts/records.js'
import { invitationMail } from '../../alerts/invitation-mail.js'
import { MailRejected } from '../../alerts/mail.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { readExpiry } from '../../input/read-time.js'
import type { Context, ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { dayMs } from '../../../schemas/durations.js'

/** An administrator; commands have no account. */
type Caller = ServiceContext & Partial<Pick<Context, 'account'>>

/** For administrators. @throws InvalidArguments */
export const invitationCreate = operation({
  name: 'invitation_create',
  title: 'Create an invitation link',
  description: 'Creates a link with which people create their own accounts, even if registration is closed. Its address is shown once, ' +
    'and mailed on request.',
  input: InvitationCreateInput,
  output: InvitationCreated,
  async handler (context: Caller, { email, uses = 1, expires_at, note = '', mail = false }) {
    const { db, now, baseUrl, account } = context
    const time = now()
    if (mail && email === undefined) {
      throw new InvalidArguments('mail is true, but there is no email to send the link to. Add email, or leave out mail.', {
        userMessage: 'Enter the address that the link should be mailed to.'
      })
    }
    if (email !== undefined && uses > 1) {
      throw new InvalidArguments('uses is more than 1, but an address can register only once. Leave out uses or email.', {
        userMessage: 'A link for one address creates one account. Set accounts to 1, or leave the address empty.'
      })
    }
    const { token, hash } = invitationTokens.mint()
    const created = await createInvitation(db, {
      token_hash: hash,
      email: email === undefined ? null : normalizeEmail(email),
      note: visibleText(note.toWellFormed()).replace(/\s+/gu, ' ').trim(),
      uses,
      created_by: account?.id ?? null,
      created_at: time,
      expires_at: expiryOf(expires_at, time)
    }, { now: time, maxOpen: maxOpenInvitations })
    if (created === undefined) {
      throw new InvalidArguments(`${maxOpenInvitations} invitation links are open, the maximum. Revoke some first.`)
    }
    const url = `${baseUrl()}/sign-up?token=${token}`
    const mailError = mail ? await mailInvitation(context, created, url) : null
    return { ...invitationOf(created, time), url, mailed: mail && mailError === null, mail_error: mailError }
  }
})

/** Mails a link to its address. @returns why it was not mailed; null if the mail server accepted it */
async function mailInvitation (
  { baseUrl, log, alerts: { mailer } }: Caller,
  { email, created_by, expires_at }: InvitationDetails,
  link: string
): Promise<string | null> {
  if (mailer === undefined) return 'Email is not set up. Set SMTP_URL and MAIL_FROM.'
  const mail = invitationMail({ link, expiresAt: expires_at, invitedBy: created_by ?? undefined, baseUrl: baseUrl() })
  try {
    await mailer.send({ to: email!, id: randomUUID(), ...mail })
    return null
  } catch (cause) {
    if (!(cause instanceof MailRejected)) throw cause
    log.warn({ err: cause }, 'An invitation was not mailed.')
    return cause.message
  }
}

function expiryOf (expires_at: string | undefined, now: Date): Date {
  if (expires_at === undefined) return new Date(now.getTime() + defaultInvitationDays * dayMs)
  const time = readExpiry('expires_at', expires_at, now)
  if (time.getTime() - now.getTime() > maxInvitationDays * dayMs) {
    throw new InvalidArguments(`expires_at is ${expires_at}. Use a time within ${maxInvitationDays} days.`, {
      userMessage: 'A link is valid for at most a year.'
    })
  }
  return time
}
