import type { Mail } from './mail.js'
import { linkMail } from './link-mail.js'

/** Renders the email with a link that sets a new password, as plain text and HTML. @param lifetime how long the link works, in words */
export function passwordMail ({ link, lifetime, baseUrl }: { link: string, lifetime: string, baseUrl: string }): Pick<
  Mail,
  'subject' | 'text' | 'html'
> {
  const subject = 'Reset your Litfeed password'
  const reason = 'Someone, probably you, requested a new password for your Litfeed account. Open this link to choose one:'
  const validity = `The link works once, for ${lifetime}.`
  const footer = `If you did not request this, ignore this email: your password stays the same. ${baseUrl}/`
  return linkMail({ subject, reason, link, validity, footer })
}
