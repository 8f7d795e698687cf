import { createTransport } from 'nodemailer'

/** An email in plain text and HTML. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Local part of the Message-ID; identical for retries, so receivers can drop duplicates. */
  id: string
}

/** Sends mail through the operator's server. */
export interface Mailer {
  /** @throws if the server rejects the mail */
  send (mail: Mail): Promise<void>
  /** Connects and logs in. @throws if the server is unusable */
  verify (): Promise<void>
}

/** Creates a mailer for SMTP. @param url smtp:// or smtps:// address with credentials @param from sender of all mail */
export function smtpMailer ({ url, from }: { url: string, from: string }): Mailer {
  const transport = createTransport(url, { from, disableFileAccess: true, disableUrlAccess: true, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as object)
  const host = from.replace(/^.*@|>.*$/g, '') || 'litfeed'
  return {
    async send ({ to, subject, text, html, id }) {
      await transport.sendMail({ to, subject, text, html, messageId: `<${id}@${host}>`, headers: { 'Auto-Submitted': 'auto-generated' } })
    },
    async verify () { await transport.verify() }
  }
}
