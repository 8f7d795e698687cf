import type { Mail } from './mail.js'
import { linkMail } from './link-mail.js'

export interface Confirmation {
  /** The account that set up the new alert. */
  accountEmail: string
  projectName: string
  /** Address of the page that unsubscribes and resubscribes the recipient. */
  url: string
  baseUrl: string
}

/** Renders the email that asks somebody who unsubscribed whether a new alert may send emails, as plain text and HTML. */
export function confirmationMail (
  { accountEmail, projectName, url, baseUrl }: Confirmation
): Pick<Mail, 'subject' | 'text' | 'html' | 'unsubscribeUrl'> {
  const subject = 'Get emails with new papers again?'
  const name = [...projectName.replace(/\s+/g, ' ')].slice(0, 100).join('')
  const reason = `You unsubscribed from Litfeed emails of ${accountEmail}, who has now set up a new alert for your address: new papers ` +
    `from “${name}”. To receive it, open this link and select Subscribe again:`
  const footer = `If you do not want it, ignore this email, and you will receive no alerts. ${baseUrl}/`
  return { ...linkMail({ subject, reason, link: url, footer }), unsubscribeUrl: url }
}
