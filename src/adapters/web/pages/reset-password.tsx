import { Type } from 'typebox'
import { passwordLength } from '../../../../schemas/account.js'
import { InvalidArguments } from '../../../errors/operation-errors.js'
import { passwordResetConfirm } from '../../../operations/accounts/password-reset-confirm.js'
import { passwordResetState } from '../../../operations/accounts/password-reset-state.js'
import { boundsOf } from '../fields.js'
import { action, type PublicContext, publicPage } from '../page.js'
import { Checkbox, Field, Form, RefusalNotice } from '../components/form.js'

/** Sets a new password with the link of a mail. Opening the link does not use it up, since mail programs open links too. */
export const resetPasswordPage = publicPage({
  url: '/reset-password',
  operations: [passwordResetState],
  query: passwordResetState.input,
  async show (context, query, { entered, refused, to }) {
    const token = typeof entered.token === 'string' && /^\w{1,100}$/.test(entered.token) ? entered.token : query.token
    const { email } = await passwordResetState.run(context, { token })
    return {
      title: 'New password',
      content: (
        <div class='narrow'>
          <h1>New password</h1>
          {email === null
            ? (
              <>
                <RefusalNotice actions={['reset']} />
                {refused === undefined && <p class='lead'>This link was used or has expired.</p>}
                <p><a class='link-button' href={to('/forgot-password')}>Request a new link</a></p>
              </>
              )
            : <NewPassword email={email} token={token!} />}
        </div>
      )
    }
  },
  actions: {
    reset: action({
      operations: [passwordResetConfirm],
      fields: Type.Object({ ...passwordResetConfirm.input.properties, repeated: passwordResetConfirm.input.properties.new_password }),
      async run (context: PublicContext, { token, new_password, repeated, revoke_keys }) {
        if (new_password !== repeated) throw new InvalidArguments('The passwords do not match. Enter them again.')
        await passwordResetConfirm.run(context, { token, new_password, revoke_keys })
        return {
          to: '/login',
          notice: `Password changed. Every session was ended${revoke_keys === true ? ', and your MCP keys were revoked' : ''}. Sign in again.`,
          signOut: true
        }
      }
    })
  }
})

const NewPassword = ({ email, token }: { email: string, token: string }) => (
  <>
    <p class='lead'>For {email}</p>
    <Form action='reset' address='/reset-password' class='stack'>
      <input type='hidden' name='token' value={token} />
      <input type='email' class='unseen' value={email} autocomplete='username' readOnly tabIndex={-1} aria-hidden='true' />
      <Field
        name='new_password'
        label='New password'
        hint={`At least ${passwordLength.minimum} characters. Signs out every session.`}
        type='password'
        autocomplete='new-password'
        {...boundsOf(passwordResetConfirm.input.properties.new_password)}
        required
        autofocus
      />
      <Field name='repeated' label='Confirm password' type='password' autocomplete='new-password' required />
      <Checkbox
        name='revoke_keys'
        label='Revoke MCP keys'
        hint='For when somebody else may know your password. AI clients need a new key afterwards.'
      />
      <button>Change password</button>
    </Form>
  </>
)
