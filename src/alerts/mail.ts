import type { Transporter } from 'nodemailer'
import { InvalidArguments } from '../errors/operation-errors.js'

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

/** An email alert cannot be created, because the operator has not set up email. */
export class NoMailForAlerts extends InvalidArguments {
  constructor () {
    super('Email is not set up. Use kind "webhook", or ask the operator to set SMTP_URL and MAIL_FROM.', { userMessage: noMailForAlerts })
  }
}

/** The mail server rejected a mail. The message is public; the cause holds the server's reply, for the log. */
export class MailRejected extends Error {
  /** Whether the server will never accept mail to the recipient. */
  readonly isFinal: boolean

  constructor (message: string, { isFinal = false, cause }: { isFinal?: boolean, cause?: unknown } = {}) {
    super(message, { cause })
    this.isFinal = isFinal
  }
}

/** Sends mail through the operator's server. */
export interface Mailer {
  /** @param signal ends the connection, 30 s from now by default @throws MailRejected */
  send (mail: Mail, signal?: AbortSignal): Promise<void>
  /** Connects and logs in. @throws if the server is unusable */
  verify (): Promise<void>
}

/** For mail that is sent while a person waits, not by a job. */
const waitMs = 30_000
/** Times without a word from the server. Scanners of content take a while before a mail is accepted. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 30_000, socketTimeout: 90_000 }

/** Creates a mailer for SMTP. @param url smtp:// or smtps:// address with credentials @param from sender of all mail */
export function smtpMailer ({ url, from }: { url: string, from: string }): Mailer {
  let opened: Promise<Transporter> | undefined
  const open = async (): Promise<Transporter> => {
    // Imported with the first mail, because it takes megabytes of memory.
    const { createTransport } = await import('nodemailer')
    return createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true }, { from })
  }
  const host = from.replace(/^.*@|>.*$/g, '') || 'litfeed'
  return {
    async send ({ to, subject, text, html, id, unsubscribeUrl }, signal = AbortSignal.timeout(waitMs)) {
      const transport = await (opened ??= open())
      const headers = { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) }
      try {
        // An address as an object is not parsed: "a:b@example.org" would be a group.
        await transport.sendMail({ to: { name: '', address: to }, subject, text, html, messageId: `<${id}@${host}>`, headers, signal })
      } catch (cause) {
        const failure = cause as SmtpFailure
        throw new MailRejected(describe(failure), { isFinal: isFinal(failure), cause })
      }
    },
    async verify () { await (await (opened ??= open())).verify() }
  }
}

/** A name of a project in a mail: on one line, at most 100 characters long. */
export const oneLineName = (name: string): string => [...name.replace(/\s+/g, ' ')].slice(0, 100).join('')

/** One click is only for https, says RFC 8058. */
const unsubscribeHeaders = (url: string | undefined): Record<string, string> => url === undefined
  ? {}
  : {
      'List-Unsubscribe': `<${url}>`,
      ...(url.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {})
    }

/** A failure of nodemailer: its code, and the command and the server's reply to it, if there was one. */
interface SmtpFailure { code?: string, command?: string, response?: string, responseCode?: number }

/**
 * The recipient does not exist, and the like. A server that is full or busy answers 4xx or 552, and one that rejects the sender states
 * another subject in its enhanced code, as far as it has one. Source: RFC 5321, section 4.2; RFC 3463.
 */
const isFinal = ({ code, command, response = '', responseCode = 0 }: SmtpFailure): boolean =>
  code === 'EENVELOPE' && command === 'RCPT TO' && [550, 551, 553].includes(responseCode) && !/^\d{3}[ -]5\.[3-7]\./.test(response)

function describe ({ code = '', responseCode }: SmtpFailure): string {
  const status = Number.isInteger(responseCode) ? ` (SMTP status ${responseCode})` : ''
  if (code === 'EAUTH' || code === 'ENOAUTH') return `The mail server rejected the login${status}. The operator can check SMTP_URL.`
  if (code === 'EENVELOPE') return `The mail server rejected the recipient or the sender${status}. Check the address.`
  if (status !== '') return `The mail server rejected the mail${status}.`
  if (code === 'EABORT' || code === 'ETIMEDOUT') return 'The mail server did not respond in time.'
  return 'The mail server cannot be reached. The operator can check SMTP_URL.'
}
