import { Type } from 'typebox'
import { passwordResetConfirm } from '../../../operations/accounts/password-reset-confirm.js'
import { passwordResetState } from '../../../operations/accounts/password-reset-state.js'
import { linkTokenIn } from '../link-token.js'
import { action, type PublicContext, publicPage } from '../page.js'
import { Form, RefusalNotice } from '../components/form.js'
import { NewPassword, repeatedPassword, requireEqualPasswords, RevokeKeys, Username } from '../components/new-password.js'

/** Sets a new password with the link of a mail. Opening the link does not use it up, since mail programs open links too. */
export const resetPasswordPage = publicPage({
  url: '/reset-password',
  operations: [passwordResetState],
  query: passwordResetState.input,
  async show (context, query, { entered, refused, to }) {
    const token = linkTokenIn(entered.token) ?? query.token
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
            : <ResetForm email={email} token={token!} />}
        </div>
      )
    }
  },
  actions: {
    reset: action({
      operations: [passwordResetConfirm],
      fields: Type.Object({ ...passwordResetConfirm.input.properties, ...repeatedPassword }),
      async run (context: PublicContext, { token, new_password, repeated, revoke_keys }) {
        requireEqualPasswords('new_password', new_password, repeated)
        await passwordResetConfirm.run(context, { token, new_password, revoke_keys })
        return {
          to: '/login',
          notice: `Password changed. Every session was ended${revoke_keys === true ? ', and your MCP keys were revoked' : ''}. ` +
            'Sign in again.',
          signOut: true
        }
      }
    })
  }
})

const ResetForm = ({ email, token }: { email: string, token: string }) => (
  <>
    <p class='lead'>For {email}</p>
    <Form action='reset' address='/reset-password' class='stack'>
      <input type='hidden' name='token' value={token} />
      <Username email={email} />
      <NewPassword name='new_password' hint='Signs out every session.' autofocus />
      <RevokeKeys />
      <button>Change password</button>
    </Form>
  </>
)
