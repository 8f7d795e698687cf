import { findAccountByEmail } from '../../../db/queries/accounts.js'
import { countPasswordResets } from '../../../db/queries/password-resets.js'
import { NoResult } from '../../../schemas/empty.js'
import { AccountInput } from '../../../schemas/account.js'
import { normalizeEmail } from '../../accounts/records.js'
import { NotFound } from '../../errors/operation-errors.js'
import { passwordResetJob } from '../../jobs/new-jobs.js'
import type { AnonymousContext } from '../context.js'
import { operation } from '../operation.js'
import { hourMs } from '../../../schemas/durations.js'

/** Links that an account gets per hour. */
export const maxLinksPerHour = 3

/** The result and its time are the same whether or not the address has an account. @throws NotFound without a mail server, RateLimited */
export const passwordResetRequest = operation({
  name: 'password_reset_request',
  title: 'Request a password link',
  description: 'Mails the account with this address a link that sets a new password. The answer is the same if there is no such account.',
  input: AccountInput,
  output: NoResult,
  async handler (context: AnonymousContext, { email }) {
    const { address, alerts: { mailer }, accounts: { resetThrottle }, log } = context
    if (mailer === undefined) {
      throw new NotFound(
        'This service cannot send email. Ask its operator for a new password: litfeed user reset-password --email …',
        { userMessage: 'This service cannot send email. Ask its administrator for a new password.' }
      )
    }
    const name = normalizeEmail(email)
    await resetThrottle.count({ address, email: name })
    // Not awaited: the time that it takes would tell whether there is an account.
    queueMail(context, name).catch(cause => log.warn({ err: cause }, 'A password link could not be queued.'))
    return {}
  }
})

async function queueMail ({ db, now, queue, trace }: AnonymousContext, email: string): Promise<void> {
  const account = await findAccountByEmail(db, email)
  if (account === undefined || account.disabled_at !== null) return
  if (await countPasswordResets(db, account.id, new Date(now().getTime() - hourMs)) >= maxLinksPerHour) return
  await queue.enqueue(passwordResetJob(account.id), { trace })
}
