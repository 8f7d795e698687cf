import { renderToString } from 'preact-render-to-string'
import type { Mail } from './mail.js'
import { detailStyle, pageStyle, titleStyle } from './page-style.js'

/** Renders the email with a link that sets a new password, as plain text and HTML. @param lifetime how long the link works, in words */
export function passwordMail ({ link, lifetime, baseUrl }: { link: string, lifetime: string, baseUrl: string }): Pick<
  Mail,
  'subject' | 'text' | 'html'
> {
  const subject = 'Reset your Litfeed password'
  const reason = 'Somebody, probably you, asked for a new password of your Litfeed account. Open this link to choose one:'
  const validity = `The link works once, for ${lifetime}.`
  const footer = `If you did not ask for this, ignore this email: your password stays the same. ${baseUrl}/`
  return {
    subject,
    text: [reason, link, validity, footer].join('\n\n'),
    html: `<!doctype html>\n${renderToString(
      <html lang='en'>
        <head><meta charset='utf-8' /><title>{subject}</title></head>
        <body style={pageStyle}>
          <h1 style={titleStyle}>{subject}</h1>
          <p>{reason}</p>
          <p><a href={link}>{link}</a></p>
          <p>{validity}</p>
          <p style={detailStyle}>{footer}</p>
        </body>
      </html>
    )}`
  }
}
