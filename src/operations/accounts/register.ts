import { createAccount, createFirstAccount, hasAccount } from '../../../db/queries/accounts.js'
import { createInvitedAccount, findInvitation } from '../../../db/queries/invitations.js'
import { Account, RegisterInput } from '../../../schemas/account.js'
import { type InvitationState, invitationProblems } from '../../../schemas/invitation.js'
import { invitationTokens } from '../../accounts/link-tokens.js'
import { checkAttempt } from '../../accounts/login-throttle.js'
import { hashPassword } from '../../accounts/passwords.js'
import { timeZoneNamed } from '../../accounts/time-zone.js'
import { EmailTaken, Forbidden, RegistrationClosed } from '../../errors/operation-errors.js'
import { isSameSecret } from '../../input/same-secret.js'
import type { AnonymousContext } from '../context.js'
import { invitationStateOf } from '../../accounts/records.js'
import { operation } from '../operation.js'
import { accountOf, normalizeEmail } from '../../accounts/records.js'

type RegisterContext = Pick<AnonymousContext, 'db' | 'now' | 'accounts' | 'address' | 'isLocal'>

/** The registration of a person with a link. */
interface Invited { name: string, password: string, invitation: string, settings: { time_zone?: string } }

/**
 * Creates an account if REGISTRATION allows it, or with an invitation link.
 * @throws RegistrationClosed, EmailTaken, RateLimited, InvalidArguments for an unknown time zone, Forbidden if the first account needs the
 * setup token and it is missing or wrong, or if the link cannot be used
 */
export const register = operation({
  name: 'register',
  title: 'Register',
  description: 'Creates an account. By default, only the first account can register; others need an invitation link of an administrator, ' +
    'or the operator creates them with "litfeed user create".',
  input: RegisterInput,
  output: Account,
  async handler (context: RegisterContext, { email, password, setup_token, invitation, time_zone: zone }) {
    const { db, accounts: { registration, setupToken, trustsLocalSetup, loginThrottle }, address, isLocal = false } = context
    const name = normalizeEmail(email)
    const settings = zone === undefined ? {} : { time_zone: timeZoneNamed(zone) }
    if (invitation !== undefined) return await registerInvited(context, { name, password, invitation, settings })
    const isFirst = !await hasAccount(db)
    if (registration === 'closed' || (registration === 'first' && !isFirst)) {
      throw new RegistrationClosed(
        'Registration is closed. Ask an administrator for an invitation link (litfeed invite create), or the operator for an account: ' +
          'litfeed user create --email …',
        { userMessage: 'Registration is closed. Ask the administrator of this service for an invitation link.' }
      )
    }
    // An attempt can guess the token and costs a password hash, so it is limited like a login, but apart: sign-ups must not use up the
    // logins of their address. A successful one stays counted, which bounds the accounts that an address creates.
    const attempt = await loginThrottle.begin({ address: `register ${address}`, email: `register ${name}` })
    if (isFirst && !(trustsLocalSetup && isLocal) && !isSetupToken(setup_token, setupToken)) {
      await attempt.failed()
      throw new Forbidden(
        'The first account needs setup_token: the setup token that the service printed when it started.',
        { userMessage: 'Enter the setup token that the service printed when it started.' }
      )
    }
    const password_hash = await checkAttempt(attempt, purpose => hashPassword(password, purpose))
    const account = registration === 'first'
      ? await createFirstAccount(db, { email: name, password_hash, ...settings })
      : await createAccount(db, { email: name, password_hash, ...settings })
    if (account !== undefined) return accountOf(account)
    if (registration === 'first') {
      throw new RegistrationClosed(
        'Another person has just created the first account. Registration is now closed. Ask that person for an invitation link ' +
          '(litfeed invite create).',
        { userMessage: 'Another person has just created the first account. Ask that person for an invitation link.' }
      )
    }
    throw new EmailTaken(name)
  }
})

/** Whether a text is the setup token; never if there is none. */
const isSetupToken = (text: string | undefined, setupToken: string | undefined): boolean =>
  text !== undefined && setupToken !== undefined && isSameSecret(text, setupToken)

/** An attempt counts like a login. A link does not replace the setup token, since its user would be the administrator. */
async function registerInvited (
  { db, now, address, accounts: { loginThrottle } }: RegisterContext,
  { name, password, invitation, settings }: Invited
) {
  if (!await hasAccount(db)) {
    throw new Forbidden('A link cannot create the first account. Send setup_token instead, or the operator runs "litfeed user create".', {
      userMessage: 'This service has no account yet. Create the first account with the setup token.'
    })
  }
  const attempt = await loginThrottle.begin({ address, email: name })
  const hash = invitationTokens.hashOf(invitation)
  const link = hash === undefined ? undefined : await findInvitation(db, hash)
  const state = link === undefined ? 'unknown' : invitationStateOf(link, now())
  if (hash === undefined || link === undefined || state !== 'open') {
    await attempt.failed()
    throw unusable(state)
  }
  if (link.email !== null && link.email !== name) {
    // The link is right: its holder mistyped an address, or has another one.
    await attempt.undo()
    throw new Forbidden(`The invitation link is for another address: ${link.email}. Ask an administrator for a link for your address.`, {
      userMessage: `This link is for ${link.email}. Ask the administrator for a link for your address.`
    })
  }
  // Before the link is used, because hashing can be refused under load.
  const password_hash = await checkAttempt(attempt, purpose => hashPassword(password, purpose))
  const account = await createInvitedAccount(db, { email: name, password_hash, ...settings }, { hash, now: now() })
  if (account === 'taken') throw new EmailTaken(name)
  if (account === 'ended') {
    const ended = await findInvitation(db, hash)
    const endedState = ended === undefined ? 'unknown' : invitationStateOf(ended, now())
    throw unusable(endedState === 'open' ? 'used' : endedState)
  }
  // Everybody of a lab may register from one address on the same day.
  await attempt.succeeded()
  return accountOf(account)
}

const unusable = (state: InvitationState | 'unknown') =>
  new Forbidden(`${invitationProblems[state]} Ask an administrator for another: litfeed invite create.`, {
    userMessage: `${invitationProblems[state]} Ask the administrator of this service for a new one.`
  })
