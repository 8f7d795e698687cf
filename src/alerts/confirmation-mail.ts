import { type Mail, oneLineName } from './mail.js'
import { linkMail } from './link-mail.js'

export interface Confirmation {
  /** The account that set up the new alert. */
  accountEmail: string
  projectName: string
  /** Address of the page that unsubscribes and resubscribes the recipient. */
  url: string
  baseUrl: string
  /** Whether anybody may have created the account with the recipient's address. */
  isUnconfirmed: boolean
}

/**
 * Renders the email that asks somebody who unsubscribed, or whose address somebody registered, whether a new alert may send emails, as
 * plain text and HTML.
 */
export function confirmationMail (
  { accountEmail, projectName, url, baseUrl, isUnconfirmed }: Confirmation
): Pick<Mail, 'subject' | 'text' | 'html' | 'unsubscribeUrl'> {
  const footer = `If you do not want it, ignore this email, and you will receive no alerts. ${baseUrl}/`
  if (isUnconfirmed) {
    const subject = 'Confirm your email address'
    // Nothing that the account's creator wrote.
    const reason = 'A Litfeed account was created with your address, and an alert that sends you new papers. To receive it, open this ' +
      'link and select Confirm:'
    return { ...linkMail({ subject, reason, link: url, footer }), unsubscribeUrl: url }
  }
  const subject = 'Get emails with new papers again?'
  const reason = `You unsubscribed from Litfeed emails of ${accountEmail}, who has now set up a new alert for your address: new papers ` +
    `from “${oneLineName(projectName)}”. To receive it, open this link and select Subscribe again:`
  return { ...linkMail({ subject, reason, link: url, footer }), unsubscribeUrl: url }
}
