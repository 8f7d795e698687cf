import { Type } from 'typebox'
import { passwordLength } from '../../../../schemas/account.js'
import type { AccountsListResult } from '../../../../schemas/administration.js'
import type { Invitation } from '../../../../schemas/invitation.js'
import { accountCreate } from '../../../operations/accounts/account-create.js'
import { accountUpdate } from '../../../operations/accounts/account-update.js'
import { accountsList } from '../../../operations/accounts/accounts-list.js'
import type { Context } from '../../../operations/context.js'
import { passwordReset } from '../../../operations/accounts/password-reset.js'
import { invitationCreate } from '../../../operations/invitations/invitation-create.js'
import { invitationRevoke } from '../../../operations/invitations/invitation-revoke.js'
import { invitationsList } from '../../../operations/invitations/invitations-list.js'
import { boundsOf, type Fields, fromText, type Query as QueryOf } from '../fields.js'
import { action, administratorPage, type PageContent, resultOf } from '../page.js'
import { Administration } from '../components/administration.js'
import { Confirm } from '../components/confirm.js'
import { Copy } from '../components/copy.js'
import { formatBytes, formatCount } from '../components/figures.js'
import { Field, Form, RefusalNotice } from '../components/form.js'
import { Pager } from '../components/pager.js'
import { Time } from '../components/time.js'
import { useView } from '../view.js'
import { Invitations, type NewInvitation } from './users/invitations.js'

const Query = Type.Pick(accountsList.input, ['offset'])
const pageSize = 50
const path = '/administration/users'

/** @throws InvalidArguments */
const checkPage = ({ offset }: QueryOf<typeof Query>) => accountsList.check({ limit: pageSize, offset }, fromText)
type Page = ReturnType<typeof checkPage>

/** The page of an address. An action checks it first, because what it creates is shown only once. @throws InvalidArguments */
const pageOf = (url: string): Page =>
  checkPage({ offset: new URL(url, 'http://localhost').searchParams.get('offset') ?? undefined })

const AccountId = Type.Pick(accountUpdate.input, ['account_id'])
type User = AccountsListResult['items'][number]

/** All accounts: create, invite, disable, enable, reset a password, change administrators. */
export const usersPage = administratorPage({
  url: path,
  operations: [accountsList, invitationsList],
  query: Query,
  show: async (context, query) => await users(context, checkPage(query)),
  actions: {
    create: action({
      operations: [accountCreate],
      fields: accountCreate.input,
      async run (context, input, { url }) {
        const page = pageOf(url)
        const { email, password } = await accountCreate.run(context, input)
        if (password === undefined) return { to: url, notice: `Account ${email} created.` }
        // Only this response contains a generated password.
        return { page: resultOf(await users(context, page, { password: { change: 'created', email, password } })) }
      }
    }),
    'reset-password': action({
      operations: [passwordReset],
      fields: Type.Pick(passwordReset.input, ['email']),
      async run (context, input, { url }) {
        const page = pageOf(url)
        const { email, password } = await passwordReset.run(context, input)
        const change = 'has a new password and was signed out everywhere'
        return { page: resultOf(await users(context, page, { password: { change, email, password: password! } })) }
      }
    }),
    invite: action({
      operations: [invitationCreate],
      fields: invitationCreate.input,
      // Only this response contains the address.
      async run (context, input, { url }) {
        const page = pageOf(url)
        return { page: resultOf(await users(context, page, { invitation: await invitationCreate.run(context, input, fromText) })) }
      }
    }),
    'revoke-invitation': action({
      operations: [invitationRevoke],
      fields: invitationRevoke.input,
      async run (context, input, { url }) {
        await invitationRevoke.run(context, input)
        return { to: `${url}#invitations`, notice: 'Link revoked. It no longer works.' }
      }
    }),
    ...Object.fromEntries(([
      ['disable', { disabled: true }, 'was disabled: signed out everywhere; keys stop working within a second'],
      ['enable', { disabled: false }, 'was enabled'],
      ['promote', { administrator: true }, 'is now an administrator'],
      ['demote', { administrator: false }, 'is no longer an administrator']
    ] as const).map(([name, change, done]) => [name, action({
      operations: [accountUpdate],
      fields: AccountId,
      async run (context, { account_id }: Fields<typeof AccountId>, { url }) {
        const { email } = await accountUpdate.run(context, { account_id, ...change })
        return { to: account_id === context.account.id ? '/' : url, notice: `${email} ${done}.` }
      }
    })]))
  }
})

