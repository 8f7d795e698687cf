import { Type } from 'typebox'
import type { Account as AccountDetails, Session } from '../../../../schemas/account.js'
import { accountSettings } from '../../../operations/accounts/account-settings.js'
import { accountDelete } from '../../../operations/accounts/account-delete.js'
import { me } from '../../../operations/accounts/me.js'
import { passwordChange } from '../../../operations/accounts/password-change.js'
import { sessionEnd } from '../../../operations/accounts/session-end.js'
import { sessionsEnd } from '../../../operations/accounts/sessions-end.js'
import { sessionsList } from '../../../operations/accounts/sessions-list.js'
import { listTimeZones } from '../../../papers/time-zones.js'
import { accountPage, action } from '../page.js'
import { Confirm } from '../components/confirm.js'
import { Field, Form, RefusalNotice, Select } from '../components/form.js'
import { NewPassword, repeatedPassword, requireEqualPasswords, RevokeKeys, Username } from '../components/new-password.js'
import { Time } from '../components/time.js'
import { useView } from '../view.js'

/** Account, password and active sessions. */
export const accountSettingsPage = accountPage({
  url: '/account',
  operations: [me, sessionsList],
  query: Type.Object({}),
  async show (context) {
    const [account, { items }] = await Promise.all([me.run(context, {}), sessionsList.run(context, {})])
    return { title: 'Account', content: <Account account={account} sessions={items} /> }
  },
  actions: {
    'change-password': action({
      operations: [passwordChange],
      fields: Type.Object({ ...passwordChange.input.properties, ...repeatedPassword }),
      async run (context, { current_password, new_password, repeated, revoke_keys }) {
        requireEqualPasswords('new_password', new_password, repeated)
        await passwordChange.run(context, { current_password, new_password, revoke_keys })
        return {
          to: '/account',
          notice: `Password changed. Every other session was signed out${revoke_keys === true ? ', and your MCP keys were revoked' : ''}.`
        }
      }
    }),
    'time-zone': action({
      operations: [accountSettings],
      fields: accountSettings.input,
      async run (context, { time_zone }) {
        const account = await accountSettings.run(context, { time_zone })
        return { to: '/account', notice: `Days and digests now follow the time zone ${account.time_zone}.` }
      }
    }),
    'delete-account': action({
      operations: [accountDelete],
      fields: accountDelete.input,
      async run (context, { password }) {
        await accountDelete.run(context, { password })
        return { to: '/login', notice: 'Your account and everything in it were deleted.', signOut: true }
      }
    }),
    'end-session': action({
      operations: [sessionEnd],
      fields: sessionEnd.input,
      async run (context, { session_id }) {
        await sessionEnd.run(context, { session_id })
        return session_id === context.sessionId
          ? { to: '/login', notice: 'You are signed out.', signOut: true }
          : { to: '/account', notice: 'Session ended.' }
      }
    }),
    'sign-out-everywhere': action({
      operations: [sessionsEnd],
      fields: Type.Object({}),
      async run (context) {
        await sessionsEnd.run(context, {})
        return { to: '/login', notice: 'You are signed out everywhere.', signOut: true }
      }
    })
  }
})

const timeZones = listTimeZones()

interface AccountProps { account: AccountDetails, sessions: readonly Session[] }

function Account ({ account: { email, administrator, time_zone, created_at }, sessions }: AccountProps) {
  const { to } = useView()
  return (
    <>
      <h1>Account</h1>
      <p class='lead page-lead'>
        {email}
        {administrator && (
          <>
            {' '}
            <span class='badge accented'>administrator</span>
          </>
        )}{' '}
        <span class='quiet-text'>
          since <Time at={created_at} />
        </span>
      </p>
      <section aria-labelledby='sessions'>
        <h2 id='sessions'>Active sessions</h2>
        <RefusalNotice actions={['end-session']} />
        <ul class='entries'>{sessions.map(session => <SessionRow key={session.id} {...session} />)}</ul>
        <Confirm label='Sign out everywhere'>
          <p>
            {sessions.length === 1 ? 'This session will end.' : `All ${sessions.length} sessions will end, including this one.`}{' '}
            Your MCP keys and Atom addresses keep working; replace them under Connect.
          </p>
          <Form action='sign-out-everywhere' address='/account'>
            <button class='danger'>Sign out everywhere</button>
          </Form>
        </Confirm>
      </section>
      <section aria-labelledby='password'>
        <h2 id='password'>Password</h2>
        <Form action='change-password' address='/account#password' class='stack form-column'>
          <Username email={email} />
          <Field name='current_password' label='Current password' type='password' autocomplete='current-password' required />
          <NewPassword name='new_password' hint='Signs out every other session.' />
          <RevokeKeys />
          <button>Change password</button>
        </Form>
      </section>
      <section aria-labelledby='time'>
        <h2 id='time'>Time zone</h2>
        <Form action='time-zone' address='/account#time' class='stack form-column'>
          <Select
            name='time_zone'
            label='Time zone'
            hint='The days of feeds and the hours of email digests are in this time zone.'
            value={time_zone}
            options={[...new Set([...timeZones, time_zone])].map(value => ({ value, label: value.replaceAll('_', ' ') }))}
          />
          <div class='buttons'>
            <button>Save time zone</button>
            <button type='button' class='secondary' data-time-zone='time_zone' hidden>Use the time zone of this device</button>
          </div>
        </Form>
      </section>
      <section aria-labelledby='data'>
        <h2 id='data'>Your data</h2>
        <p>One JSON file with everything in your account: projects, feeds with your votes, papers, texts of your PDFs, alerts and jobs.</p>
        <p class='below-list before-list'><a class='button secondary' href={to('/account/export')}>Export account</a></p>
        <RefusalNotice actions={['delete-account']} />
        <Confirm label='Delete account'>
          <p>Your projects, feeds, votes, keys, sessions and uploads will be deleted permanently. Export them first to keep a copy.</p>
          <Form action='delete-account' address='/account#data' class='stack form-column'>
            <Field id='delete-password' name='password' label='Password' type='password' autocomplete='current-password' required />
            <button class='danger'>Delete account permanently</button>
          </Form>
        </Confirm>
      </section>
    </>
  )
}

const kindNames: Record<Session['kind'], string> = { browser: 'Browser', token: 'REST API client' }

function SessionRow ({ id, kind, user_agent, current, created_at, last_used_at }: Session) {
  const name = user_agent ?? 'Unknown'
  return (
    <li>
      <div class='row-text'>
        <p class='row-name'>
          {name}
          {current && (
            <>
              {' '}
              <span class='badge accented'>this device</span>
            </>
          )}
        </p>
        <p class='quiet-text'>
          {kindNames[kind]} · signed in <Time at={created_at} precise /> · last used <Time at={last_used_at} precise missing='never' />
        </p>
      </div>
      {!current && (
        <Form action='end-session' address='/account' inRow>
          <input type='hidden' name='session_id' value={id} />
          <button class='secondary small'>End <span class='unseen'>{name}</span></button>
        </Form>
      )}
    </li>
  )
}
