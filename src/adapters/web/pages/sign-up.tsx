import type { ComponentChildren } from 'preact'
import { Type } from 'typebox'
import { invitationProblems } from '../../../../schemas/invitation.js'
import { register } from '../../../operations/accounts/register.js'
import { registrationState } from '../../../operations/accounts/registration-state.js'
import { invitationState } from '../../../operations/invitations/invitation-state.js'
import { linkTokenIn } from '../link-token.js'
import { action, type PageContent, type PublicContext, publicPage } from '../page.js'
import { Field, Form, RefusalNotice } from '../components/form.js'
import { knownTimeZone, OwnTimeZone } from '../components/own-time-zone.js'
import { NewPassword, repeatedPassword, requireEqualPasswords, Username } from '../components/new-password.js'
import { signInFirst } from '../sign-in.js'
import { useView } from '../view.js'

/** Creates an account: with the invitation link of an administrator, or without one where registration is open. */
export const signUpPage = publicPage({
  url: '/sign-up',
  operations: [registrationState, invitationState],
  query: Type.Object({ token: Type.Optional(Type.String()) }),
  async show (context, query, { account, entered }) {
    if (account !== undefined) return { to: '/' }
    const token = linkTokenIn(entered.invitation) ?? query.token
    if (token !== undefined) return await invited(context, token)
    const { first, open } = await registrationState.run(context, {})
    if (first) return { to: '/welcome' }
    return pageOf(open
      ? <SignUpForm />
      : <Closed reason='Registration is closed.' />)
  },
  actions: {
    'create-account': action({
      operations: [register],
      fields: Type.Object({ ...Type.Omit(register.input, ['setup_token']).properties, ...repeatedPassword }),
      async run (context: PublicContext, { email, password, repeated, time_zone, invitation }) {
        requireEqualPasswords('password', password, repeated)
        await register.run(context, { email, password, invitation, time_zone: knownTimeZone(time_zone) })
        return await signInFirst(context, { email, password }, '/projects/new?first=true')
      }
    })
  }
})

async function invited (context: PublicContext, token: string): Promise<PageContent> {
  const { state, email } = await invitationState.run(context, { token })
  return pageOf(state === 'open' ? <SignUpForm token={token} email={email} /> : <Closed reason={invitationProblems[state]} />)
}

const pageOf = (content: ComponentChildren): PageContent => ({
  title: 'Create account',
  noindex: true,
  content: <div class='narrow'><h1>Create account</h1>{content}</div>
})

/** @param email the only address that can register */
const SignUpForm = ({ token, email = null }: { token?: string, email?: string | null }) => (
  <>
    {token !== undefined && <p class='lead'>You are invited{email === null ? '' : `: ${email}`}. Choose a password to start.</p>}
    <Form action='create-account' address='/sign-up' class='stack'>
      {token !== undefined && <input type='hidden' name='invitation' value={token} />}
      {email === null
        ? <Field name='email' label='Email address' type='email' autocomplete='username' required autofocus />
        : <Username email={email} name='email' />}
      <NewPassword
        name='password'
        hint='A few words are easier to remember than symbols.'
        autofocus={email !== null}
      />
      <OwnTimeZone />
      <button>Create account</button>
    </Form>
    <SignInLink />
  </>
)

function Closed ({ reason }: { reason: string }) {
  const { refused } = useView()
  return (
    <>
      <RefusalNotice actions={['create-account']} />
      {refused === undefined && <p class='lead'>{reason} Ask the administrator of this service for a link.</p>}
      <SignInLink />
    </>
  )
}

function SignInLink () {
  const { to } = useView()
  return <p class='quiet-text'>Already have an account? <a href={to('/login')}>Sign in</a></p>
}
