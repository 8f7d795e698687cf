import { Type } from 'typebox'
import { browserLogin } from '../../../operations/accounts/browser-login.js'
import { register } from '../../../operations/accounts/register.js'
import { registrationState } from '../../../operations/accounts/registration-state.js'
import { action, type PublicContext, publicPage } from '../page.js'
import { Field, Form } from '../components/form.js'
import { knownTimeZone, OwnTimeZone } from '../components/own-time-zone.js'
import { NewPassword, repeatedPassword, requireEqualPasswords } from '../components/new-password.js'
import { signInFirst } from '../sign-in.js'

/** Creates the first account, which administers the service. May require the setup token. */
export const welcomePage = publicPage({
  url: '/welcome',
  operations: [registrationState],
  query: Type.Object({}),
  async show (context) {
    const { first, needs_setup_token } = await registrationState.run(context, {})
    if (!first) return { to: '/' }
    return {
      title: 'Welcome',
      content: (
        <div class='narrow'>
          <p class='step'>Step 1 of 2</p>
          <h1>Welcome to Litfeed</h1>
          <p class='lead'>Create the account that administers this service. Next, describe your first research interest.</p>
          <Form action='create-account' class='stack'>
            {needs_setup_token && (
              <Field
                name='setup_token'
                label='Setup token'
                hint='Printed in the service’s log at startup.'
                required
                autocomplete='off'
              />
            )}
            <Field name='email' label='Email address' type='email' autocomplete='username' required autofocus />
            <NewPassword name='password' hint='A few words are easier to remember than symbols.' />
            <OwnTimeZone />
            <button>Create account</button>
          </Form>
        </div>
      )
    }
  },
  actions: {
    'create-account': action({
      operations: [register, browserLogin],
      fields: Type.Object({ ...Type.Omit(register.input, ['invitation']).properties, ...repeatedPassword }),
      async run (context: PublicContext, { email, password, repeated, time_zone, setup_token }) {
        requireEqualPasswords('password', password, repeated)
        await register.run(context, { email, password, setup_token, time_zone: knownTimeZone(time_zone) })
        return await signInFirst(context, { email, password }, '/projects/new?first=true')
      }
    })
  }
})
