import { setPasswordWithLink } from '../../../db/queries/accounts.js'
import { findPasswordReset } from '../../../db/queries/password-resets.js'
import { NoResult } from '../../../schemas/empty.js'
import { PasswordResetConfirmInput } from '../../../schemas/account.js'
import { resetTokens } from '../../accounts/link-tokens.js'
import { confirmationAt } from '../../alerts/schedule.js'
import { hashPassword } from '../../accounts/passwords.js'
import { Forbidden } from '../../errors/operation-errors.js'
import type { AnonymousContext } from '../context.js'
import { operation } from '../operation.js'

/** A browser also sends the device token of an earlier login. */
interface ConfirmContext extends AnonymousContext { device?: string | undefined }

const invalidLink = () => new Forbidden(
  'The link is invalid, was used, or has expired. Request another: POST /api/auth/password-reset.',
  { userMessage: 'This link was used or has expired. Request a new one.' }
)

/** @throws Forbidden for a link that is invalid, used or expired; RateLimited */
export const passwordResetConfirm = operation({
  name: 'password_reset_confirm',
  title: 'Reset a password',
  description: 'Sets a new password with the token of a link, and ends every session of the account.',
  input: PasswordResetConfirmInput,
  output: NoResult,
  async handler (
    { db, now, address, device, accounts: { deviceTokens, loginThrottle, resetThrottle } }: ConfirmContext,
    { token, new_password, revoke_keys }
  ) {
    await resetThrottle.count({ address })
    const hash = resetTokens.hashOf(token)
    if (hash === undefined) throw invalidLink()
    const reset = await findPasswordReset(db, { hash, now: now() })
    if (reset === undefined) throw invalidLink()
    // Before the link is used, because hashing can be refused under load.
    const passwordHash = await hashPassword(new_password, { lane: 'stranger', origin: address })
    if (!await setPasswordWithLink(db, passwordHash, { hash, ...confirmationAt(now()), revokesKeys: revoke_keys })) throw invalidLink()
    // Wrong guesses before the reset must not prevent the login after it.
    const { email } = reset
    await loginThrottle.reset({
      address,
      email,
      deviceId: device === undefined ? undefined : deviceTokens.read(device, email, now())
    })
    return {}
  }
})
