import { findPasswordReset } from '../../../db/queries/password-resets.js'
import { PasswordResetState, PasswordResetStateInput } from '../../../schemas/account.js'
import { resetTokens } from '../../accounts/link-tokens.js'
import type { AnonymousContext } from '../context.js'
import { operation } from '../operation.js'

export const passwordResetState = operation({
  name: 'password_reset_state',
  title: 'Get the state of a password link',
  description: 'Returns whether passwords can be reset by mail, and whose password the link sets.',
  input: PasswordResetStateInput,
  output: PasswordResetState,
  async handler ({ db, now, alerts: { mailer } }: AnonymousContext, { token = '' }) {
    const hash = resetTokens.hashOf(token)
    const reset = hash === undefined ? undefined : await findPasswordReset(db, { hash, now: now() })
    return { mail: mailer !== undefined, email: reset?.email ?? null }
  }
})