/** A password that the current request generated, and the change to its account. */
interface NewPassword { email: string, password: string, change: string }

/** Secrets that only the response to the current request contains. */
interface Shown { password?: NewPassword, invitation?: NewInvitation }

async function users (context: Context, page: Page, { password, invitation }: Shown = {}): Promise<PageContent> {
  const list = await accountsList.run(context, page)
  const { items: links, mail } = await invitationsList.run(context, {})
  return { title: 'Users', content: <Users {...list} newPassword={password} links={links} invitation={invitation} mail={mail} /> }
}

interface UsersProps extends AccountsListResult {
  newPassword: NewPassword | undefined
  links: readonly Invitation[]
  invitation: NewInvitation | undefined
  mail: boolean
}

const Users = ({ items, newPassword, links, invitation, mail, ...page }: UsersProps) => (
  <Administration>
    {newPassword !== undefined && (
      <div class='panel key-panel key-made made-account'>
        <p role='status'>
          <b>
            {newPassword.email} {newPassword.change}.
          </b>{' '}
          The password is shown only once. Pass it on and ask the user to change it.
        </p>
        <Copy text={newPassword.password} label={`the password of ${newPassword.email}`} />
      </div>
    )}
    <section aria-labelledby='users'>
      <h2 id='users' class='unseen'>Users</h2>
      <RefusalNotice actions={['disable', 'enable', 'promote', 'demote', 'reset-password']} />
      <ul class='entries'>
        {items.map(user => (
          <UserRow key={user.id} {...user} />
        ))}
      </ul>
      <Pager {...page} count={items.length} address={offset => offset > 0 ? `${path}?offset=${offset}` : path} />
      <p class='hint below-list'>
        Disabling signs the user out, stops keys, Atom and share links and published snapshots, and pauses projects. Re-enabling restores
        everything. Resetting a password ends every session of the account.
      </p>
    </section>
    <Invitations links={links} created={invitation} mail={mail} />
    <section aria-labelledby='new'>
      <h2 id='new'>New account</h2>
      <Form action='create' class='stack form-column'>
        <Field name='email' label='Email address' type='email' autocomplete='off' required />
        <Field
          name='password'
          label='Password'
          hint={`At least ${passwordLength.minimum} characters. Leave empty to generate one, shown once.`}
          type='password'
          autocomplete='new-password'
          {...boundsOf(accountCreate.input.properties.password)}
        />
        <button>Create account</button>
      </Form>
    </section>
  </Administration>
)

function UserRow ({ id, email, administrator, disabled_at, created_at, last_used_at, projects, storage_bytes }: User) {
  const self = useView().account?.id === id
  return (
    <li class={disabled_at === null ? '' : 'disabled'}>
      <div class='row-text'>
        <p class='row-name'>
          {email}
          {self && <> <span class='badge'>you</span></>}
          {administrator && <> <span class='badge accented'>administrator</span></>}
          {disabled_at !== null && <> <span class='badge bad'>disabled</span></>}
        </p>
        <p class='quiet-text'>
          {formatCount(projects)} {projects === 1 ? 'project' : 'projects'} · {formatBytes(storage_bytes)} ·{' '}
          {disabled_at === null
            ? (
              <>
                last active <Time at={last_used_at} />
              </>
              )
            : (
              <>
                disabled <Time at={disabled_at} />
              </>
              )}{' '}
          · since <Time at={created_at} />
        </p>
      </div>
      {!self && (
        <div class='row-buttons'>
          {disabled_at === null && (
            <Change id={id} email={email} action={administrator ? 'demote' : 'promote'}>
              {administrator ? 'Remove administrator role' : 'Make administrator'}
            </Change>
          )}
          <Confirm label='Reset password' about={`of ${email}`} small>
            <p class='quiet-text'>Generates a new password, shown once. {email} is signed out everywhere; keys keep working.</p>
            <Form action='reset-password' inRow>
              <input type='hidden' name='email' value={email} />
              <button class='danger small'>Reset password <span class='unseen'>for {email}</span></button>
            </Form>
          </Confirm>
          <Change id={id} email={email} action={disabled_at === null ? 'disable' : 'enable'}>
            {disabled_at === null ? 'Disable' : 'Enable'}
          </Change>
        </div>
      )}
    </li>
  )
}

const Change = ({ id, email, action, children }: { id: string, email: string, action: string, children: string }) => (
  <Form action={action} inRow>
    <input type='hidden' name='account_id' value={id} />
    <button class='secondary small'>{children} <span class='unseen'>{email}</span></button>
  </Form>
)
