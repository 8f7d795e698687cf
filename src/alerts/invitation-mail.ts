import { shownTime } from '../../schemas/utc-time.js'
import type { Mail } from './mail.js'
import { linkMail } from './link-mail.js'

export interface InvitationText {
  /** Address of the page that creates an account. */
  link: string
  expiresAt: Date
  /** The creator of the link; undefined for the command line. */
  invitedBy: string | undefined
  baseUrl: string
}

/** Renders the email with an invitation link, as plain text and HTML. */
export function invitationMail ({ link, expiresAt, invitedBy, baseUrl }: InvitationText): Pick<Mail, 'subject' | 'text' | 'html'> {
  const subject = 'Your invitation to Litfeed'
  const reason = `${invitedBy ?? 'The operator'} invites you to Litfeed, which finds new papers for your research. Open this ` +
    'link to create your account:'
  const validity = `The link works once, until ${shownTime(expiresAt)}.`
  const footer = `If you did not expect this, ignore this email. ${baseUrl}/`
  return linkMail({ subject, reason, link, validity, footer })
}
