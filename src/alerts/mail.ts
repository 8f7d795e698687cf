import type { Transporter } from 'nodemailer'

/** An email in plain text and HTML. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Local part of the Message-ID; identical for retries, so receivers can drop duplicates. */
  id: string
  /** Address of a page that ends these mails; its POST does so without further questions (RFC 8058). */
  unsubscribeUrl?: string
}

/** Tells the owner of an alert what to do where the operator has not set up email. */
export const noMailForAlerts = 'Email is not set up on this service. Use a webhook, or ask the administrator to set up email.'

/** The mail server rejected a mail. The message is public; the cause holds the server's reply, for the log. */
export class MailRejected extends Error {}

/** Sends mail through the operator's server. */
export interface Mailer {
  /** @throws MailRejected */
  send (mail: Mail): Promise<void>
  /** Connects and logs in. @throws if the server is unusable */
  verify (): Promise<void>
}

/** Creates a mailer for SMTP. @param url smtp:// or smtps:// address with credentials @param from sender of all mail */
export function smtpMailer ({ url, from }: { url: string, from: string }): Mailer {
  let opened: Promise<Transporter> | undefined
  const open = async (): Promise<Transporter> => {
    // Imported with the first mail, because it takes megabytes of memory.
    const { createTransport } = await import('nodemailer')
    return createTransport(
      url,
      {
        from,
        disableFileAccess: true,
        disableUrlAccess: true,
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 30_000
      } as object
    )
  }
  const host = from.replace(/^.*@|>.*$/g, '') || 'litfeed'
  return {
    async send ({ to, subject, text, html, id, unsubscribeUrl }) {
      const transport = await (opened ??= open())
      try {
        const headers = { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) }
        await transport.sendMail({ to, subject, text, html, messageId: `<${id}@${host}>`, headers })
      } catch (cause) {
        throw new MailRejected(describe(cause as SmtpFailure), { cause })
      }
    },
    async verify () { await (await (opened ??= open())).verify() }
  }
}

/** One click is only for https, says RFC 8058. */
const unsubscribeHeaders = (url: string | undefined): Record<string, string> => url === undefined
  ? {}
  : {
      'List-Unsubscribe': `<${url}>`,
      ...(url.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {})
    }

/** A failure of nodemailer: its code, and the status of the server's reply if there was one. */
interface SmtpFailure { code?: string, responseCode?: number }

function describe ({ code = '', responseCode }: SmtpFailure): string {
  const status = Number.isInteger(responseCode) ? ` (SMTP status ${responseCode})` : ''
  if (code === 'EAUTH' || code === 'ENOAUTH') return `The mail server rejected the login${status}. The operator can check SMTP_URL.`
  if (code === 'EENVELOPE') return `The mail server rejected the recipient or the sender${status}. Check the address.`
  if (status !== '') return `The mail server rejected the mail${status}.`
  return 'The mail server cannot be reached. The operator can check SMTP_URL.'
}
