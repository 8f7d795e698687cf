import { renderToString } from 'preact-render-to-string'
import type { Mail } from './mail.js'
import { detailStyle, pageStyle, titleStyle } from './page-style.js'

interface LinkText {
  subject: string
  /** Why the email was sent, and what the link does. */
  reason: string
  link: string
  /** How often, and how long, the link works. Default: says nothing. */
  validity?: string
  /** Tells people who did not expect the email what to do. */
  footer: string
}

/** Renders an email around one link, as plain text and HTML. */
export const linkMail = ({ subject, reason, link, validity, footer }: LinkText): Pick<Mail, 'subject' | 'text' | 'html'> => ({
  subject,
  text: [reason, link, ...(validity === undefined ? [] : [validity]), footer].join('\n\n'),
  html: `<!doctype html>\n${renderToString(
    <html lang='en'>
      <head><meta charset='utf-8' /><title>{subject}</title></head>
      <body style={pageStyle}>
        <h1 style={titleStyle}>{subject}</h1>
        <p>{reason}</p>
        <p><a href={link}>{link}</a></p>
        {validity !== undefined && <p>{validity}</p>}
        <p style={detailStyle}>{footer}</p>
      </body>
    </html>
  )}`
})
