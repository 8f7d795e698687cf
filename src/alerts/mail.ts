import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** The same for the same mail: what mail servers and programs tell a second copy by. */
  id: string
}

export interface Mailer {
  send (mail: Mail): Promise<void>
  /** Logs in and out again. @throws where the server cannot be used */
  verify (): Promise<void>
}

/** Sends over SMTP. @param url smtp:// or smtps://, with user and password */
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
