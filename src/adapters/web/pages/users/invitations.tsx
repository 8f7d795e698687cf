import { defaultInvitationDays, type Invitation } from '../../../../../schemas/invitation.js'
import { invitationCreate } from '../../../../operations/invitations/invitation-create.js'
import { boundsOf } from '../../fields.js'
import { Confirm } from '../../components/confirm.js'
import { Copy } from '../../components/copy.js'
import { Checkbox, Field, Form, RefusalNotice } from '../../components/form.js'
import { Notice } from '../../components/notice.js'
import { Time } from '../../components/time.js'

const { email, uses, note } = invitationCreate.input.properties
/** Endings that the page lists; the API has more. */
const shownEndings = 10

/** A link that the current request created, with its address. */
export type NewInvitation = Awaited<ReturnType<typeof invitationCreate.run>>

interface InvitationsProps {
  links: readonly Invitation[]
  created: NewInvitation | undefined
  /** Whether links can be mailed. */
  mail: boolean
}

/** Invitation links: those that can create accounts, and the last ones that ended; and a form for a new one. */
export function Invitations ({ links, created, mail }: InvitationsProps) {
  const [open, ended] = [links.filter(({ state }) => state === 'open'), links.filter(({ state }) => state !== 'open')]
  return (
    <section aria-labelledby='invitations'>
      <h2 id='invitations'>Invitation links</h2>
      <p class='hint'>A link lets people create an account, even if registration is closed.</p>
      {created !== undefined && (
        <div class='panel key-panel key-made made-account'>
          <p role='status'>
            <b>{created.mailed ? `Link created and mailed to ${created.email}.` : 'Link created.'}</b>{' '}
            The address is shown only once. Anyone who has it can use it.
          </p>
          {created.mail_error !== null &&
            <Notice kind='bad'>The email was not sent: {created.mail_error} Copy the link and send it yourself.</Notice>}
          <Copy text={created.url} label='the address of the link' />
        </div>
      )}
      <RefusalNotice actions={['revoke-invitation']} />
      {open.length === 0
        ? <p class='quiet-text'>No open links.</p>
        : <ul class='entries'>{open.map(link => <InvitationRow key={link.id} {...link} />)}</ul>}
      {ended.length > 0 && (
        <details class='fold'>
          <summary>Ended links</summary>
          <ul class='entries'>{ended.slice(0, shownEndings).map(link => <InvitationRow key={link.id} {...link} />)}</ul>
        </details>
      )}
      <h3 class='new-link'>New link</h3>
      <Form action='invite' address='/administration/users#invitations' class='stack form-column'>
        <Field
          id='invitation-email'
          name='email'
          label='Email address'
          hint='The only email address that can register. Leave empty for any.'
          type='email'
          autocomplete='off'
          {...boundsOf(email)}
        />
        {mail && <Checkbox id='invitation-mail' name='mail' label='Email the link to this address' />}
        <Field name='uses' label='Accounts' hint='Maximum number of accounts.' type='number' value={1} {...boundsOf(uses)} />
        <Field
          name='expires_at'
          label='Expires'
          type='date'
          hint={`It stops working at the start of this day (UTC). Leave empty for ${defaultInvitationDays} days.`}
        />
        <Field name='note' label='Note' hint='Shown to administrators only, such as the name of the invitee.' {...boundsOf(note)} />
        <button>Create link</button>
      </Form>
    </section>
  )
}

function InvitationRow ({ id, state, email, note, uses, used, created_by, created_at, expires_at }: Invitation) {
  const name = note === '' ? email ?? 'Anyone' : note
  return (
    <li class={state === 'open' ? '' : 'disabled'}>
      <div class='row-text'>
        <p class='row-name'>
          <span dir='auto'>{name}</span>
          {state !== 'open' && <> <span class='badge'>{state}</span></>}
        </p>
        <p class='quiet-text'>
          {note !== '' && `${email ?? 'Any address'} · `}{used} of {uses} used · expires <Time at={expires_at} zone='UTC' /> · created{' '}
          <Time at={created_at} />{created_by !== null && ` by ${created_by}`}
        </p>
      </div>
      {state === 'open' && (
        <Confirm label='Revoke' about={name} small>
          <p class='quiet-text'>The link stops working at once. Accounts that it created stay.</p>
          <Form action='revoke-invitation' address='/administration/users#invitations' inRow>
            <input type='hidden' name='invitation_id' value={id} />
            <button class='danger small'>Revoke <span class='unseen'>{name}</span></button>
          </Form>
        </Confirm>
      )}
    </li>
  )
}
