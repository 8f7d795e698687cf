import { Type } from 'typebox'
import { maxLinksPerHour, passwordResetRequest } from '../../../operations/accounts/password-reset-request.js'
import { passwordResetState } from '../../../operations/accounts/password-reset-state.js'
import { action, type PublicContext, publicPage } from '../page.js'
import { Field, Form, RefusalNotice } from '../components/form.js'

/** Requests a link that sets a new password. Never tells whether an address has an account. */
export const forgotPasswordPage = publicPage({
  url: '/forgot-password',
  operations: [passwordResetState],
  query: Type.Object({ sent: Type.Optional(Type.String()) }),
  async show (context, { sent }, { to }) {
    const { mail } = await passwordResetState.run(context, {})
    const title = mail && sent === 'true' ? 'Check your email' : 'Forgot your password?'
    return {
      title,
      content: (
        <div class='narrow'>
          <h1>{title}</h1>
          {mail ? sent === 'true' ? <Sent /> : <Request /> : <NoMail />}
          <p class='quiet-text'><a href={to('/login')}>Back to sign-in</a></p>
        </div>
      )
    }
  },
  actions: {
    request: action({
      operations: [passwordResetRequest],
      fields: passwordResetRequest.input,
      async run (context: PublicContext, { email }) {
        await passwordResetRequest.run(context, { email })
        return { to: '/forgot-password?sent=true' }
      }
    })
  }
})

const Request = () => (
  <>
    <p class='lead'>Enter your email address to get a link that sets a new password.</p>
    <Form action='request' address='/forgot-password' class='stack'>
      <Field name='email' label='Email address' type='email' autocomplete='username' required autofocus />
      <button>Send link</button>
    </Form>
  </>
)

const Sent = () => (
  <>
    <p class='lead'>If an account with this address exists, we sent it a link. It works once and expires after an hour.</p>
    <p>No email after a few minutes? Check your spam folder and the address. An account gets at most {maxLinksPerHour} links an hour.</p>
  </>
)

const NoMail = () => (
  <>
    <RefusalNotice actions={['request']} />
    <p class='lead'>This service cannot send email. Ask its administrator for a new password.</p>
    <p>
      An administrator can reset it under <b>Administration</b>, or on the server with <code>litfeed user reset-password --email …</code>
    </p>
  </>
)
