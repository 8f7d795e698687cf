import { randomUUID } from 'node:crypto'
import { hourMs } from '../../../schemas/durations.js'
import { findAccount } from '../../../db/queries/accounts.js'
import { deletePasswordReset, savePasswordReset } from '../../../db/queries/password-resets.js'
import { NoResult } from '../../../schemas/empty.js'
import { PasswordResetSendInput } from '../../../schemas/account.js'
import { resetTokens } from '../../accounts/link-tokens.js'
import { passwordMail } from '../../alerts/password-mail.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { PermanentFailure } from '../../jobs/failures.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

const linkLifetimeMs = hourMs

/** Each attempt sends a link of its own, since only hashes are stored. @throws MailRejected, PermanentFailure without a mail server */
export const passwordResetSend = operation({
  name: 'password_reset_send',
  title: 'Send a password link',
  description: 'Mails the account a link that sets a new password. It works once, for an hour.',
  input: PasswordResetSendInput,
  output: NoResult,
  async handler ({ db, now, signal, baseUrl, alerts: { mailer } }: ServiceContext, { account_id: id }) {
    if (mailer === undefined) throw new PermanentFailure('This service cannot send email. Ask its administrator for a new password.')
    const { email } = requireRecord(await findAccount(db, id))
    const { token, hash } = resetTokens.mint()
    const time = now()
    await savePasswordReset(db, {
      token_hash: hash,
      account_id: id,
      created_at: time,
      expires_at: new Date(time.getTime() + linkLifetimeMs)
    })
    try {
      const link = `${baseUrl()}/reset-password?token=${token}`
      const mail = passwordMail({ link, lifetime: 'one hour', baseUrl: baseUrl() })
      await mailer.send({ to: email, id: randomUUID(), ...mail }, signal)
    } catch (cause) {
      await deletePasswordReset(db, id, hash)
      throw cause
    }
    return {}
  }
})
