import { Type } from 'typebox'
import { browserLogin } from '../../../operations/accounts/browser-login.js'
import { logout } from '../../../operations/accounts/logout.js'
import { registrationState } from '../../../operations/accounts/registration-state.js'
import { action, type PublicContext, publicPage } from '../page.js'
import { Form } from '../components/form.js'
import { Notice } from '../components/notice.js'
import { SignInFields } from '../components/sign-in-fields.js'
import { isOwnPath } from '../own-path.js'
import { signIn } from '../sign-in.js'

const Next = Type.Object({ next: Type.Optional(Type.String()) })

/** Sign-in and sign-out. A service without accounts redirects to the welcome page. */
export const loginPage = publicPage({
  url: '/login',
  operations: [registrationState],
  query: Type.Object({ ...Next.properties, ended: Type.Optional(Type.String()) }),
  async show (context, { next, ended }, { account, entered, to }) {
    const { first, open } = await registrationState.run(context, {})
    if (first) return { to: '/welcome' }
    if (account !== undefined) return { to: afterSignIn(next) }
    const nextPath = typeof entered.next === 'string' ? entered.next : next
    return {
      title: 'Sign in',
      content: (
        <div class='narrow'>
          <h1>Sign in</h1>
          {ended === 'true' && (
            <Notice kind='warn'>Your session has ended. What you sent was not saved: sign in, and send it again.</Notice>
          )}
          <Form action='sign-in' address='/login' class='stack'>
            <input type='hidden' name='next' value={nextPath ?? '/'} />
            <SignInFields />
          </Form>
          <p class='quiet-text'>
            <a href={to('/forgot-password')}>Forgot your password?</a> No account yet?{' '}
            {open ? <a href={to('/sign-up')}>Create account</a> : 'Ask the administrator of this service for an invitation link.'}
          </p>
        </div>
      )
    }
  },
  actions: {
    'sign-in': action({
      operations: [browserLogin],
      fields: Type.Object({ ...Type.Pick(browserLogin.input, ['email', 'password']).properties, ...Next.properties }),
      isForVisitors: true,
      async run (context: PublicContext, { email, password, next }, { account }) {
        if (account !== undefined) return { to: afterSignIn(next), notice: `You are already signed in as ${account.email}.` }
        return { to: afterSignIn(next), signIn: await signIn(context, { email, password }) }
      }
    }),
    'sign-out': action({
      operations: [logout],
      fields: Type.Object({}),
      isForLaterSessions: true,
      async run (context: PublicContext) {
        if (context.account !== undefined) await logout.run({ ...context, account: context.account }, {})
        return { to: '/login', notice: 'You are signed out.', signOut: true }
      }
    })
  }
})

/** Where a visitor goes after signing in. */
const afterSignIn = (next: string | undefined): string => isOwnPath(next) && !next.startsWith('/login') ? next : '/'
